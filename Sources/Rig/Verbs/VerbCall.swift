// SPDX-License-Identifier: MIT

public import CardConnection
public import Scenario
public import SmartCard
public import Trace

/// One call of a verb: its arguments, and the way to the card.
public final class VerbCall {
    /// The step that is run.
    public let step: Step
    /// The suite's target, for example `nbt`.
    public let target: String
    /// What the case has in its hands.
    public let session: CardSession
    /// What the step saw so far.
    public var observation = Observation()
    /// Remarks that are no failure: an unconfirmed SELECT.
    public var warnings: [String] = []
    /// Sentences for the report: the verdict of a LED.
    public var details: [String] = []
    /// Number of things that the verb itself judged.
    public var assertions = 0
    /// Whether the verb's library looks for a lost card itself, and must learn of the loss of what it asks the reader.
    var libraryFindsCards = false

    private var arguments: [String: Value]
    private let wire: WireLog?
    private let recovery: (TransportFault, [UInt8], Int) throws -> Bool

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - arguments: Its arguments with all variables filled in.
    ///   - target: The suite's target.
    ///   - session: What the case has in its hands.
    ///   - wire: What passes on the wire below the session's connection; nil takes each command for one exchange.
    ///   - recovery: Called when a command was lost, with the number of times that it was sent again before; true when
    ///     it may be sent again.
    public init(
        step: Step,
        arguments: [String: Value],
        target: String,
        session: CardSession,
        wire: WireLog? = nil,
        recovery: @escaping (TransportFault, [UInt8], Int) throws -> Bool = { _, _, _ in false }
    ) {
        self.step = step
        self.arguments = arguments
        self.target = target
        self.session = session
        self.wire = wire
        self.recovery = recovery
    }

    /// Begins the call anew for another repetition of its step, with other arguments where they are given.
    public func restart(with newArguments: [String: Value]? = nil) {
        if let newArguments { arguments = newArguments }
        observation.begin()
        if !warnings.isEmpty { warnings = [] }
        if !details.isEmpty { details = [] }
        assertions = 0
    }

    // MARK: Arguments

    /// An argument's value; nil when it was left out.
    public func argument(_ name: String) -> Value? { arguments[name] }

    /// Bytes; nil when left out.
    public func bytes(_ name: String) throws(VerbStop) -> [UInt8]? {
        switch arguments[name] {
        case nil: return nil
        case .bytes(let bytes): return bytes
        case .statusWord(let sw): return [sw.sw1, sw.sw2]
        case .text(let text):
            do { return try HexText.bytes(text) } catch {
                throw wrong(name, "'\(text)' is no hex text: \(error)")
            }
        case let other?: throw wrong(name, "bytes are needed, this is \(describe(other))")
        }
    }

    /// A number; nil when left out.
    public func number(_ name: String) throws(VerbStop) -> Int? {
        switch arguments[name] {
        case nil: return nil
        case .number(let value): return value
        case .bytes(let bytes) where bytes.count < 8: return bytes.reduce(0) { $0 << 8 | Int($1) }
        case let other?: throw wrong(name, "a number is needed, this is \(describe(other))")
        }
    }

    /// A text or word; nil when left out.
    public func text(_ name: String) -> String? {
        guard case .text(let text) = arguments[name] else { return nil }
        return text
    }

    /// A time; nil when left out.
    public func duration(_ name: String) -> Duration? {
        guard case .duration(let duration) = arguments[name] else { return nil }
        return duration
    }

    /// A truth value; nil when left out.
    public func boolean(_ name: String) -> Bool? {
        guard case .boolean(let value) = arguments[name] else { return nil }
        return value
    }

    /// A complaint about an argument.
    public func wrong(_ name: String, _ message: String) -> VerbStop {
        .argument(ScenarioMistake(step.position, "\(name): \(message)"))
    }

