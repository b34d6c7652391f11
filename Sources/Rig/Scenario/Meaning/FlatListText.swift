// SPDX-License-Identifier: MIT

internal import SmartCard

/// A flat list of objects, as a tree for people.
///
/// Tags have one byte, lengths one, or two behind `FF`; the dictionary says which values are lists again.
struct FlatListText {
    private let names: [String: String]
    private let nested: Set<String>

    init(_ dictionary: DeviceDictionary) {
        nested = dictionary.nested
        // Two names of one tag: the first in order, so that reports are the same each time.
        names = dictionary.tags.reduce(into: [:]) { names, entry in
            let old = names[entry.value]
            names[entry.value] = old.map { Swift.min($0, entry.key) } ?? entry.key
        }
    }

    /// One line for each object; nil when the bytes are no such list as a whole.
    func lines(_ data: [UInt8]) -> [String]? {
        data.isEmpty ? nil : lines(data[...], indent: "")
    }

    private func lines(_ data: ArraySlice<UInt8>, indent: String) -> [String]? {
        var out: [String] = []
        var rest = data
        while let first = rest.popFirst() {
            guard let value = value(&rest) else { return nil }
            let tag = [first].hex
            var line = "\(indent)\(tag) \(value.count)"
            if let name = names[tag] { line += " (\(name))" }
            if nested.contains(tag), let inner = lines(value, indent: indent + "  ") {
                out.append(line)
                out += inner
            } else {
                out.append(line + Self.content(value))
            }
        }
        return out
    }

    private func value(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let short = rest.popFirst() else { return nil }
        var length = Int(short)
        if short == Self.longLengthMark {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            length = Int(high) << 8 | Int(low)
        }
        guard rest.count >= length else { return nil }
        let value = rest.prefix(length)
        rest = rest.dropFirst(length)
        return value
    }

    /// The value in hex; one that is plain text, with a NUL behind it or not, is shown as such too.
    private static func content(_ value: ArraySlice<UInt8>) -> String {
        guard !value.isEmpty else { return "" }
        let text = value.last == 0 ? value.dropLast() : value
        let isText = text.count > 2 && text.allSatisfy { (0x20...0x7E).contains($0) }
        return ": \(MismatchText.short(Array(value)))"
            + (isText ? " \"\(String(decoding: text, as: UTF8.self))\"" : "")
    }

    private static let longLengthMark: UInt8 = 0xFF
}
