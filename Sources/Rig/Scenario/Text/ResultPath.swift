// SPDX-License-Identifier: MIT

import Wording

/// A way to a piece of a step's result: `tlv.6F.A5.9F38`, `data(2..6)`, `sw`, `ms`, `ndef(1).payload`, or a field.
public struct ResultPath: Hashable, Sendable, CustomStringConvertible {
    /// Where the way begins.
    public enum Root: Hashable, Sendable {
        case status
        case data
        case time
        case total
        /// TLV objects, one inside the other.
        case tlv([TagStep])
        /// A result field of the verb; `ndef` is one.
        case field(String)
    }

    /// One TLV object on the way down.
    public struct TagStep: Hashable, Sendable {
        /// The tag in hex, or a name of the device's dictionary.
        public var tag: String
        /// Which of several, from 0; nil is the first.
        public var index: Int?
        /// Where it stands in the text, in characters from 0.
        var column: Int
    }

    /// What is taken of a value, one after the other.
    public enum Part: Hashable, Sendable {
        /// A key of a mapping.
        case key(String)
        /// An element of a list, or a byte.
        case index(Int)
        /// Elements or bytes from one place on, end exclusive; nil is the end of all.
        case range(Int, Int?)
        /// The first record of a type.
        case type(String)
    }

    /// Where the way begins.
    public let root: Root
    /// What is taken of that.
    public let parts: [Part]
    /// The text as the file has it.
    public let description: String

    init(root: Root, parts: [Part], description: String) {
        self.root = root
        self.parts = parts
        self.description = description
    }

    /// Reads a path.
    ///
    /// - Throws: ``TextError`` with the column of what does not belong.
    public static func parse(_ text: String) throws(TextError) -> ResultPath {
        var cursor = TextCursor(text)
        let first = cursor.take(while: \.isNamePart)
        guard !first.isEmpty else {
            throw TextError(
                "\(cursor.nextCharacter) begins no path such as data(2..) or tlv.6F.84",
                column: cursor.column
            )
        }
        switch first {
        case "tlv":
            var steps: [TagStep] = []
            while cursor.take(".") { steps.append(try tagStep(&cursor)) }
            guard !steps.isEmpty else {
                throw TextError("a tag is missing behind 'tlv'; write tlv.84, say", column: cursor.column)
            }
            var parts: [Part] = []
            if cursor.next == 0x28 { parts.append(try bracket(&cursor)) }
            try end(cursor)
            return ResultPath(root: .tlv(steps), parts: parts, description: text)
        default:
            let parts = try parts(&cursor)
            try end(cursor)
            return ResultPath(root: root(first), parts: parts, description: text)
        }
    }

    /// Reads the tags of a key under `tlv`: `6F.A5.9F38`, `61(1).4F`.
    public static func tags(_ text: String) throws(TextError) -> [TagStep] {
        var cursor = TextCursor(text)
        var steps: [TagStep] = []
        repeat { steps.append(try tagStep(&cursor)) } while cursor.take(".")
        try end(cursor)
        return steps
    }

    private static func root(_ word: String) -> Root {
        switch word {
        case "sw": .status
        case "data": .data
        case "ms", "time": .time
        case "total": .total
        default: .field(word)
        }
    }

    private static func tagStep(_ cursor: inout TextCursor) throws(TextError) -> TagStep {
        let start = cursor
        let tag = cursor.take(while: \.isNamePart)
        guard !tag.isEmpty else {
            throw TextError(
                cursor.isAtEnd ? "a tag is missing behind '.'" : "\(cursor.nextCharacter) begins no tag",
                column: start.column
            )
        }
        let isHex = tag.utf8.allSatisfy { $0.hexDigit != nil }
        guard !isHex || tag.utf8.count.isMultiple(of: 2) else {
            throw TextError(
                "the tag '\(tag)' has \(Amount.text(tag.utf8.count, "hex digit")); two digits make a byte",
                column: start.column
            )
        }
        var step = TagStep(tag: tag, index: nil, column: start.column)
        let bracket = cursor
        guard cursor.take("(") else { return step }
        let index = try NumberText.parse(&cursor)
        guard cursor.take(")") else {
            // `60(2..)`: bytes of the value, read by the caller.
            cursor = bracket
            return step
        }
        guard index >= 0 else { throw TextError("an index counts from 0", column: bracket.column + 1) }
        step.index = index
        return step
    }

    private static func parts(_ cursor: inout TextCursor) throws(TextError) -> [Part] {
        var out: [Part] = []
        while true {
            if cursor.next == 0x28 {
                out.append(try bracket(&cursor))
            } else if cursor.take(".") {
                let key = cursor.take(while: \.isNamePart)
                guard !key.isEmpty else {
                    throw TextError("a name is missing behind '.'", column: cursor.column)
                }
                out.append(.key(key))
            } else {
                return out
            }
        }
    }

    private static func bracket(_ cursor: inout TextCursor) throws(TextError) -> Part {
        cursor.skip()
        let start = cursor
        let part: Part
        if let next = cursor.next, next.isDigit {
            part = try numbers(&cursor)
        } else {
            let type = cursor.take { $0.isNamePart || $0 == 0x2E || $0 == 0x3A || $0 == 0x2F || $0 == 0x2B }
            guard !type.isEmpty else {
                throw TextError(
                    "\(cursor.nextCharacter) is neither a number nor a type; write (0), (2..6) or (TYPE)",
                    column: start.column
                )
            }
            part = .type(type)
        }
        guard cursor.take(")") else {
            throw TextError(
                "')' is missing in '\(String(decoding: cursor.bytes, as: UTF8.self))'",
                column: cursor.column
            )
        }
        return part
    }

    private static func numbers(_ cursor: inout TextCursor) throws(TextError) -> Part {
        let start = cursor
        let low = try NumberText.parse(&cursor)
        guard cursor.take("..") else { return .index(low) }
        guard let next = cursor.next, next.isDigit else { return .range(low, nil) }
        let high = try NumberText.parse(&cursor)
        guard low <= high else {
            throw TextError("the range is empty: its start lies above its end", column: start.column)
        }
        return .range(low, high)
    }

    private static func end(_ cursor: TextCursor) throws(TextError) {
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a path such as data(2..) or tlv.6F.84",
                column: cursor.column
            )
        }
    }
}
