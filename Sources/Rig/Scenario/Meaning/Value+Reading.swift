// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

extension Value {
    /// Reads a text as a value of a type.
    ///
    /// - Parameters:
    ///   - text: The text, without references.
    ///   - type: What it stands for; for a list it is the only element.
    ///   - dictionary: Names that stand for bytes.
    /// - Returns: The value, of the type.
    /// - Throws: ``TextError`` when the text is no such value.
    public static func read(
        _ text: String,
        as type: ArgumentType,
        dictionary: DeviceDictionary?
    ) throws(TextError) -> Value {
        switch type {
        case .bytes:
            return .bytes(try bytes(text, dictionary: dictionary))
        case .file:
            let bytes = try bytes(text, dictionary: dictionary)
            try checkFile(bytes)
            return .bytes(bytes)
        case .selector:
            let bytes = try bytes(text, dictionary: dictionary)
            try checkSelector(bytes)
            return .bytes(bytes)
        case .number(let range):
            return .number(try NumberText.parse(text, in: range))
        case .duration:
            return .duration(try DurationText.parse(text))
        case .word(let words):
            guard words.contains(text) else { throw unknownWord(text, words) }
            return .text(text)
        case .boolean:
            return .boolean(try boolean(text))
        case .text, .any:
            return .text(text)
        case .list(let element):
            return .list([try read(text, as: element, dictionary: dictionary)])
        case .map:
            throw TextError("this takes a mapping, such as { key: value }")
        case .checked(let inner, let check):
            let value = try read(text, as: inner, dictionary: dictionary)
            try check.check(value)
            return value
        }
    }

    /// Bytes from a name of the dictionary, else from hex text.
    static func bytes(_ text: String, dictionary: DeviceDictionary?) throws(TextError) -> [UInt8] {
        if let bytes = dictionary?.bytes[text] { return bytes }
        do {
            return try HexText.bytes(text)
        } catch {
            throw unknownName(text, dictionary: dictionary) ?? TextError(error, in: text)
        }
    }

    /// The mistake of a text that looks like a name; nil when it looks like hex.
    static func unknownName(_ text: String, dictionary: DeviceDictionary?) -> TextError? {
        guard let first = text.utf8.first, first.isLetter, text.utf8.allSatisfy(\.isNamePart) else {
            return nil
        }
        let names = (dictionary?.bytes.keys).map { $0.sorted() } ?? []
        let hint = Suggestion.nearest(to: text, among: names)
        let strangers = text.utf8.count { $0.hexDigit == nil && $0 != 0x2D }
        guard hint != nil || strangers > 1 else { return nil }
        let target = dictionary.map { "a name of \($0.target)" } ?? "a known name"
        return TextError("'\(text)' is neither hex nor \(target)", hint: hint)
    }

    static func checkFile(_ bytes: [UInt8]) throws(TextError) {
        guard bytes.count == 2 else {
            throw TextError("a file is two bytes, such as E104, or a name; \(count(bytes, "stand")) here")
        }
    }

    static func checkSelector(_ bytes: [UInt8]) throws(TextError) {
        guard bytes.count == 2 || (5...16).contains(bytes.count) else {
            throw TextError("\(count(bytes, "are")) neither a file (2 bytes) nor an AID (5 to 16 bytes)")
        }
    }

    static func unknownWord(_ text: String, _ words: [String]) -> TextError {
        TextError(
            "'\(text)' is not possible here; \(words.joined(separator: ", ")) \(words.count == 1 ? "is" : "are")",
            hint: Suggestion.nearest(to: text, among: words)
        )
    }

    static func boolean(_ text: String) throws(TextError) -> Bool {
        switch text {
        case "yes", "true": return true
        case "no", "false": return false
        default:
            throw TextError(
                "'\(text)' is neither yes nor no",
                hint: Suggestion.nearest(to: text, among: ["yes", "no", "true", "false"])
            )
        }
    }

    static func count(_ bytes: [UInt8]) -> String { Amount.text(bytes.count, "byte") }

    static func count(_ bytes: [UInt8], _ verb: String) -> String { Amount.text(bytes.count, "byte", verb) }
}

extension ArgumentType {
    /// What is wrong with the value of a secret, of which no letter may be shown.
    var hiddenComplaint: String {
        guard case .checked(let inner, let check) = self else {
            return Self.hiddenComplaint(wanted: wantedText)
        }
        guard !check.text.isEmpty else { return inner.hiddenComplaint }
        return Self.hiddenComplaint(wanted: "\(inner.wantedText): \(check.text)")
    }

    /// The same for what is asked for in other words.
    static func hiddenComplaint(wanted: String) -> String {
        "the value of the secret does not fit; this takes \(wanted)"
    }

    /// What it takes, for messages: `bytes (hex, or a name)`.
    var wantedText: String {
        switch self {
        case .bytes: "bytes (hex, or a name)"
        case .file: "a file (two bytes in hex, or a name)"
        case .selector: "a file or an AID"
        case .number: "a number"
        case .duration: "a time such as 200ms"
        case .word(let words): words.count > 6 ? "a word" : words.joined(separator: " or ")
        case .boolean: "yes or no"
        case .text: "a text"
        case .list: "a list"
        case .map: "a mapping"
        case .any: "a value"
        case .checked(let inner, _): inner.wantedText
        }
    }
}
