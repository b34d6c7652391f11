// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Routes
import Runner
import SmartCard
import Trace

/// The exchanges of a shell, masked: in memory, and in a trace file when one is wanted.
final class ShellTrace {
    /// Exchanges that are kept; a long session forgets its first ones.
    private static let limit = 10_000

    private(set) var exchanges: [TraceExchange] = []
    private var count = 0
    private var writer: TraceWriter?
    /// Hides secrets.
    var mask: SecretMask

    /// The device's own names of commands.
    private let namer: @Sendable ([UInt8]) -> String?

    init(target: String, mask: SecretMask) {
        namer = CommandNamer.of(target)
        self.mask = mask
    }

    private func name(of command: [UInt8]) -> String? {
        namer(command) ?? CommandNames.name(of: command)
    }

    /// Begins a trace file.
    func begin(_ path: String, header: TraceHeader) throws(ShellLine.Mistake) {
        end()
        let made = TraceWriter(path: path, header: header)
        if let failure = made.failure { throw ShellLine.Mistake(message: "\(failure)") }
        writer = made
    }

    /// Ends the trace file, if there is one.
    ///
    /// - Returns: Its path.
    @discardableResult
    func end() -> String? {
        guard let writer else { return nil }
        writer.end(verdict: "ended")
        writer.finish()
        self.writer = nil
        return writer.path
    }

    /// Notes an exchange that was answered.
    func note(_ command: [UInt8], _ response: [UInt8], start: Duration, duration: Duration) {
        let hidden = mask.hiddenInCommand(command)
        let hiddenInResponse = mask.hiddenInResponse(response, to: command)
        keep(command, hidden, .response(TracedBytes(response, hidden: hiddenInResponse)), start, duration)
        writer?.exchange(
            command: command,
            response: response,
            start: start,
            duration: duration,
            name: name(of: command),
            hiddenInCommand: hidden,
            hiddenInResponse: hiddenInResponse
        )
    }

    /// Notes a command without a usable answer.
    func note(_ command: [UInt8], _ fault: TransportFault, start: Duration, duration: Duration) {
        let hidden = mask.hiddenInCommand(command)
        keep(command, hidden, .fault(fault.kind.rawValue, detail: fault.detail), start, duration)
        writer?.fault(
            command: command,
            fault: fault,
            start: start,
            duration: duration,
            name: name(of: command),
            hiddenInCommand: hidden
        )
    }

    /// Notes something between exchanges.
    func event(_ name: String, at time: Duration) {
        writer?.event(name, time: time)
    }

    /// The exchanges as `trace show` prints them.
    var text: String {
        var text = TraceText()
        return exchanges.map { text.text(of: TraceRecord.exchange($0)) }.joined()
    }

    private func keep(
        _ command: [UInt8],
        _ hidden: [Range<Int>],
        _ outcome: TraceExchange.Outcome,
        _ start: Duration,
        _ duration: Duration
    ) {
        count += 1
        var exchange = TraceExchange(
            number: count,
            command: TracedBytes(command, hidden: hidden),
            outcome: outcome
        )
        exchange.start = start / .microseconds(1)
        exchange.microseconds = duration / .microseconds(1)
        if exchanges.count == Self.limit { exchanges.removeFirst(Self.limit / 10) }
        exchanges.append(exchange)
    }
}

/// Notes every exchange on the wire.
final class ShellWire: ConnectionWrapper {
    let inner: any Connection
    private let trace: ShellTrace
    private let clock: any RigClock
    private let origin: Duration

    init(_ inner: any Connection, trace: ShellTrace, clock: any RigClock) {
        self.inner = inner
        self.trace = trace
        self.clock = clock
        origin = clock.now
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        let start = clock.now
        do throws(TransportFault) {
            let answer = try inner.transmit(command)
            trace.note(command, answer, start: start - origin, duration: clock.now - start)
            return answer
        } catch {
            trace.note(command, error, start: start - origin, duration: clock.now - start)
            throw error
        }
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {
        try inner.reset(kind)
        trace.event("reset", at: clock.now - origin)
    }

    func setField(_ state: FieldState) throws(TransportFault) {
        try inner.setField(state)
        trace.event("field-\(state.rawValue)", at: clock.now - origin)
    }

    func reconnect() throws(TransportFault) {
        try inner.reconnect()
        trace.event("reconnect", at: clock.now - origin)
    }
}
