// SPDX-License-Identifier: MIT

public import SmartCard

/// What a step saw: the input of expectations and captures.
public struct Observation: Sendable {
    /// One exchange with the card.
    public struct Exchange: Hashable, Sendable {
        /// The command's bytes.
        public var command: [UInt8]
        /// Answer; nil when there was none.
        public var response: ResponseAPDU?
        /// Time that the card took, without what the reader is known to add.
        public var duration: Duration
        /// True when another exchange went on from it: its 61xx or 6Cxx was followed, or the next link of a chain sent.
        public internal(set) var isContinued = false

        /// Makes an exchange.
        public init(command: [UInt8], response: ResponseAPDU?, duration: Duration) {
            self.command = command
            self.response = response
            self.duration = duration
        }
    }

    /// Result fields of the verb.
    public var fields: [String: Value] = [:]
    /// The exchanges on the wire, in order; what `exchanges`, `wire`, `every` and `time` speak of.
    public private(set) var exchanges: [Exchange] = []
    /// The commands with their answers put together, where one of them took another number of exchanges than one.
    private var joined: [Exchange] = []
    /// Time of this repetition of the step, its polls included.
    public var duration: Duration = .zero
    /// Time of the whole step, all repetitions and polls included; nil while another repetition is to come.
    public var total: Duration?
    /// The fault word when the step ended with a fault.
    public var fault: String?
    /// The name of a device library's typed error when the step ended with one.
    public var error: String?
    /// True when a device library judged every answer: only what the expectation names is looked at then.
    public var isJudgedByLibrary = false
    /// More about the error, for people.
    public var errorDetail = ""

    /// Makes an empty observation.
    public init() {}

    /// Forgets everything, and keeps the room for exchanges.
    public mutating func begin() {
        exchanges.removeAll(keepingCapacity: true)
        if !joined.isEmpty { joined.removeAll(keepingCapacity: true) }
        if !fields.isEmpty { fields = [:] }
        duration = .zero
        total = nil
        fault = nil
        error = nil
        isJudgedByLibrary = false
        if !errorDetail.isEmpty { errorDetail = "" }
    }

    /// The verb's commands, in order, chains and what was followed put together.
    public var commands: [Exchange] { joined.isEmpty ? exchanges : joined }

    /// The last of the commands; nil when there is none.
    public var lastCommand: Exchange? { joined.last ?? exchanges.last }

    /// What `sw`, `data`, `len`, `ascii` and `tlv` speak of: the last command's answer; nil when there is none.
    public var last: ResponseAPDU? { lastCommand?.response }

    /// Notes a command that was one exchange.
    public mutating func note(_ command: Exchange) {
        exchanges.append(command)
        if !joined.isEmpty { joined.append(command) }
    }

    /// Notes a command that was several exchanges, or none: it was refused before it got to the wire.
    public mutating func note(_ command: Exchange, on wire: [Exchange]) {
        if joined.isEmpty { joined.append(contentsOf: exchanges) }
        joined.append(command)
        for (index, exchange) in wire.enumerated() {
            exchanges.append(exchange)
            if index < wire.count - 1 { exchanges[exchanges.count - 1].isContinued = true }
        }
    }
}

/// Something that did not hold.
public struct Mismatch: Hashable, Sendable {
    /// The kind of problem; the raw value is the type word in reports.
    public enum Kind: String, Hashable, Sendable {
        case unexpectedStatus = "UnexpectedStatus"
        case unexpectedData = "UnexpectedData"
        case unexpectedError = "UnexpectedError"
        case timingExceeded = "TimingExceeded"
        case probeMismatch = "ProbeMismatch"
        case checkFailed = "CheckFailed"
    }

    /// The kind of problem.
    public var kind: Kind
    /// One clause: `expected SW 9000, got 6982`.
    public var message: String
    /// What was expected, with its key: `SW 9000`.
    public var expected: String
    /// What was received, with its meaning: `SW 6982 (security status not satisfied)`.
    public var received: String
    /// Decoded data, line by line; may be empty.
    public var decoded: [String]
    /// What to look at; may be empty.
    public var hint: String
    /// Where the expectation stands.
    public var position: SourcePosition

    /// Makes a mismatch.
    public init(
        _ kind: Kind,
        _ message: String,
        expected: String,
        received: String,
        decoded: [String] = [],
        hint: String = "",
        at position: SourcePosition
    ) {
        self.kind = kind
        self.message = message
        self.expected = expected
        self.received = received
        self.decoded = decoded
        self.hint = hint
        self.position = position
    }
}
