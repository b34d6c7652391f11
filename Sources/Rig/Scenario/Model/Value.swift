// SPDX-License-Identifier: MIT

public import SmartCard

/// A value that steps pass around: an argument, a captured field, a variable.
public enum Value: Hashable, Sendable {
    case bytes([UInt8])
    case number(Int)
    case text(String)
    case boolean(Bool)
    case duration(Duration)
    case statusWord(StatusWord)
    case list([Value])
    case map([String: Value])
}

/// A value as the file has it: settled, or with `${...}` that a run fills in.
public enum Template: Hashable, Sendable {
    /// Nothing to fill in.
    case value(Value)
    /// Text with references; it takes its type after they are filled in.
    case text([TextPiece], type: ArgumentType, at: TextPlace)
    /// A list.
    case list([Template], at: SourcePosition)
    /// A mapping, keys settled.
    case map([MapEntry], at: SourcePosition)

    /// A key of a mapping and its value.
    public struct MapEntry: Hashable, Sendable {
        /// The key.
        public let key: String
        /// Where the key stands.
        public let position: SourcePosition
        /// The value.
        public let value: Template

        /// Makes an entry.
        public init(key: String, position: SourcePosition, value: Template) {
            self.key = key
            self.position = position
            self.value = value
        }
    }
}

/// A piece of text: letters, or a reference to a variable.
public enum TextPiece: Hashable, Sendable {
    case literal(String)
    /// `${name}` or, with an index from 0, `${name(2)}`.
    case reference(name: String, index: Int?)
}
