// SPDX-License-Identifier: MIT

/// A place that a step asks to hide, in the data of its commands and answers.
///
/// Written `data`, `data(3)`, `data(2..)`, `data(2..6)` (from 0, the end exclusive), or `tlv.6F.A5.9F38` with an index
/// as `tlv.61(1).4F`.
public struct MaskRule: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case bytes(Range<Int>)
        case path([Element])
    }

    /// One tag of a path.
    struct Element: Hashable, Sendable {
        let tag: UInt32
        /// Which of several objects with that tag; nil means all of them.
        let index: Int?
    }

    let place: Place

    /// Hides data bytes by position.
    public init(data: Range<Int>) {
        place = .bytes(data)
    }

    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - text: The rule as a scenario has it.
    ///   - tagNamed: Gives the tag's bytes for a name of the device's dictionary.
    /// - Throws: ``MaskRuleError`` with what would be right.
    public init(_ text: String, tagNamed: (String) -> [UInt8]? = { _ in nil }) throws(MaskRuleError) {
        if text == "data" {
            place = .bytes(0..<Int.max)
        } else if text.hasPrefix("data("), text.hasSuffix(")") {
            guard let range = Self.range(text.dropFirst(5).dropLast()) else {
                throw MaskRuleError(text: text, reason: "write the range as data(2..6), data(2..) or data(3)")
            }
            place = .bytes(range)
        } else {
            let path = text.hasPrefix("tlv.") ? text.dropFirst(4) : text[...]
            var elements: [Element] = []
            for part in path.split(separator: ".", omittingEmptySubsequences: false) {
                guard let element = Self.element(part, tagNamed: tagNamed) else {
                    throw MaskRuleError(
                        text: text,
                        reason: "'\(part)' is neither a tag in hex nor a name that the device has"
                    )
                }
                elements.append(element)
            }
            place = .path(elements)
        }
    }

    /// The ranges that the rule means.
    ///
    /// - Parameters:
    ///   - bytes: The whole command or answer.
    ///   - data: Where its data field lies.
    ///   - coding: How its data objects are coded.
    ///   - part: Where the data begins in the whole when it is one part of several; nil when it is the whole.
    /// - Returns: Ranges inside `data`; none when nothing is there.
    func ranges(
        in bytes: [UInt8],
        data: Range<Int>,
        coding: TLVRanges.Coding,
        part: Int? = nil
    ) -> [Range<Int>] {
        switch place {
        case .bytes(let range):
            let start = max(0, range.lowerBound - (part ?? 0))
            let end = min(range.upperBound - (part ?? 0), data.count)
            return start < end ? [data.lowerBound + start..<data.lowerBound + end] : []
        case .path(let elements):
            // An object may begin in another part than it ends in.
            if part != nil { return data.isEmpty ? [] : [data] }
            let reader = TLVRanges(bytes, coding: coding)
            var found = [data]
            for element in elements {
                found = found.flatMap { range in
                    let matches = reader.objects(in: range).objects.filter { $0.tag == element.tag }
                    guard let index = element.index else { return matches.map(\.value) }
                    return matches.indices.contains(index) ? [matches[index].value] : []
                }
            }
            return found
        }
    }

    private static func range(_ text: Substring) -> Range<Int>? {
        guard let dots = text.firstRange(of: "..") else {
            guard let index = number(text) else { return nil }
            return index..<index + 1
        }
        guard let start = number(text[..<dots.lowerBound]) else { return nil }
        let tail = text[dots.upperBound...]
        if tail.isEmpty { return start..<Int.max }
        guard let end = number(tail), end >= start else { return nil }
        return start..<end
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func element(_ text: Substring, tagNamed: (String) -> [UInt8]?) -> Element? {
        var word = text
        var index: Int?
        if word.hasSuffix(")"), let bracket = word.firstIndex(of: "(") {
            index = number(word[word.index(after: bracket)...].dropLast())
            guard index != nil else { return nil }
            word = word[..<bracket]
        }
        if let bytes = tagNamed(String(word)), (1...4).contains(bytes.count) {
            return Element(tag: bytes.reduce(0) { $0 << 8 | UInt32($1) }, index: index)
        }
        guard [2, 4, 6, 8].contains(word.utf8.count), word.allSatisfy(\.isHexDigit),
            let tag = UInt32(word, radix: 16)
        else { return nil }
        return Element(tag: tag, index: index)
    }
}

/// Why a text is no mask.
public struct MaskRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// What would be right.
    public let reason: String

    /// What is wrong and what would be right.
    public var description: String { "'\(text)' is no place to hide: \(reason)" }
}
