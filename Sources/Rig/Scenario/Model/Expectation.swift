// SPDX-License-Identifier: MIT

internal import SmartCard

/// What must hold of a step: the content of `expect`, `until`, `while`, `wire` and `every`.
public struct Expectation: Hashable, Sendable {
    /// Where it stands.
    public var position: SourcePosition
    /// For verbs that look at a probe: how long the change may take.
    public var within: Duration?
    /// Fault words, one of which must happen; empty when none is expected.
    public internal(set) var expectedFaults: [String] = []
    /// Typed errors of a device library, one of which must happen; empty when none is expected.
    public internal(set) var expectedErrors: [String] = []
    /// What is looked at, in the order of the file.
    var items: [ExpectationItem] = []

    /// Makes an expectation that asks for nothing.
    public init(position: SourcePosition) {
        self.position = position
    }

    /// True when a result field of the verb is among its keys.
    public func asksFor(field name: String) -> Bool {
        items.contains { $0.subject == .field(name) }
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
    /// The path, read.
    var parsed: ResultPath?
    /// Where the path begins with TLV tags: those, with names resolved.
    var tags: TLVPath?

    /// Makes a capture; a path that cannot be read is told when the value is asked for.
    public init(name: String, path: String, position: SourcePosition) {
        self.name = name
        self.path = path
        self.position = position
        parsed = try? ResultPath.parse(path)
    }
}

/// A condition: `${name} == value`, `!= value`, `in [a, b]`, `present ${name}`.
public struct Condition: Hashable, Sendable {
    /// The text as the file has it.
    public var text: String
    /// Where it stands.
    public var position: SourcePosition
    /// The text, read; nil when it cannot be.
    var test: ConditionTest?
    /// Where its characters stand; nil when they follow one another.
    var place: TextPlace?

    /// Makes a condition; a text that cannot be read is told when it is evaluated.
    public init(text: String, position: SourcePosition) {
        self.text = text
        self.position = position
        test = try? ConditionTest.parse(text)
    }
}
