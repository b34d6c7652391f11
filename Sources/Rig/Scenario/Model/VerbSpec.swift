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
    /// What it does, in one line.
    public let summary: String

    /// Makes an argument.
    public init(
        _ name: String,
        _ type: ArgumentType,
        isRequired: Bool = false,
        choice: ArgumentChoice? = nil,
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.choice = choice
        self.summary = summary
    }
}

/// A group of arguments of which one must be given.
public struct ArgumentChoice: Hashable, Sendable {
    /// A word that all arguments of the group share.
    public let name: String
    /// True when no second one may stand beside it.
    public let isExclusive: Bool

    /// One of the group and no more.
    public static func exactlyOne(_ name: String) -> ArgumentChoice {
        ArgumentChoice(name: name, isExclusive: true)
    }

    /// One of the group, or several.
    public static func atLeastOne(_ name: String) -> ArgumentChoice {
        ArgumentChoice(name: name, isExclusive: false)
    }
}

/// A field of a verb's result, known to `expect` and `capture`.
public struct ResultSpec: Hashable, Sendable {
    /// The key.
    public let name: String
    /// What it holds.
    public let type: ArgumentType
    /// What it tells, in one line.
    public let summary: String

    /// Makes a result field.
    public init(_ name: String, _ type: ArgumentType, _ summary: String) {
        self.name = name
        self.type = type
        self.summary = summary
    }
}

/// A word that a step may use: its arguments, its results, its text of help.
public struct VerbSpec: Hashable, Sendable {
    /// The word, with its namespace: `select`, `kit.led`.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// More about it; may be empty.
    public let discussion: String
    /// What it takes.
    public let arguments: [ArgumentSpec]
    /// The argument that a bare value is for; nil when there is none.
    public let bareArgument: String?
    /// What it gives besides `sw`, `data`, `tlv`, `ms`.
    public let results: [ResultSpec]
    /// Capabilities that a case needs when it uses the verb.
    public let needs: [String]
    /// Whether it sends commands, so that `sw`, `data` and `tlv` mean something.
    public let exchanges: Bool

    /// Makes a verb's description.
    public init(
        _ name: String,
        _ summary: String,
        discussion: String = "",
        arguments: [ArgumentSpec] = [],
        bare bareArgument: String? = nil,
        results: [ResultSpec] = [],
        needs: [String] = [],
        exchanges: Bool = true
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.bareArgument = bareArgument
        self.results = results
        self.needs = needs
        self.exchanges = exchanges
    }
}

/// The names that a device gives to bytes: files, applications, TLV tags.
public struct DeviceDictionary: Hashable, Sendable {
    /// The target's word, for example `nbt`.
    public let target: String
    /// Names of files, applications and other byte strings, with their bytes.
    public let bytes: [String: [UInt8]]
    /// Names of TLV tags, with the tag in hex.
    public let tags: [String: String]
    /// True when the device's objects are a flat list (tags of one byte, lengths of one, or two behind `FF`), not BER.
    public let isFlat: Bool
    /// Tags of a flat list, in hex, whose values are such lists again.
    public let nested: Set<String>

    /// Makes a dictionary.
    public init(
        target: String,
        bytes: [String: [UInt8]] = [:],
        tags: [String: String] = [:],
        isFlat: Bool = false,
        nested: Set<String> = []
    ) {
        self.isFlat = isFlat
        self.nested = nested
        self.target = target
        self.bytes = bytes
        self.tags = tags
    }
}

/// Everything that a scenario may name: verbs, capabilities, faults, devices and their options.
public struct Vocabulary: Sendable {
    /// The verbs, by their full name.
    public let verbs: [String: VerbSpec]
    /// The targets, with their dictionaries.
    public let dictionaries: [String: DeviceDictionary]
    /// The capabilities that `needs` may name; `firmware` comparisons come besides.
    public let capabilities: [String]
    /// The fault words that `expect` may name.
    public let faults: [String]
    /// The error types that `retry.on` may name, for example `LinkLost`.
    public let errorTypes: [String]
    /// The options of each target's emulator, with a check of a value that returns what is wrong with it.
    public let emulatorOptions: [String: [String: @Sendable (String) -> String?]]
    /// Of those, the options whose values are paths of files, relative to the scenario.
    public let fileOptions: [String: Set<String>]
    /// Kinds of faults that the emulators of each target know besides those of the language.
    public let deviceFaults: [String: [String]]

    /// Makes a vocabulary.
    public init(
        verbs: [VerbSpec],
        dictionaries: [DeviceDictionary],
        capabilities: [String],
        faults: [String],
        errorTypes: [String],
        emulatorOptions: [String: [String: @Sendable (String) -> String?]],
        fileOptions: [String: Set<String>] = [:],
        deviceFaults: [String: [String]] = [:]
    ) {
        self.verbs = Dictionary(verbs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.dictionaries = Dictionary(
            dictionaries.map { ($0.target, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.capabilities = capabilities
        self.faults = faults
        self.errorTypes = errorTypes
        self.emulatorOptions = emulatorOptions
        self.fileOptions = fileOptions
        self.deviceFaults = deviceFaults
    }
}
