// SPDX-License-Identifier: MIT

public import SmartCard

/// Whether the answer to a SELECT shows that the wanted application was selected.
///
/// Some cards answer `9000` to any SELECT. The proof is the application's name in the answer: tag 84 of the file
/// control information, equal to the identifier that was sent, or beginning with it.
/// Source: ISO/IEC 7816-4:2013 §7.4.3 and §8.2.1.
public enum SelectCheck: Hashable, Sendable {
    /// The answer names the wanted application.
    case confirmed
    /// The answer names no application: it may be the wanted one.
    case unconfirmed
    /// The answer names another application, with this identifier.
    case mismatch(found: [UInt8])

    /// Judges an answer; nil when the status word is not `9000`, so that nothing was selected.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that was sent.
    ///   - response: The answer.
    public init?(selecting identifier: [UInt8], response: ResponseAPDU) {
        guard response.sw == .success else { return nil }
        guard let name = Self.name(in: response.data) else {
            self = .unconfirmed
            return
        }
        self = name.starts(with: identifier) ? .confirmed : .mismatch(found: name)
    }

    /// The verdict in one word.
    public var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .unconfirmed: "unconfirmed"
        case .mismatch: "mismatch"
        }
    }

    /// Finds tag 84 at the top or inside a template 6F or 62; nil when it is absent or the answer is no TLV.
    private static func name(in data: [UInt8]) -> [UInt8]? {
        guard let objects = objects(in: data[...]) else { return nil }
        if let name = objects.first(where: { $0.tag == 0x84 }) { return Array(name.value) }
        for template in objects where template.tag == 0x6F || template.tag == 0x62 {
            if let name = Self.objects(in: template.value)?.first(where: { $0.tag == 0x84 }) {
                return Array(name.value)
            }
        }
        return nil
    }

    /// Splits BER-TLV objects of one level; nil when the bytes are none.
    ///
    /// Source: ISO/IEC 8825-1 §8.1.
    private static func objects(in data: ArraySlice<UInt8>) -> [(tag: Int, value: ArraySlice<UInt8>)]? {
        var rest = data
        var objects: [(tag: Int, value: ArraySlice<UInt8>)] = []
        while let first = rest.popFirst() {
            if first == 0x00 || first == 0xFF { continue }
            var tag = Int(first)
            if first & 0x1F == 0x1F {
                var next: UInt8 = 0x80
                while next & 0x80 != 0 {
                    guard let byte = rest.popFirst(), tag <= 0xFFFF else { return nil }
                    next = byte
                    tag = tag << 8 | Int(byte)
                }
            }
            guard var length = rest.popFirst().map(Int.init) else { return nil }
            if length > 0x80 {
                let count = length & 0x7F
                guard count <= 4, count <= rest.count else { return nil }
                length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(count)
            } else if length == 0x80 {
                return nil
            }
            guard length <= rest.count else { return nil }
            objects.append((tag, rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return objects
    }
}
