// SPDX-License-Identifier: MIT

/// A reader's name, taken apart.
///
/// pcsc-lite builds it as `model [interface] (serial) RR SS`, where interface and serial may be absent and the two
/// numbers are hexadecimal: the reader's number depends on the order of plugging, the slot counts inside a reader.
/// Source: pcsc-lite, src/readerfactory.c, RFSetReaderName; observed names.
public struct ReaderName: Hashable, Sendable {
    /// The whole name.
    public let text: String
    /// Maker and model.
    public let model: String
    /// The USB interface's name, which tells the faces of a dual reader apart; empty when absent.
    public let interface: String
    /// The reader's serial number; empty when absent.
    public let serial: String
    /// The reader's number among its like; nil when the name has none.
    public let reader: Int?
    /// The slot inside the reader; nil when the name has none.
    public let slot: Int?

    /// Takes a name apart.
    public init(_ text: String) {
        self.text = text
        var rest = text[...]
        (rest, reader, slot) = Self.splitNumbers(rest)
        (rest, serial) = Self.splitGroup(rest, open: "(", close: ")")
        (rest, interface) = Self.splitGroup(rest, open: "[", close: "]")
        model = String(rest)
    }

    /// Takes ` RR SS` off the end.
    private static func splitNumbers(_ text: Substring) -> (Substring, Int?, Int?) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).suffix(2)
        guard words.count == 2, let first = words.first, let last = words.last,
            first.startIndex > text.startIndex,
            let reader = number(first), let slot = number(last)
        else { return (text, nil, nil) }
        return (text[..<text.index(before: first.startIndex)], reader, slot)
    }

    private static func number(_ word: Substring) -> Int? {
        guard word.utf8.count == 2, word.allSatisfy(\.isHexDigit) else { return nil }
        return Int(word, radix: 16)
    }

    /// Takes ` (group)` off the end; only the last pair of brackets counts, and something must stand before it.
    private static func splitGroup(_ text: Substring, open: Character, close: Character) -> (
        Substring, String
    ) {
        guard text.last == close, let start = text.lastIndex(of: open), start > text.startIndex else {
            return (text, "")
        }
        let before = text.index(before: start)
        guard text[before] == " ", before > text.startIndex else { return (text, "") }
        return (text[..<before], String(text[text.index(after: start)...].dropLast()))
    }
}
