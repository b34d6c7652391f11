// SPDX-License-Identifier: MIT

/// Looks at XML text as far as a writer of ours can spoil it: tags that close, references, characters.
enum XMLCheck {
    /// What is wrong with a document, nil when nothing is.
    static func mistake(in text: [UInt8]) -> String? {
        var open: [ArraySlice<UInt8>] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "<"):
                guard let end = text[index...].firstIndex(of: UInt8(ascii: ">")) else {
                    return "a tag is cut off"
                }
                if let mistake = take(text[index + 1..<end], &open) { return mistake }
                index = end
            case UInt8(ascii: "&"):
                guard let end = text[index...].firstIndex(of: UInt8(ascii: ";")), end - index <= 8 else {
                    return "a reference is cut off"
                }
                guard isReference(text[index + 1..<end]) else { return "an unknown reference" }
            case 0x00..<0x09, 0x0B, 0x0C, 0x0E..<0x20:
                return "a character that XML forbids"
            default:
                break
            }
            index += 1
        }
        return open.isEmpty ? nil : "a tag is not closed"
    }

    private static func take(_ tag: ArraySlice<UInt8>, _ open: inout [ArraySlice<UInt8>]) -> String? {
        guard let first = tag.first else { return "an empty tag" }
        if first == UInt8(ascii: "?") { return open.isEmpty ? nil : "a declaration inside" }
        if tag.contains(UInt8(ascii: "<")) { return "a bare < in a tag" }
        if first == UInt8(ascii: "/") {
            guard let name = open.popLast(), name == tag.dropFirst() else { return "the wrong tag is closed" }
            return nil
        }
        guard tag.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else {
            return "a quote too many"
        }
        if tag.last != UInt8(ascii: "/") { open.append(tag.prefix { $0 != UInt8(ascii: " ") }) }
        return nil
    }

    private static func isReference(_ name: ArraySlice<UInt8>) -> Bool {
        if name.first == UInt8(ascii: "#") { return name.count > 1 }
        return ["lt", "gt", "amp", "quot", "apos"].contains { $0.utf8.elementsEqual(name) }
    }
}
