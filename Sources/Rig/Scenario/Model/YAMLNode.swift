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
        /// Whether the key stands in quotes.
        let isKeyQuoted: Bool
        /// Where the key's characters stand, when they do not follow one another.
        let keyMap: TextMap?

        /// Makes an entry.
        public init(key: String, keyPosition: SourcePosition, value: YAMLNode) {
            self.init(key: key, keyPosition: keyPosition, value: value, isKeyQuoted: false, keyMap: nil)
        }

        init(
            key: String,
            keyPosition: SourcePosition,
            value: YAMLNode,
            isKeyQuoted: Bool,
            keyMap: TextMap?
        ) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
            self.isKeyQuoted = isKeyQuoted
            self.keyMap = keyMap
        }
    }

    /// What the node holds.
    public let content: Content
    /// Where it starts.
    public let position: SourcePosition
    /// Where the characters of a scalar stand, when they do not follow one another.
    let map: TextMap?

    /// Makes a node.
    public init(_ content: Content, at position: SourcePosition) {
        self.init(content, at: position, map: nil)
    }

    init(_ content: Content, at position: SourcePosition, map: TextMap?) {
        self.content = content
        self.position = position
        self.map = map
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
