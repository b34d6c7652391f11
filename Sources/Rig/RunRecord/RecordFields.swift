// SPDX-License-Identifier: MIT

import JSONText

/// Reads the members of an object of `run.json`, with the place for errors.
struct RecordFields {
    private let values: [String: JSON]
    private let path: String

    init(_ json: JSON, path: String) throws(RunRecordError) {
        guard let members = json.members else {
            throw RunRecordError(path: path, message: "an object is expected here")
        }
        self.path = path
        values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Refuses an object without a key that every record has.
    func require(_ key: String) throws(RunRecordError) {
        guard present(key) == nil else { return }
        throw RunRecordError(path: path, message: "the key \"\(key)\" is missing")
    }

    /// A text; empty when it is left out.
    func text(_ key: String) throws(RunRecordError) -> String {
        try optionalText(key) ?? ""
    }

    /// A text; nil when it is left out.
    func optionalText(_ key: String) throws(RunRecordError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.string else { throw error(key, "a text is expected here") }
        return text
    }

    /// A whole number.
    func number(_ key: String, default fallback: Int = 0) throws(RunRecordError) -> Int {
        guard let value = present(key) else { return fallback }
        guard let number = value.integer else { throw error(key, "a whole number is expected here") }
        return number
    }

    /// A number.
    func decimal(_ key: String) throws(RunRecordError) -> Double {
        guard let value = present(key) else { return 0 }
        guard let number = value.double else { throw error(key, "a number is expected here") }
        return number
    }

    /// A number of 64 bits: a text of digits where it is too large for a number of JSON.
    func seed(_ key: String) throws(RunRecordError) -> UInt64 {
        guard let value = present(key) else { return 0 }
        let seed = value.integer.flatMap { UInt64(exactly: $0) } ?? value.string.flatMap { UInt64($0) }
        guard let seed else { throw error(key, "a number from 0 to 2^64 - 1 is expected here") }
        return seed
    }

    /// A truth value; false when it is left out.
    func flag(_ key: String) throws(RunRecordError) -> Bool {
        guard let value = present(key) else { return false }
        guard let flag = value.boolean else { throw error(key, "true or false is expected here") }
        return flag
    }

    /// A duration in whole nanoseconds.
    func duration(_ key: String) throws(RunRecordError) -> Duration {
        .nanoseconds(Int64(try number(key)))
    }

    /// A verdict.
    func verdict(_ key: String) throws(RunRecordError) -> Verdict {
        let word = try text(key)
        guard let verdict = Verdict(rawValue: word) else {
            throw error(key, "'\(word)' is none of passed, failed, error and skipped")
        }
        return verdict
    }

    /// Texts; none when the key is left out.
    func texts(_ key: String) throws(RunRecordError) -> [String] {
        try list(key) { (json, path) throws(RunRecordError) in
            guard let text = json.string else {
                throw RunRecordError(path: path, message: "a text is expected here")
            }
            return text
        }
    }

    /// A list; empty when it is left out.
    func list<Element>(
        _ key: String,
        _ element: (JSON, String) throws(RunRecordError) -> Element
    ) throws(RunRecordError) -> [Element] {
        guard let value = present(key) else { return [] }
        guard let elements = value.array else { throw error(key, "a list is expected here") }
        var out: [Element] = []
        out.reserveCapacity(elements.count)
        for (index, json) in elements.enumerated() {
            out.append(try element(json, "\(place(key))[\(index)]"))
        }
        return out
    }

    /// An object; nil when it is left out.
    func object<Element>(
        _ key: String,
        _ element: (JSON, String) throws(RunRecordError) -> Element
    ) throws(RunRecordError) -> Element? {
        guard let value = present(key) else { return nil }
        return try element(value, place(key))
    }

    private func present(_ key: String) -> JSON? {
        values[key].flatMap { $0 == .null ? nil : $0 }
    }

    private func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func error(_ key: String, _ message: String) -> RunRecordError {
        RunRecordError(path: place(key), message: message)
    }
}

extension JSON {
    /// A text; left out when it is empty.
    static func filled(_ text: String) -> JSON? { text.isEmpty ? nil : .string(text) }

    /// Texts; left out when there are none.
    static func filled(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }

    /// A number; left out when it is zero.
    static func filled(_ number: Int) -> JSON? { number == 0 ? nil : .integer(number) }

    /// A flag; left out when it is false.
    static func filled(_ flag: Bool) -> JSON? { flag ? .boolean(true) : nil }

    /// A duration in whole nanoseconds, to the largest number of 64 bits.
    static func nanoseconds(_ duration: Duration) -> JSON {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, second) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflow, !second else { return .integer(seconds < 0 ? .min : .max) }
        return .integer(Int(sum))
    }
}
