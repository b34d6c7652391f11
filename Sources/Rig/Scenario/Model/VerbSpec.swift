// SPDX-License-Identifier: MIT

/// A word that a step may use: its arguments, its results, its text of help.
///
/// Each step holds the one of its verb, so copies share what is in it.
public struct VerbSpec: Hashable, Sendable {
    private final class Content: Sendable {
        let name: String
        let summary: String
        let discussion: String
        let arguments: [ArgumentSpec]
        let rules: [ArgumentRule]
        let bareArgument: String?
        let results: [ResultSpec]
        let needs: [String]
        let exchanges: Bool
        let waits: Bool
        let within: WithinRule?

        init(
            name: String,
            summary: String,
            discussion: String,
            arguments: [ArgumentSpec],
            rules: [ArgumentRule],
            bareArgument: String?,
            results: [ResultSpec],
            needs: [String],
            exchanges: Bool,
            waits: Bool,
            within: WithinRule?
        ) {
            self.name = name
            self.summary = summary
            self.discussion = discussion
            self.arguments = arguments
            self.rules = rules
            self.bareArgument = bareArgument
            self.results = results
            self.needs = needs
            self.exchanges = exchanges
            self.waits = waits
            self.within = within
        }
    }

    private let content: Content

    /// The word, with its namespace: `select`, `kit.led`.
    public var name: String { content.name }
    /// What it does, in one line.
    public var summary: String { content.summary }
    /// More about it; may be empty.
    public var discussion: String { content.discussion }
    /// What it takes.
    public var arguments: [ArgumentSpec] { content.arguments }
    /// What its arguments must be to each other.
    public var rules: [ArgumentRule] { content.rules }
    /// The argument that a bare value is for; nil when there is none.
    public var bareArgument: String? { content.bareArgument }
    /// What it gives besides `sw`, `data`, `tlv`, `ms`.
    public var results: [ResultSpec] { content.results }
    /// Capabilities that a case needs when it uses the verb.
    public var needs: [String] { content.needs }
    /// Whether it sends commands, so that `sw`, `data` and `tlv` mean something.
    public var exchanges: Bool { content.exchanges }
    /// Whether it waits for a change, so that `within` means something.
    public var waits: Bool { content.waits }
    /// The names of the errors that its device library may end it with; empty when there is no library behind it.
    public private(set) var errors: [String]
    /// What `within` must be beside the verb; nil when any time will do.
    public var within: WithinRule? { content.within }

    /// Makes a verb's description.
    public init(
        _ name: String,
        _ summary: String,
        discussion: String = "",
        arguments: [ArgumentSpec] = [],
        rules: [ArgumentRule] = [],
        bare bareArgument: String? = nil,
        results: [ResultSpec] = [],
        needs: [String] = [],
        exchanges: Bool = true,
        waits: Bool = false,
        errors: [String] = [],
        within: WithinRule? = nil
    ) {
        content = Content(
            name: name,
            summary: summary,
            discussion: discussion,
            arguments: arguments,
            rules: rules,
            bareArgument: bareArgument,
            results: results,
            needs: needs,
            exchanges: exchanges,
            waits: waits,
            within: within
        )
        self.errors = errors
    }

    /// The same verb with the names of the errors that its device library knows.
    public func giving(errors: [String]) -> VerbSpec {
        var spec = self
        spec.errors = errors
        return spec
    }

    /// True when two verbs are described in the same way.
    public static func == (left: VerbSpec, right: VerbSpec) -> Bool {
        guard left.errors == right.errors else { return false }
        if left.content === right.content { return true }
        return left.name == right.name && left.summary == right.summary
            && left.discussion == right.discussion && left.arguments == right.arguments
            && left.rules == right.rules
            && left.bareArgument == right.bareArgument && left.results == right.results
            && left.needs == right.needs && left.exchanges == right.exchanges && left.waits == right.waits
            && left.within == right.within
    }

    /// Hashes the word.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
