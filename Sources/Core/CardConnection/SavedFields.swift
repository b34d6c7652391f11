// SPDX-License-Identifier: MIT

public import JSONText
import SmartCard

/// The members of a JSON object in the saved state of an emulated card.
///
/// All of them must be there and no others, and each must hold what the card itself could have saved: a state that is
/// damaged is refused, with a sentence that names the member.
public struct SavedFields {
    /// Where the object stands in the document; empty at its top.
    public let place: String

    private var members: [String: JSON] = [:]

    /// Takes an object with exactly these members.
    public init(_ json: JSON, at place: String = "", keys: [String]) throws(EmulatorOptionError) {
        self.place = place
        guard let given = json.members else { throw Self.damaged(place, "it is no object") }
        for member in given {
            guard keys.contains(member.key) else { throw wrong(member.key, "no card saves it") }
            guard members.updateValue(member.value, forKey: member.key) == nil else {
                throw wrong(member.key, "it is there twice")
            }
        }
        for key in keys where members[key] == nil { throw wrong(key, "it is missing") }
    }

    /// The error of a member that does not fit.
    ///
    /// - Parameters:
    ///   - key: The member.
    ///   - problem: What is wrong with it, as a clause.
    /// - Returns: The error.
    public func wrong(_ key: String, _ problem: String) -> EmulatorOptionError {
        Self.damaged(path(key), problem)
    }

    private static func damaged(_ path: String, _ problem: String) -> EmulatorOptionError {
        EmulatorOptionError("the saved state is damaged at '\(path)': \(problem); start without it")
    }

    private func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// The member as it is.
    public subscript(key: String) -> JSON { members[key] ?? .null }

    /// Whether a member says that there is nothing.
    public func isNull(_ key: String) -> Bool { self[key] == .null }

    /// A whole number.
    public func number(_ key: String, in range: ClosedRange<Int>) throws(EmulatorOptionError) -> Int {
        guard let number = self[key].integer else { throw wrong(key, "it is no whole number") }
        guard range.contains(number) else {
            throw wrong(key, "it is \(number), \(range.lowerBound) to \(range.upperBound) are possible")
        }
        return number
    }

    /// A truth value.
    public func flag(_ key: String) throws(EmulatorOptionError) -> Bool {
        guard let flag = self[key].boolean else { throw wrong(key, "it is neither true nor false") }
        return flag
    }

    /// A text.
    public func text(_ key: String) throws(EmulatorOptionError) -> String {
        guard let text = self[key].string else { throw wrong(key, "it is no text") }
        return text
    }

    /// Bytes in hex, as many as fit the range.
    public func bytes(_ key: String, count: ClosedRange<Int>) throws(EmulatorOptionError) -> [UInt8] {
        try Self.bytes(self[key], path(key)) { bytes in
            guard !count.contains(bytes.count) else { return nil }
            let possible =
                count.lowerBound == count.upperBound
                ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            return "\(possible) are possible"
        }
    }

    /// Bytes in hex, with one of these counts.
    public func bytes(_ key: String, counts: [Int]) throws(EmulatorOptionError) -> [UInt8] {
        try Self.bytes(self[key], path(key)) { bytes in
            guard !counts.contains(bytes.count) else { return nil }
            return "\(counts.map(String.init).joined(separator: " or ")) are possible"
        }
    }

    private static func bytes(
        _ json: JSON,
        _ path: String,
        complaint: ([UInt8]) -> String?
    ) throws(EmulatorOptionError) -> [UInt8] {
        guard let text = json.string else { throw damaged(path, "it is no hex text") }
        let bytes: [UInt8]
        do { bytes = try HexText.bytes(text) } catch { throw damaged(path, "it is no hex text") }
        if let complaint = complaint(bytes) {
            throw damaged(path, "it has \(bytes.count) bytes, \(complaint)")
        }
        return bytes
    }

    /// An object.
    public func object(_ key: String, keys: [String]) throws(EmulatorOptionError) -> SavedFields {
        try SavedFields(self[key], at: path(key), keys: keys)
    }

    /// The elements of a list.
    public func list(_ key: String, count: ClosedRange<Int>) throws(EmulatorOptionError) -> [JSON] {
        guard let elements = self[key].array else { throw wrong(key, "it is no list") }
        guard count.contains(elements.count) else {
            throw wrong(
                key,
                "it has \(elements.count) elements, \(count.lowerBound) to \(count.upperBound) are possible"
            )
        }
        return elements
    }

    /// A list of objects.
    public func objects(
        _ key: String,
        count: ClosedRange<Int>,
        keys: [String]
    ) throws(EmulatorOptionError) -> [SavedFields] {
        var objects: [SavedFields] = []
        for (index, element) in try list(key, count: count).enumerated() {
            objects.append(try SavedFields(element, at: "\(path(key))[\(index)]", keys: keys))
        }
        return objects
    }

    /// A list of byte strings of one length.
    public func byteStrings(
        _ key: String,
        count: ClosedRange<Int>,
        length: Int
    ) throws(EmulatorOptionError) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        for (index, element) in try list(key, count: count).enumerated() {
            strings.append(
                try Self.bytes(element, "\(path(key))[\(index)]") { bytes in
                    bytes.count == length ? nil : "\(length) are possible"
                }
            )
        }
        return strings
    }

    /// A list of whole numbers.
    public func numbers(
        _ key: String,
        count: ClosedRange<Int>,
        in range: ClosedRange<Int>
    ) throws(EmulatorOptionError) -> [Int] {
        var numbers: [Int] = []
        for (index, element) in try list(key, count: count).enumerated() {
            guard let number = element.integer, range.contains(number) else {
                throw Self.damaged(
                    "\(path(key))[\(index)]",
                    "it is no whole number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            numbers.append(number)
        }
        return numbers
    }
}
