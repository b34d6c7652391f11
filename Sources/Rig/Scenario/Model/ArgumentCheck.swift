// SPDX-License-Identifier: MIT

/// What a value must be besides its type: a number of bytes, a day, a known setting.
///
/// Lint asks it about what stands in the file, and a run about what variables bring.
public struct ArgumentCheck: Hashable, Sendable {
    /// What it takes, in a few words, for the reference: `4 bytes`.
    public let text: String
    private let complaint: @Sendable (Value) -> String?

    /// Makes a check; two of the same words are the same check.
    ///
    /// - Parameters:
    ///   - text: What it takes, in a few words; empty when the argument's summary tells.
    ///   - complaint: What is wrong with a value of the argument's type; nil when nothing is.
    public init(_ text: String, _ complaint: @escaping @Sendable (Value) -> String?) {
        self.text = text
        self.complaint = complaint
    }

    /// Refuses a value that will not do.
    func check(_ value: Value) throws(TextError) {
        if let sentence = complaint(value) { throw TextError(sentence) }
    }

    /// True when two checks take the same.
    public static func == (left: ArgumentCheck, right: ArgumentCheck) -> Bool { left.text == right.text }

    /// Hashes the words.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What the arguments of a verb must be to each other: a value of its setting, lists of one length.
///
/// Lint asks it when all of them stand in the file; a run leaves it to the verb.
public struct ArgumentRule: Hashable, Sendable {
    /// Why arguments do not go together.
    public struct Complaint: Sendable {
        /// The argument to change.
        let name: String
        /// What is wrong with it.
        let text: String

        /// Makes a complaint.
        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The arguments that it is about.
    let names: [String]
    private let complaint: @Sendable ([String: Value]) -> Complaint?

    /// Makes a rule; two about the same arguments are the same rule.
    ///
    /// - Parameters:
    ///   - names: The arguments that it is about; it is not asked while one of them holds a variable.
    ///   - complaint: What is wrong with those that are given; nil when nothing is.
    public init(_ names: [String], _ complaint: @escaping @Sendable ([String: Value]) -> Complaint?) {
        self.names = names
        self.complaint = complaint
    }

    /// What is wrong; nil when nothing is, or a variable decides.
    func complaint(about arguments: [String: Template]) -> Complaint? {
        var values: [String: Value] = [:]
        for name in names {
            switch arguments[name] {
            case nil: continue
            case .value(let value): values[name] = value
            default: return nil
            }
        }
        return complaint(values)
    }

    /// True when two rules are about the same arguments.
    public static func == (left: ArgumentRule, right: ArgumentRule) -> Bool { left.names == right.names }

    /// Hashes the names.
    public func hash(into hasher: inout Hasher) { hasher.combine(names) }
}

extension ArgumentType {
    /// Bytes of one length.
    public static func bytes(_ count: Int) -> ArgumentType { .bytes(count...count) }

    /// Bytes of a length in a range.
    public static func bytes(_ counts: ClosedRange<Int>) -> ArgumentType {
        .checked(
            .bytes,
            ArgumentCheck(text(of: counts)) { complaint($0) { counts.contains($0) ? nil : text(of: counts) } }
        )
    }

    /// Bytes of one of several lengths.
    public static func bytes(anyOf counts: [Int]) -> ArgumentType {
        let text = counts.map(String.init).joined(separator: " or ") + " bytes"
        return .checked(.bytes, ArgumentCheck(text) { complaint($0) { counts.contains($0) ? nil : text } })
    }

    /// A text of at least one character.
    public static let filledText = ArgumentType.checked(
        .text,
        ArgumentCheck("not empty") { value in
            guard case .text(let text) = value, text.isEmpty else { return nil }
            return "an empty text is in everything; write what to look for"
        }
    )

    /// A list of at least one value.
    public static func filledList(_ element: ArgumentType) -> ArgumentType {
        .checked(
            .list(element),
            ArgumentCheck("one at least") { value in
                guard case .list(let values) = value, values.isEmpty else { return nil }
                return "an empty list is nothing to do; name one at least, or leave the argument out"
            }
        )
    }

    /// A time of some length.
    public static func duration(atLeast least: Duration) -> ArgumentType {
        let text = DurationText.text(least)
        return .checked(
            .duration,
            ArgumentCheck("\(text) at least") { value in
                guard case .duration(let time) = value, time < least else { return nil }
                return "\(DurationText.text(time)) is too short; \(text) is the least"
            }
        )
    }

    /// A day such as 2027-01-31.
    public static let day = ArgumentType.checked(
        .text,
        ArgumentCheck("a day such as 2027-01-31") { value in
            guard case .text(let text) = value, (try? CalendarDate.parse(text)) == nil else { return nil }
            return "'\(text)' is no day; write it like 2027-01-31"
        }
    )

    private static func complaint(_ value: Value, _ wanted: (Int) -> String?) -> String? {
        guard case .bytes(let bytes) = value, let wanted = wanted(bytes.count) else { return nil }
        return "this takes \(wanted); here \(bytes.count == 1 ? "is 1" : "are \(bytes.count)")"
    }

    private static func text(of counts: ClosedRange<Int>) -> String {
        if counts.lowerBound == counts.upperBound {
            return counts.lowerBound == 1 ? "1 byte" : "\(counts.lowerBound) bytes"
        }
        if counts.upperBound == .max {
            return "\(counts.lowerBound) bytes at least".replacing("1 bytes", with: "1 byte")
        }
        if counts.lowerBound == 0 { return "at most \(counts.upperBound) bytes" }
        return "\(counts.lowerBound) to \(counts.upperBound) bytes"
    }
}
