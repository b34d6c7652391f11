// SPDX-License-Identifier: MIT

/// The whole outcome of a run; every report can be made from it again.
public struct RunRecord: Hashable, Sendable {
    /// Name of the run: the first suite, or the paths' common name.
    public var name: String
    /// Version of the rig.
    public var rigVersion: String
    /// UTC, ISO 8601 with `Z` and milliseconds.
    public var started: String
    /// Time from the start to the end.
    public var duration: Duration
    /// The seed of all random streams.
    public var seed: UInt64
    /// The host's name.
    public var hostName: String
    /// Labels given on the command line, in order.
    public var labels: [Label]
    /// The suites, in the order of the files.
    public var suites: [SuiteRecord]
    /// The signal that ended the run early, for example `SIGINT`; nil when none did.
    public var interruptedBy: String?
    /// Remarks on the run as a whole.
    public var notes: [String]
    /// Number of cases that were selected and never begun, because the run ended before; ``notRunNote`` tells it.
    public var notRun: Int
    /// True when secrets were not masked.
    public var showsSecrets: Bool
    /// Which part of a larger run this is; nil when it is whole.
    public var shard: RunShard?

    /// A label of the run.
    public struct Label: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: String

        /// Makes a label.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Makes the record of a run that has just begun.
    public init(name: String, rigVersion: String, started: String, seed: UInt64, hostName: String) {
        self.name = name
        self.rigVersion = rigVersion
        self.started = started
        self.seed = seed
        self.hostName = hostName
        duration = .zero
        labels = []
        suites = []
        notes = []
        notRun = 0
        showsSecrets = false
    }

    /// The remark on cases that were never begun; nil when there are none.
    public var notRunNote: String? {
        guard notRun > 0 else { return nil }
        let total = suites.reduce(notRun) { $0 + $1.cases.count }
        return
            "\(notRun) of \(total) \(total == 1 ? "case" : "cases") \(notRun == 1 ? "was" : "were") not run"
    }
}

/// The outcome of a suite.
public struct SuiteRecord: Hashable, Sendable {
    /// Dotted name.
    public var name: String
    /// One line for people.
    public var title: String
    /// The scenario file, relative to the project.
    public var file: String
    /// The project's folder, relative to the workspace of the server; empty where that is the project.
    public var folder: String
    /// The device's word.
    public var target: String
    /// The way to the card: `emulator`, `virtual`, `pcsc:...`.
    public var via: String
    /// Firmware version asked for or read; empty when unknown.
    public var firmware: String
    /// Reader name; empty before the first connection.
    public var reader: String
    /// ATR in hex; empty before the first connection.
    public var atr: String
    /// Protocol; empty before the first connection.
    public var protocolName: String
    /// UTC.
    public var started: String
    /// Time of all cases.
    public var duration: Duration
    /// Remarks on the suite: a reader that went out of use in it.
    public var notes: [String]
    /// The cases, in the order of the file.
    public var cases: [CaseRecord]

    /// Makes the record of a suite that has just begun.
    public init(name: String, title: String, file: String, target: String, via: String, started: String) {
        self.name = name
        self.title = title
        self.file = file
        self.target = target
        self.via = via
        self.started = started
        folder = ""
        firmware = ""
        reader = ""
        atr = ""
        protocolName = ""
        duration = .zero
        notes = []
        cases = []
    }
}

/// How a case or a step ended.
public enum Verdict: String, Hashable, Sendable {
    /// All held.
    case passed
    /// The product did not do what was expected.
    case failed
    /// The rig could not judge.
    case error
    /// It was not tried.
    case skipped
}

/// The outcome of a case, with every attempt.
public struct CaseRecord: Hashable, Sendable {
    /// Name, with the matrix values in brackets and made unique in its suite.
    public var name: String
    /// Scenario file and line of the case.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Words that it can be selected by.
    public var tags: [String]
    /// How it ended.
    public var verdict: Verdict
    /// What did not hold, or why it was skipped (`type` empty then); nil when it passed.
    public var problem: Problem?
    /// UTC; nil when it was skipped.
    public var started: String?
    /// Time of all attempts with set-up and teardown.
    public var duration: Duration
    /// Every attempt, in order; empty when it was skipped.
    public var attempts: [AttemptRecord]
    /// Lost commands that were sent again.
    public var resentCommands: Int
    /// How they were lost, one type word each; empty in records of older versions.
    public var resentTypes: [String]
    /// Warnings: a reset from outside, an unconfirmed SELECT.
    public var warnings: [String]
    /// Place among the cases of all shards, from 1; 0 in a run that is whole, where the order tells it.
    public var number: Int
    /// Number of the repetition, from 1; 0 when each case was run once.
    public var repetition: Int
    /// The reader that it ran on, in a run with several readers; empty otherwise.
    public var reader: String

    /// Makes the record of a case that has not begun.
    public init(name: String, file: String, line: Int, tags: [String]) {
        self.name = name
        self.file = file
        self.line = line
        self.tags = tags
        verdict = .skipped
        duration = .zero
        attempts = []
        resentCommands = 0
        resentTypes = []
        warnings = []
        number = 0
        repetition = 0
        reader = ""
    }

    /// True when it passed, but not at once.
    public var isFlaky: Bool { verdict == .passed && (attempts.count > 1 || resentCommands > 0) }
}

/// One attempt at a case.
public struct AttemptRecord: Hashable, Sendable {
    /// Number, from 1.
    public var number: Int
    /// UTC.
    public var started: String
    /// Time with set-up and teardown.
    public var duration: Duration
    /// How it ended.
    public var verdict: Verdict
    /// What did not hold; nil when all did.
    public var problem: Problem?
    /// What went wrong in the teardown, beside the attempt's own result.
    public var teardownProblem: Problem?
    /// Set-up, own steps and teardown, in order.
    public var steps: [StepRecord]
    /// Trace file, relative to the run folder, forward slashes.
    public var trace: String
    /// SHA-256 of the trace file, lower-case hex; empty when it could not be read.
    public var traceSHA256: String
    /// Number of exchanges in the trace.
    public var exchangeCount: Int
    /// Times of the exchanges in microseconds: median, 95th percentile (nearest rank), largest; nil without exchanges.
    public var timing: Timing?

    /// Times of exchanges, in microseconds.
    public struct Timing: Hashable, Sendable {
        /// Median.
        public let p50: Double
        /// 95th percentile by nearest rank.
        public let p95: Double
        /// The largest.
        public let max: Double

        /// Makes the figures.
        public init(p50: Double, p95: Double, max: Double) {
            self.p50 = p50
            self.p95 = p95
            self.max = max
        }
    }

    /// Makes the record of an attempt that has just begun.
    public init(number: Int, started: String, trace: String) {
        self.number = number
        self.started = started
        self.trace = trace
        duration = .zero
        verdict = .passed
        steps = []
        traceSHA256 = ""
        exchangeCount = 0
    }
}
