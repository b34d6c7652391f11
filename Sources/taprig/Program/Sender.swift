// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import JSONText
import Runner
import Scenario
import SmartCard
import Synchronization
import Trace
import Verbs

/// Sends a script of commands and keeps what came back.
struct Sender: Sendable {
    let route: any Route
    let setup: DeviceSetup
    let script: CommandScript
    /// The device whose names the commands have; nil for a card that may be of any make.
    let namedAs: String?
    let repetitions: Int
    let isRaw: Bool
    /// Keep every result; a long loop keeps only its statistics and the last pass.
    let keepsAll: Bool
    /// How often each sample may still be asked for a PIN.
    let ledger: RetryLedger
    let showsSecrets: Bool
    let interruption: Interruption

    /// What came back.
    struct Outcome: Sendable {
        var results: [JSON] = []
        var wire: [JSON] = []
        var statistics = ExchangeStatistics()
        /// Number of commands of this pass that were answered, or lost.
        var done = 0
        /// The first fault.
        var trouble: TransportFault?

        func json(withStatistics: Bool) -> JSON {
            .object([
                "results": .array(results), "wire": .array(wire),
                "commands": withStatistics ? statistics.json["commands"] : nil,
            ])
        }
    }

    /// Results and exchanges that one document holds at most.
    private static let keepLimit = 100_000
    /// How long a command that is on its way may take after a signal.
    private static let patience = Duration.seconds(1)

    /// Sends everything; lines for people go into the buffer, unless the result is one document.
    func run(_ lines: LineBuffer) -> Outcome {
        let say: @Sendable (String) -> Void = { [keepsAll] in if !keepsAll { lines.say($0) } }
        defer { lines.flush() }
        let shared = SharedOutcome()
        guard !route.isVirtualTime else {
            send(watch: nil, shared: shared, lines, say)
            return shared.copy
        }
        var signalled: Duration?
        let ending = SupervisedWorker.perform({ watch in send(watch: watch, shared: shared, lines, say) }) {
            guard let signal = interruption.signal else { return .goOn }
            let since = signalled ?? MonotonicTime.now
            signalled = since
            guard interruption.isImpatient || MonotonicTime.now - since > Self.patience else { return .goOn }
            return .abandon(TransportFault(.timeout, "\(signal) came before the answer"))
        }
        switch ending {
        case .finished: return shared.copy
        case .abandoned(let fault):
            var outcome = shared.copy
            // What hung is the command after the last one that came back.
            let done = outcome.done
            guard done < script.lines.count else {
                outcome.trouble = outcome.trouble ?? fault
                return outcome
            }
            note(fault, line: script.lines[done], &outcome, say)
            giveUp(script.lines[(done + 1)...], after: fault, &outcome)
            return outcome
        }
    }

    /// What is hidden.
    ///
    /// A card on a real reader may be of any make, whatever it is called, so that what any of them keeps secret is hidden.
    private var mask: SecretMask {
        SecretMask(target: route.isEmulated ? setup.target : nil, showsSecrets: showsSecrets)
    }

    /// The name of a command by the device, else by the standard, else its header.
    private func name(of command: [UInt8]) -> String {
        let known = namedAs.flatMap { CommandNamer.of($0)(command) }
        return known ?? CommandNames.name(of: command) ?? command.prefix(4).hex
    }

    private func send(
        watch: DeadlineWatch?,
        shared: SharedOutcome,
        _ lines: LineBuffer,
        _ say: (String) -> Void
    ) {
        let card: OpenedCard
        do throws(TransportFault) {
            watch?.arm(setup.exchangeDeadline + .seconds(5), "the connection was not made")
            defer { watch?.disarm() }
            card = try route.open(setup)
        } catch {
            shared.update {
                $0.trouble = error
                giveUp(script.lines[...], after: error, &$0)
            }
            return
        }
        let base: any Connection =
            watch.map { WatchedConnection(card.connection, watch: $0) } ?? card.connection
        let wire = WireLog(base, mask: mask, shared: keepsAll ? shared : nil)
        let guarded = GuardedConnection(
            wire,
            ledger: ledger,
            sample: card.sample,
            floor: RunDefaults.retryCounterFloor
        )
        let top = FollowingConnection(ChainingConnection(guarded, cardAcceptsChaining: card.acceptsChaining))
        top.isFollowing = !isRaw
        defer { top.close() }
        let names = script.lines.map { name(of: $0.bytes) }
        var isDown = false
        for pass in 1...repetitions {
            let isQuiet = pass > 1 && !keepsAll
            shared.update { $0.done = 0 }
            for (index, line) in script.lines.enumerated() {
                if interruption.signal != nil { return }
                if isDown {
                    do throws(TransportFault) {
                        try top.reconnect()
                        isDown = false
                    } catch {
                        shared.update {
                            note(error, line: line, &$0, say)
                            giveUp(script.lines[(index + 1)...], after: error, &$0)
                        }
                        return
                    }
                }
                let start = card.clock.now
                do throws(TransportFault) {
                    if line.followsReset { try top.reset(.cold) }
                    let answer = try top.transmit(line.bytes)
                    let time = card.clock.now - start
                    shared.update {
                        $0.statistics.add(
                            name: names[index],
                            microseconds: time.microseconds
                        )
                        if !isQuiet { keep(answer, of: line, time: time, &$0, say) }
                        $0.done += 1
                    }
                } catch {
                    shared.update { note(error, line: line, &$0, say) }
                    isDown = error.kind != .limit && error.kind != .guarded
                }
            }
            // The passes to come are quiet and may take long.
            if pass == 1 { lines.flush() }
        }
    }

