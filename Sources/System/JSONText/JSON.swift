// SPDX-License-Identifier: MIT

/// A JSON value that keeps the order of its keys.
///
/// Source: RFC 8259.
public enum JSON: Hashable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Keys and values in the order of the text; a key that comes twice is kept twice.
    case object([Member])

    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: JSON

        /// Makes a member.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a key in an object, the last one if it comes twice; nil in all other cases.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The text of a string, else nil.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a whole number, else nil.
    public var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The value of any number, else nil.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value of a boolean, else nil.
    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The elements of an array, else nil.
    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object, else nil.
    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Makes an object; members whose value is nil are left out.
    public static func object(_ pairs: KeyValuePairs<String, JSON?>) -> JSON {
        .object(pairs.compactMap { pair in pair.value.map { Member(pair.key, $0) } })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
