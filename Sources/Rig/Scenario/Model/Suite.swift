// SPDX-License-Identifier: MIT

/// A scenario file, checked.
public struct Suite: Hashable, Sendable {
    /// Dotted name, for example `nbt.led`.
    public var name: String
    /// One line for people; empty when the file has none.
    public var title: String
    /// The device's word, for example `nbt`.
    public var target: String
    /// The file as it is shown to people.
    public var file: String
    /// The file as messages to the user name it.
    public var givenPath: String
    /// Where the suite's name stands.
    public var position: SourcePosition
    /// SHA-256 of the file's bytes, lower-case hex.
    public var sha256: String
    /// Words to select by.
    public var tags: [String]
    /// Capabilities that all cases need.
    public var needs: [Need]
    /// Limits that hold where a case or step has none.
    public var limits: Limits
    /// Options of the emulator, with paths of files resolved.
    public var options: [String: String]
    /// Where the values of the options stand, by name.
    public var optionPlaces: [String: SourcePosition]
    /// Variables, in the order of the file.
    public var variables: [Variable]
    /// Names whose values are secret, with their source.
    public var secrets: [Variable]
    /// Response following off for all steps.
    public var isRaw: Bool
    /// Steps before each case.
    public var setup: [Step]
    /// The cases.
    public var cases: [TestCase]
    /// Steps after each case.
    public var teardown: [Step]

    /// Makes a suite that has a name and nothing else.
    public init(name: String, target: String, file: String, position: SourcePosition, sha256: String) {
        self.name = name
        self.title = ""
        self.target = target
        self.file = file
        givenPath = file
        self.position = position
        self.sha256 = sha256
        tags = []
        needs = []
        limits = Limits()
        options = [:]
        optionPlaces = [:]
        variables = []
        secrets = []
        isRaw = false
        setup = []
        cases = []
        teardown = []
    }

    /// A mistake in this suite's file under the name that the user gave; another file keeps its name.
    public func asGiven(_ mistake: ScenarioMistake) -> ScenarioMistake {
        guard mistake.position.file == file, givenPath != file else { return mistake }
        return ScenarioMistake(mistake.position.named(givenPath), mistake.message, hint: mistake.hint)
    }
}

/// A case of a suite.
public struct TestCase: Hashable, Sendable {
    /// Its name, with `${...}` of the matrix where the file has them.
    public var name: String
    /// A stable id; nil when the file has none.
    public var id: String?
    /// Where it stands.
    public var position: SourcePosition
    /// Words to select by, besides the suite's.
    public var tags: [String] = []
    /// Capabilities that it needs, besides the suite's.
    public var needs: [Need] = []
    /// Where to read more: addresses and issue numbers.
    public var links: [String] = []
    /// A failure that is known; nil when none is.
    @Rare public var known: KnownFailure?
    /// Limits of its own.
    public var limits: Limits {
        get { givenLimits ?? Limits() }
        set { givenLimits = newValue }
    }
    /// The rows of its matrix, multiplied out; one empty row when it has none.
    ///
    /// Keys in the order of the file.
    public var rows: [MatrixRow] = [MatrixRow(values: [])]
    /// Trying the whole case again.
    @Rare public var retry: Retry?
    /// A fault to inject.
    @Rare public var fault: FaultPlan?
    /// Its steps.
    public var steps: [Step]
    @Rare private var givenLimits: Limits?

    /// Makes a case.
    public init(name: String, position: SourcePosition, steps: [Step]) {
        self.name = name
        self.position = position
        self.steps = steps
    }
}

/// One row of a matrix.
public struct MatrixRow: Hashable, Sendable {
    /// A key of the matrix and its value in this row.
    public struct Cell: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value's text, as it enters the case's name.
        public let text: String

        /// Makes a cell.
        public init(key: String, text: String) {
            self.key = key
            self.text = text
        }
    }

    /// Keys and values, in the order of the file.
    public let values: [Cell]

    /// Makes a row.
    public init(values: [Cell]) {
        self.values = values
    }

    /// What stands in brackets behind the case's name: `protocol=T1, curve=ed25519`; empty without a matrix.
    public var label: String {
        values.map { "\($0.key)=\($0.text)" }.joined(separator: ", ")
    }
}

/// Trying a whole case again.
public struct Retry: Hashable, Sendable {
    /// Types of problems (`LinkLost`, `UnexpectedStatus`) after which it is tried again.
    public var types: [String]
    /// How often, besides the first try.
    public var max: Int
    /// How long to wait before.
    public var delay: Duration

    /// Makes a rule.
    public init(types: [String], max: Int, delay: Duration) {
        self.types = types
        self.max = max
        self.delay = delay
    }
}

/// A variable of a suite and where its value comes from.
public struct Variable: Hashable, Sendable {
    /// Where a value comes from.
    public enum Source: Hashable, Sendable {
        /// A value of the file, perhaps with references to variables before it.
        case template(Template)
        /// `{random: length}`, with a count a list.
        case random(length: Int, count: Int?)
        /// `{sha256: "text"}`.
        case sha256(Template)
        /// `{file: path}`, resolved.
        case file(path: String)
        /// The environment variable `RIG_VAR_` and the name in capitals.
        case environment
    }

    /// The name.
    public let name: String
    /// Where the value comes from.
    public let source: Source
    /// Where it stands.
    public let position: SourcePosition

    /// Makes a variable.
    public init(name: String, source: Source, position: SourcePosition) {
        self.name = name
        self.source = source
        self.position = position
    }
}
