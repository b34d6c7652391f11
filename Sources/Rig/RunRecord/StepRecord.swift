// SPDX-License-Identifier: MIT

/// The outcome of a step.
public struct StepRecord: Hashable, Sendable {
    /// Place in the case: `setup.1`, `step.3`, `teardown.2`; inside a `use` `setup.1.2`.
    public var label: String
    /// Verb and main argument for people: `read FILE_2`; the step's own name where it has one.
    public var title: String
    /// The verb.
    public var verb: String
    /// Scenario file of the step.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// How it ended.
    public var verdict: Verdict
    /// Start, from the start of the attempt.
    public var start: Duration
    /// Time of the step with its polls.
    public var duration: Duration
    /// Number of tries: 1, or more with `poll` and `repeat`.
    public var tries: Int
    /// Number of expectations that were judged.
    public var assertions: Int
    /// Number of exchanges on the wire.
    public var exchangeCount: Int
    /// The first and the last exchanges, masked, data cut in the middle where it is long.
    public var exchanges: [ExchangeSummary]
    /// What it has to say: the reason of a skip, a verdict of the LED.
    public var detail: String

    /// Makes the record of a step that has just begun.
    public init(label: String, title: String, verb: String, file: String, line: Int) {
        self.label = label
        self.title = title
        self.verb = verb
        self.file = file
        self.line = line
        verdict = .passed
        start = .zero
        duration = .zero
        tries = 1
        assertions = 0
        exchangeCount = 0
        exchanges = []
        detail = ""
    }
}

/// One exchange as reports show it.
public struct ExchangeSummary: Hashable, Sendable {
    /// Command in hex, masked.
    public var command: String
    /// Answer in hex, masked, or the fault word.
    public var response: String
    /// Milliseconds.
    public var milliseconds: Double

    /// Makes a summary.
    public init(command: String, response: String, milliseconds: Double) {
        self.command = command
        self.response = response
        self.milliseconds = milliseconds
    }
}

/// What did not hold, told to people.
public struct Problem: Hashable, Sendable {
    /// The type word of reports: `UnexpectedStatus`, `LinkLost`, ...; empty for a skip.
    public var type: String
    /// True when the rig could not judge, false when the product was wrong.
    public var isRigError: Bool
    /// One sentence, with the step: `step 4 read FILE_2: expected SW 9000, got 6982`.
    public var message: String
    /// Scenario file.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Label of the step; empty when it was none.
    public var step: String
    /// Lines of explanation: expected, received with its meaning, decoded data.
    public var details: [String]
    /// What to look at or to do; may be empty.
    public var hint: String

    /// Makes a problem.
    public init(
        type: String,
        isRigError: Bool,
        message: String,
        file: String,
        line: Int,
        step: String = "",
        details: [String] = [],
        hint: String = ""
    ) {
        self.type = type
        self.isRigError = isRigError
        self.message = message
        self.file = file
        self.line = line
        self.step = step
        self.details = details
        self.hint = hint
    }
}