    private func describe(_ value: Value) -> String {
        switch value {
        case .bytes: "hex text"
        case .number: "a number"
        case .text(let text): "the text '\(text)'"
        case .boolean: "yes or no"
        case .duration: "a time"
        case .statusWord: "a status word"
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    // MARK: Exchanges

    /// Sends the verb's last command; its status word is judged by the step's expectation.
    @discardableResult
    public func send(_ command: CommandAPDU) throws(VerbStop) -> ResponseAPDU {
        try send(bytes: command.bytes)
    }

    /// Sends a command before the last one; anything but 9000 ends the verb.
    @discardableResult
    public func sendFirst(_ command: CommandAPDU, _ what: String) throws(VerbStop) -> ResponseAPDU {
        let response = try send(bytes: command.bytes)
        if response.sw != .success, let exchange = observation.lastCommand {
            throw .earlierCommand(what: what, exchange)
        }
        return response
    }

    /// Sends bytes as they are.
    @discardableResult
    public func send(bytes: [UInt8]) throws(VerbStop) -> ResponseAPDU {
        let isWatched = target == "nbt"
        if isWatched { try refuseDanger(of: bytes, selected: session.nbtWatch.file) }
        var resends = 0
        while true {
            wire?.removeAll()
            let start = session.clock.now
            let answer: [UInt8]
            do throws(TransportFault) {
                if isWatched { try session.admitPasswords(of: bytes) }
                answer = try session.connection.transmit(bytes)
            } catch {
                if isWatched { session.notePasswordLoss(bytes, error) }
                // What brings the card back for another try sends commands of its own.
                let lost = seen(bytes, nil, since: start)
                if try mayResend(bytes, lostTo: error, resends) {
                    resends += 1
                    continue
                }
                note(lost)
                throw .fault(error)
            }
            guard let response = try? ResponseAPDU(bytes: answer) else {
                // `transmit` promises two bytes; this is the border where the promise is checked.
                throw .fault(
                    TransportFault(.transport, "response too short (\(answer.count) bytes)")
                )
            }
            note(seen(bytes, response, since: start))
            if isWatched { session.noteNBT(bytes, response) }
            return response
        }
    }

    /// A command and what it was on the wire.
    private enum Seen {
        case exchange(Observation.Exchange)
        case exchanges(Observation.Exchange, [Observation.Exchange])
    }

    private func seen(_ command: [UInt8], _ response: ResponseAPDU?, since start: Duration) -> Seen {
        guard let parts = wire?.exchanges else {
            return .exchange(exchange(command, response, session.clock.now - start))
        }
        if parts.count == 1 { return .exchange(exchange(parts[0].command, response, parts[0].duration)) }
        return .exchanges(
            exchange(command, response, session.clock.now - start),
            parts.map { part in
                exchange(part.command, part.response.flatMap { try? ResponseAPDU(bytes: $0) }, part.duration)
            }
        )
    }

    private func exchange(
        _ command: [UInt8],
        _ response: ResponseAPDU?,
        _ duration: Duration
    ) -> Observation.Exchange {
        Observation.Exchange(
            command: command,
            response: response,
            duration: max(.zero, duration - session.exchangeOverhead)
        )
    }

    private func note(_ seen: Seen) {
        let command: Observation.Exchange
        switch seen {
        case .exchange(let exchange):
            command = exchange
            observation.note(exchange)
        case .exchanges(let whole, let parts):
            command = whole
            observation.note(whole, on: parts)
        }
        if command.command.count > 1, command.command[1] == Self.updateBinary, command.response != nil {
            session.lastWrite = session.clock.now
        }
    }

    /// Source: ISO/IEC 7816-4:2013 §11.2.5.
    private static let updateBinary: UInt8 = 0xD6
    /// The class of commands that a reader answers itself.
    ///
    /// Source: PC/SC part 3 §3.2.2.
    private static let readerClass: UInt8 = 0xFF

    private func mayResend(
        _ bytes: [UInt8],
        lostTo fault: TransportFault,
        _ resends: Int
    ) throws(VerbStop) -> Bool {
        if libraryFindsCards, bytes.first == Self.readerClass { return false }
        do {
            return try recovery(fault, bytes, resends)
        } catch let second as TransportFault {
            throw .fault(second)
        } catch {
            throw .fault(fault)
        }
    }

    /// Runs something that may meet trouble on the way to the card, and turns it into the verb's end.
    public func touching<Result>(_ work: () throws(TransportFault) -> Result) throws(VerbStop) -> Result {
        do throws(TransportFault) {
            return try work()
        } catch {
            throw .fault(error)
        }
    }
}
