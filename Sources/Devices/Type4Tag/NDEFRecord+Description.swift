// SPDX-License-Identifier: MIT

import SmartCard

extension NDEFRecord: CustomStringConvertible {
    /// The type field as text, for example `U`; hex when it is no printable ASCII.
    public var typeName: String {
        type.allSatisfy { (0x21...0x7E).contains($0) || $0 == 0x20 }
            ? String(decoding: type, as: UTF8.self) : type.hex
    }

    /// One line for people, for example `URI https://example.org` or `media text/plain (12 bytes)`.
    public var description: String {
        let size = "(\(payload.count) bytes)"
        let identifier = id.map { " id \($0.hex)" } ?? ""
        if let uri { return "URI \(Self.printable(uri))\(identifier)" }
        if let text { return "text (\(text.language)) \"\(Self.printable(text.text))\"\(identifier)" }
        switch format {
        case .empty: return "empty record"
        case .wellKnown: return "well-known type \(typeName) \(size)\(identifier)"
        case .media: return "media \(typeName) \(size)\(identifier)"
        case .absoluteURI: return "absolute URI \(typeName) \(size)\(identifier)"
        case .external: return "external type \(typeName) \(size)\(identifier)"
        case .unknown: return "unknown type \(size)\(identifier)"
        }
    }

    /// A text without characters that would disturb a terminal, cut at 120 characters.
    private static func printable(_ text: String) -> String {
        let cleaned = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
            )
        )
        return cleaned.count > 120 ? cleaned.prefix(120) + "…" : cleaned
    }
}

extension NDEFMessage: CustomStringConvertible {
    /// The records for people, one line each.
    public var description: String { records.map(\.description).joined(separator: "\n") }
}
