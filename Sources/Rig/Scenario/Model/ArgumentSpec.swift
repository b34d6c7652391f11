// SPDX-License-Identifier: MIT

/// What kind of value an argument takes.
public indirect enum ArgumentType: Hashable, Sendable {
    /// Hex text, or a name of the device's dictionary that stands for bytes.
    case bytes
    /// A file: two bytes, or a name of the device's dictionary.
    case file
    /// What SELECT takes: a file, or an AID of 5 to 16 bytes.
    case selector
    /// A whole number, decimal or `0x`.
    case number(ClosedRange<Int>)
    /// A time with its unit: `200ms`, `1s`.
    case duration
    /// One of these words.
    case word([String])
    /// `yes`, `no`, `true` or `false`.
    case boolean
    /// Any text.
    case text
    /// Several values of one type; one alone will do.
    case list(ArgumentType)
    /// A mapping with these keys.
    case map([ArgumentSpec])
    /// Any value, kept as it is written; the verb reads it.
    case any
    /// A value of a type that must pass a check too.
    case checked(ArgumentType, ArgumentCheck)
}

/// An argument of a verb.
public struct ArgumentSpec: Hashable, Sendable {
    /// The key.
    public let name: String
    /// What it takes.
    public let type: ArgumentType
    /// False when it may be left out.
    public let isRequired: Bool
    /// The group of arguments that it belongs to; nil when it stands alone.
    public let choice: ArgumentChoice?
    /// Arguments of which one must stand beside it; empty when it needs none.
    public let beside: [String]
    /// Arguments that must not stand beside it.
    public let excludes: [String]
    /// What it does, in one line.
    public let summary: String

    /// Makes an argument.
    public init(
        _ name: String,
        _ type: ArgumentType,
        isRequired: Bool = false,
        choice: ArgumentChoice? = nil,
        beside: [String] = [],
        excludes: [String] = [],
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.choice = choice
        self.beside = beside
        self.excludes = excludes
        self.summary = summary
    }

    /// The same argument where it goes with others.
    public func beside(_ names: String...) -> ArgumentSpec {
        ArgumentSpec(
            name,
            type,
            isRequired: isRequired,
            choice: choice,
            beside: names,
            excludes: excludes,
            summary
        )
    }
}

/// A group of arguments that stand for each other.
public struct ArgumentChoice: Hashable, Sendable {
    /// A word that all arguments of the group share.
    public let name: String
    /// True when one of them must be given.
    public let isNeeded: Bool
    /// True when no second one may stand beside it.
    public let isExclusive: Bool

    /// One of the group and no more.
    public static func exactlyOne(_ name: String) -> ArgumentChoice {
        ArgumentChoice(name: name, isNeeded: true, isExclusive: true)
    }

    /// One of the group, or several.
    public static func atLeastOne(_ name: String) -> ArgumentChoice {
        ArgumentChoice(name: name, isNeeded: true, isExclusive: false)
    }

    /// One of the group, or none.
    public static func atMostOne(_ name: String) -> ArgumentChoice {
        ArgumentChoice(name: name, isNeeded: false, isExclusive: true)
    }
}

/// A field of a verb's result, known to `expect` and `capture`.
public struct ResultSpec: Hashable, Sendable {
    /// When a field has no value, told by the step alone.
    public enum Gap: Hashable, Sendable {
        /// Where an argument is left out.
        case without(String)
        /// Where an argument is given and none of these others is.
        case beside(String, unless: [String] = [])
    }

    /// The key.
    public let name: String
    /// What it holds.
    public let type: ArgumentType
    /// The keys of what it holds, or of each element; empty when they are not told.
    public let parts: [String]
    /// When it has no value.
    public let gaps: [Gap]
    /// What it tells, in one line.
    public let summary: String

    /// Makes a result field.
    public init(
        _ name: String,
        _ type: ArgumentType,
        parts: [String] = [],
        gaps: [Gap] = [],
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.parts = parts
        self.gaps = gaps
        self.summary = summary
    }

    /// Why a step gives no value, such as `without 'blink'`; nil when it may give one.
    func gap(given names: Set<String>) -> String? {
        for gap in gaps {
            switch gap {
            case .without(let name):
                if !names.contains(name) { return "without '\(name)'" }
            case .beside(let name, let others):
                guard names.contains(name), names.isDisjoint(with: others) else { continue }
                let list = others.map { "'\($0)'" }.joined(separator: " or ")
                return "beside '\(name)'" + (others.isEmpty ? "" : " without \(list)")
            }
        }
        return nil
    }
}
