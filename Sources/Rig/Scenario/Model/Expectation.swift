// SPDX-License-Identifier: MIT

/// What must hold of a step: the content of `expect`, `until`, `while`, `wire` and `every`.
public struct Expectation: Hashable, Sendable {
    /// Where it stands.
    public var position: SourcePosition
    /// For verbs that look at a probe: how long the change may take.
    public var within: Duration?

    /// Makes an expectation that asks for nothing.
    public init(position: SourcePosition) {
        self.position = position
    }
}

/// A piece of a result to keep under a name.
public struct Capture: Hashable, Sendable {
    /// The variable's name.
    public var name: String
    /// The path as the file has it: `tlv.60`, `data(2..)`, `sw`, `ms`, or a field.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a capture.
    public init(name: String, path: String, position: SourcePosition) {
        self.name = name
        self.path = path
        self.position = position
    }
}

/// A condition: `${name} == value`, `!= value`, `in [a, b]`, `present ${name}`.
public struct Condition: Hashable, Sendable {
    /// The text as the file has it.
    public var text: String
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a condition.
    public init(text: String, position: SourcePosition) {
        self.text = text
        self.position = position
    }
}
