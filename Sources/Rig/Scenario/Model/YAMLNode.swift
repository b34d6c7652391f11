// SPDX-License-Identifier: MIT

/// A piece of YAML with its place; scalars stay text, whatever they look like.
public struct YAMLNode: Hashable, Sendable {
    /// What the node holds.
    public enum Content: Hashable, Sendable {
        /// Text; `isQuoted` tells `"9000"` from `9000`.
        case scalar(String, isQuoted: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and values, in the order of the file.
        case mapping([Entry])
    }

    /// A key with its value.
    public struct Entry: Hashable, Sendable {
        /// The key's text.
        public let key: String
        /// Where the key stands.
        public let keyPosition: SourcePosition
        /// The value.
        public let value: YAMLNode

        /// Makes an entry.
        public init(key: String, keyPosition: SourcePosition, value: YAMLNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// What the node holds.
    public let content: Content
    /// Where it starts.
    public let position: SourcePosition

    /// Makes a node.
    public init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    /// The text of a scalar, else nil.
    public var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The entries of a mapping, else nil.
    public var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The elements of a sequence, else nil.
    public var elements: [YAMLNode]? {
        guard case .sequence(let elements) = content else { return nil }
        return elements
    }
}
