// SPDX-License-Identifier: MIT

internal import SmartCard

extension Value {
    /// The value as letters, as it stands in a text: bytes in hex, numbers in decimal, lists with commas.
    public var text: String {
        switch self {
        case .bytes(let bytes): bytes.hex
        case .number(let number): "\(number)"
        case .text(let text): text
        case .boolean(let boolean): boolean ? "true" : "false"
        case .duration(let duration): DurationText.text(duration, digits: 9)
        case .statusWord(let word): word.description
        case .list(let values): values.map(\.text).joined(separator: ", ")
        case .map(let entries):
            entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ")
        }
    }

    /// What kind of value it is, for messages.
    public var kindName: String {
        switch self {
        case .bytes: "bytes"
        case .number: "a number"
        case .text: "a text"
        case .boolean: "yes or no"
        case .duration: "a time"
        case .statusWord: "a status word"
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// The value as one of a type.
    ///
    /// Texts are read as if they stood in the file. Bytes used as a number are unsigned, the first byte highest; a
    /// time used as a number is in whole milliseconds. A number is no bytes, since nobody said how many.
    ///
    /// - Throws: ``TextError`` when there is no such value.
    public func converted(to type: ArgumentType, dictionary: DeviceDictionary?) throws(TextError) -> Value {
        if case .text(let text) = self { return try .read(text, as: type, dictionary: dictionary) }
        switch type {
        case .any: return self
        case .bytes: return .bytes(try plainBytes())
        case .file:
            let bytes = try plainBytes()
            try Self.checkFile(bytes)
            return .bytes(bytes)
        case .selector:
            let bytes = try plainBytes()
            try Self.checkSelector(bytes)
            return .bytes(bytes)
        case .number(let range):
            let number = try plainNumber()
            try NumberText.check(number, in: range)
            return .number(number)
        case .duration:
            guard case .duration = self else { throw misfit(type) }
            return self
        case .word(let words):
            let word = text
            guard words.contains(word) else { throw Self.unknownWord(word, words) }
            return .text(word)
        case .boolean:
            guard case .boolean = self else { throw misfit(type) }
            return self
        case .text:
            return .text(text)
        case .list(let element):
            guard case .list(let values) = self else {
                return .list([try converted(to: element, dictionary: dictionary)])
            }
            var out: [Value] = []
            out.reserveCapacity(values.count)
            for value in values { out.append(try value.converted(to: element, dictionary: dictionary)) }
            return .list(out)
        case .map:
            guard case .map = self else { throw misfit(type) }
            return self
        case .checked(let inner, let check):
            let value = try converted(to: inner, dictionary: dictionary)
            try check.check(value)
            return value
        }
    }

    /// The value with the type of another one, as a literal beside a variable has it; nil when there is none.
    public func converted(like other: Value, dictionary: DeviceDictionary?) -> Value? {
        let type: ArgumentType
        switch other {
        case .bytes: type = .bytes
        case .number: type = .number(.min ... .max)
        case .duration: type = .duration
        case .boolean: type = .boolean
        case .text: type = .text
        case .statusWord:
            if case .statusWord = self { return self }
            guard let bytes = try? converted(to: .bytes, dictionary: dictionary),
                case .bytes(let pair) = bytes,
                pair.count == 2
            else { return nil }
            return .statusWord(StatusWord(sw1: pair[0], sw2: pair[1]))
        case .list(let elements):
            guard case .list(let values) = self, values.count == elements.count else { return nil }
            var out: [Value] = []
            for (value, element) in zip(values, elements) {
                guard let value = value.converted(like: element, dictionary: dictionary) else { return nil }
                out.append(value)
            }
            return .list(out)
        case .map:
            if case .map = self { return self }
            return nil
        }
        return try? converted(to: type, dictionary: dictionary)
    }

    private func plainBytes() throws(TextError) -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .statusWord(let word): return [word.sw1, word.sw2]
        case .number(let number):
            throw TextError("the number \(number) does not tell how many bytes it is; write it in hex")
        default: throw misfit(.bytes)
        }
    }

    private func plainNumber() throws(TextError) -> Int {
        switch self {
        case .number(let number): return number
        case .statusWord(let word): return Int(word.rawValue)
        case .duration(let duration):
            let (seconds, attoseconds) = duration.components
            return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        case .bytes(let bytes):
            guard !bytes.isEmpty else { throw TextError("no bytes are no number") }
            let digits = bytes.drop { $0 == 0 }
            guard digits.count < 8 || (digits.count == 8 && bytes[digits.startIndex] < 0x80) else {
                throw TextError("\(Self.count(bytes)) are too many for a number; 8 are the most")
            }
            return digits.reduce(0) { $0 << 8 | Int($1) }
        default: throw misfit(.number(.min ... .max))
        }
    }

    private func misfit(_ type: ArgumentType) -> TextError {
        TextError("this takes \(type.wantedText), not \(kindName)")
    }
}