    private func keep(
        _ answer: [UInt8],
        of line: CommandScript.Line,
        time: Duration,
        _ outcome: inout Outcome,
        _ say: (String) -> Void
    ) {
        let masked = Masked(line.bytes, mask, response: answer)
        let sw = StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1])
        let data = String(masked.response.dropLast(4))
        // A card on a real reader may be of any make.
        let names = route.isEmulated ? Dictionaries.of(setup.target) : nil
        let meaning = names?.statusWords[sw] ?? sw.meaning
        say("\(masked.command)  <  \(data.isEmpty ? "" : "\(data) ")\(sw)  \(meaning)")
        guard keepsAll, outcome.results.count < Self.keepLimit else { return }
        outcome.results.append(
            .object([
                "c": .string(masked.command), "data": .string(data), "sw": .string("\(sw)"),
                "us": .number((time.microseconds * 10).rounded() / 10),
                "tries_left": sw.triesLeft.map { .integer($0) },
            ])
        )
    }

    private func note(
        _ trouble: TransportFault,
        line: CommandScript.Line,
        _ outcome: inout Outcome,
        _ say: (String) -> Void
    ) {
        let fault = Self.advised(trouble)
        outcome.trouble = outcome.trouble ?? fault
        let command = Masked(line.bytes, mask).command
        say("\(command)  fault: \(fault)")
        outcome.done += 1
        if outcome.results.count < Self.keepLimit {
            outcome.results.append(Self.fault(fault, command: command))
        }
    }

    /// A fault with a way out that there is without steps.
    private static func advised(_ fault: TransportFault) -> TransportFault {
        guard fault.kind == .guarded else { return fault }
        return TransportFault(
            .guarded,
            fault.detail,
            hint: "'taprig shell' lets one through after ':guard pass'"
        )
    }

    /// Books commands that were never sent, so that each one asked for has its result.
    private func giveUp(
        _ lines: ArraySlice<CommandScript.Line>,
        after fault: TransportFault,
        _ outcome: inout Outcome
    ) {
        guard keepsAll else { return }
        let reason = TransportFault(fault.kind, "not sent: \(fault.detail)", hint: fault.hint)
        for line in lines where outcome.results.count < Self.keepLimit {
            outcome.results.append(Self.fault(reason, command: Masked(line.bytes, mask).command))
        }
    }

    private static func fault(_ fault: TransportFault, command: String) -> JSON {
        .object([
            "c": .string(command), "fault": .string(fault.kind.rawValue), "detail": .string(fault.detail),
            "hint": fault.hint.isEmpty ? nil : .string(fault.hint),
        ])
    }
}

/// Hex text of an exchange with its secret bytes hidden.
private struct Masked {
    let command: String
    let response: String

    init(_ command: [UInt8], _ mask: SecretMask, response: [UInt8] = []) {
        self.command = TracedBytes(command, hidden: mask.hiddenInCommand(command)).text
        self.response = TracedBytes(response, hidden: mask.hiddenInResponse(response, to: command)).text
    }
}

/// What a worker has found so far, for the supervisor that may have to give it up.
private final class SharedOutcome: Sendable {
    private let outcome = Mutex(Sender.Outcome())

    /// Changes it in place: a copy for each command would cost more than the command.
    func update(_ change: (inout Sender.Outcome) -> Void) {
        outcome.withLock { change(&$0) }
    }

    var copy: Sender.Outcome { outcome.withLock { $0 } }
}

/// Keeps what went over the wire.
private final class WireLog: ConnectionWrapper {
    let inner: any Connection
    private let mask: SecretMask
    /// Where to keep it; nil keeps nothing.
    private let shared: SharedOutcome?

    private static let limit = 100_000

    init(_ inner: any Connection, mask: SecretMask, shared: SharedOutcome?) {
        self.inner = inner
        self.mask = mask
        self.shared = shared
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let shared else { return try inner.transmit(command) }
        do throws(TransportFault) {
            let answer = try inner.transmit(command)
            let masked = Masked(command, mask, response: answer)
            keep(["c": .string(masked.command), "r": .string(masked.response)], in: shared)
            return answer
        } catch {
            keep(
                ["c": .string(Masked(command, mask).command), "fault": .string(error.kind.rawValue)],
                in: shared
            )
            throw error
        }
    }

    private func keep(_ exchange: KeyValuePairs<String, JSON?>, in shared: SharedOutcome) {
        shared.update {
            if $0.wire.count < Self.limit { $0.wire.append(.object(exchange)) }
        }
    }
}

extension Duration {
    /// Microseconds.
    fileprivate var microseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    }
}
