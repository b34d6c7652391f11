// SPDX-License-Identifier: MIT

public import JSONText

/// One line of a trace file after the header.
public enum TraceRecord: Hashable, Sendable {
    /// A command and what came back.
    case exchange(TraceExchange)
    /// Something that happened between exchanges: a field change, a reset, a reconnect.
    case event(TraceEvent)
    /// A remark for people, with its time in microseconds where it has one.
    case note(String, microseconds: Double?)
    /// The end of a trace that was closed in order.
    case end(verdict: String, exchanges: Int)
}

/// A command and what came back.
public struct TraceExchange: Hashable, Sendable {
    /// How an exchange ends.
    public enum Outcome: Hashable, Sendable {
        /// Data and status word.
        case response(TracedBytes)
        /// A fault word of the design (`timeout`, `card-removed`, ...), and the sentence that came with it.
        case fault(String, detail: String)
    }

    /// Number in the trace, from 1.
    public var number: Int
    /// Start in microseconds from the start of the trace; nil in traces that have no such time.
    public var start: Double?
    /// The command.
    public var command: TracedBytes
    /// What came back.
    public var outcome: Outcome
    /// Time of the exchange in microseconds; nil when it is not known.
    public var microseconds: Double?
    /// The time that the emulator's model gives, where it is known beside the measured one.
    public var modelMicroseconds: Double?
    /// Label and title of the step, for example `setup.1 select`; empty outside of steps.
    public var step: String
    /// Name of the command, for example `SELECT application`; empty when it has none.
    public var name: String

    /// Makes an exchange.
    public init(number: Int, command: TracedBytes, outcome: Outcome) {
        self.number = number
        self.command = command
        self.outcome = outcome
        step = ""
        name = ""
    }

    /// The answer; nil when there was a fault.
    public var response: TracedBytes? {
        guard case .response(let bytes) = outcome else { return nil }
        return bytes
    }

    /// The status word; nil when there was a fault, the answer was too short or its last bytes are hidden.
    public var statusWord: UInt16? {
        guard let response, response.bytes.count >= 2, !response.isHidden(response.bytes.count - 1),
            !response.isHidden(response.bytes.count - 2)
        else { return nil }
        return response.bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// The same exchange with more bytes hidden.
    public func masked(by mask: SecretMask) -> TraceExchange {
        var out = self
        out.command = command.hiding(mask.hiddenInCommand(command.bytes))
        switch outcome {
        case .response(let response):
            let ranges = mask.hiddenInResponse(response.bytes, to: command.bytes)
            out.outcome = .response(response.hiding(ranges))
        case .fault(let word, let detail):
            out.outcome = .fault(word, detail: mask.mask(text: detail))
        }
        return out
    }
}

/// Something that happened between exchanges.
public struct TraceEvent: Hashable, Sendable {
    /// What happened: `field`, `reset`, `reconnect`, ...
    public var name: String
    /// More about it, in order.
    public var fields: [JSON.Member]
    /// When, in microseconds from the start of the trace; nil when it is not known.
    public var microseconds: Double?

    /// Makes an event.
    public init(_ name: String, fields: [JSON.Member] = [], microseconds: Double? = nil) {
        self.name = name
        self.fields = fields
        self.microseconds = microseconds
    }
}
