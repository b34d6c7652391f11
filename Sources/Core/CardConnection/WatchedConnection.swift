// SPDX-License-Identifier: MIT

/// Lets a supervisor see how long each call into the connection below takes.
///
/// When the supervisor has given the worker up, no call reaches the connection below any more, not even a close:
/// a late answer could be taken for the answer to another command.
public final class WatchedConnection: Connection {
    private let inner: any Connection
    private let watch: DeadlineWatch
    private let graceNanoseconds: Int64
    private var knownFacts: ConnectionFacts
    private var deadline: Duration
    private var deadlineNanoseconds: Int64
    private var detail: String

    /// Puts a watch on a connection.
    ///
    /// - Parameters:
    ///   - inner: The connection below.
    ///   - watch: The watch of the worker that this connection belongs to.
    ///   - grace: How much later than the deadline the worker is given up, so that a connection with a deadline of
    ///     its own can still say itself that no answer came.
    public init(_ inner: any Connection, watch: DeadlineWatch, grace: Duration = .milliseconds(100)) {
        self.inner = inner
        self.watch = watch
        graceNanoseconds = grace.wholeNanoseconds
        knownFacts = inner.facts
        deadline = inner.exchangeDeadline
        deadlineNanoseconds = 0
        detail = ""
        prepare()
    }

    /// The facts of the connection below, as last known when the worker was given up.
    public var facts: ConnectionFacts { watch.isAbandoned ? knownFacts : inner.facts }

    /// How long one call may take.
    public var exchangeDeadline: Duration {
        get { deadline }
        set {
            guard newValue != deadline else { return }
            deadline = newValue
            prepare()
            if !watch.isAbandoned { inner.exchangeDeadline = newValue }
        }
    }

    /// Sends a command under the watch.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        try begin()
        let answer: [UInt8]
        do {
            answer = try inner.transmit(command)
        } catch {
            try end()
            throw error
        }
        try end()
        return answer
    }

    /// Resets the card under the watch.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        try watched { () throws(TransportFault) in try inner.reset(kind) }
    }

    /// Switches the field under the watch.
    ///
    /// That is no exchange: a relay, a robot or the card's way out of the reader may take longer than an answer may.
    public func setField(_ state: FieldState) throws(TransportFault) {
        let limit = max(deadline, Self.fieldLimit)
        guard
            watch.arm(
                nanoseconds: armed(limit.wholeNanoseconds),
                "the field was not switched \(state.rawValue) in \(limit.millisecondsText)"
            )
        else { throw givenUp }
        try ended { () throws(TransportFault) in try inner.setField(state) }
    }

    /// How long a field may take to be switched, where an exchange may not take longer: more than a program of a
    /// bench is given by itself.
    private static let fieldLimit = Duration.seconds(10)

    /// Connects anew under the watch.
    public func reconnect() throws(TransportFault) {
        try watched { () throws(TransportFault) in try inner.reconnect() }
    }

    /// Closes the connection below, under the watch.
    public func close() {
        guard watch.arm(nanoseconds: armedNanoseconds, detail) else { return }
        inner.close()
        watch.disarm()
    }

    private func watched(_ call: () throws(TransportFault) -> Void) throws(TransportFault) {
        try begin()
        try ended(call)
    }

    /// Makes a call that is watched already, and ends the watch behind it.
    private func ended(_ call: () throws(TransportFault) -> Void) throws(TransportFault) {
        do {
            try call()
        } catch {
            try end()
            throw error
        }
        try end()
        knownFacts = inner.facts
    }

    private func begin() throws(TransportFault) {
        guard watch.arm(nanoseconds: armedNanoseconds, detail) else { throw givenUp }
    }

    private func end() throws(TransportFault) {
        guard watch.disarm() else { throw givenUp }
    }

    private var givenUp: TransportFault { watch.abandonment ?? .noAnswer(in: deadline) }

    private var armedNanoseconds: Int64 { armed(deadlineNanoseconds) }

    private func armed(_ nanoseconds: Int64) -> Int64 {
        let (sum, overflowed) = nanoseconds.addingReportingOverflow(graceNanoseconds)
        return overflowed ? .max : sum
    }

    /// Prepares what arming needs, so that an exchange pays for none of it.
    private func prepare() {
        deadlineNanoseconds = deadline.wholeNanoseconds
        detail = "no answer in \(deadline.millisecondsText)"
    }
}
