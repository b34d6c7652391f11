// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Routes
import Runner
import Scenario
import SmartCard
import Trace
import Verbs

/// A shell's connection to a card, and what lines do with it.
///
/// Belongs to the worker thread that made it.
final class ShellSession {
    private let card: OpenedCard
    private let isEmulated: Bool
    private let target: String
    private let trace: ShellTrace
    private let top: FollowingConnection
    private let guarded: GuardedConnection
    private let session: CardSession
    private let say: (String) -> Void
    /// The fault that took the link down; the next command connects anew.
    private var isDown = false

    /// Connects to the card.
    init(
        route: any Route,
        setup: DeviceSetup,
        watch: DeadlineWatch,
        trace: ShellTrace,
        ledger: RetryLedger,
        shouldStop: @escaping () -> Bool,
        say: @escaping (String) -> Void
    ) throws(TransportFault) {
        watch.arm(setup.exchangeDeadline + .seconds(5), "the connection was not made")
        defer { watch.disarm() }
        let card = try route.open(setup)
        self.card = card
        isEmulated = route.isEmulated
        self.trace = trace
        self.say = say
        target = setup.target
        let wire = ShellWire(
            WatchedConnection(card.connection, watch: watch),
            trace: trace,
            clock: card.clock
        )
        guarded = GuardedConnection(
            wire,
            ledger: ledger,
            sample: card.sample,
            floor: RunDefaults.retryCounterFloor
        )
        top = FollowingConnection(ChainingConnection(guarded, cardAcceptsChaining: card.acceptsChaining))
        let (clock, top, guarded) = (card.clock, top, guarded)
        session = CardSession(
            connection: top,
            clock: clock,
            kit: card.kit,
            setFollowing: { top.isFollowing = $0 },
            setGuardPass: { guarded.letsNextThrough = $0 },
            wait: { duration in
                let end = clock.now + duration
                while clock.now < end {
                    clock.wait(clock.isVirtual ? end - clock.now : min(.milliseconds(50), end - clock.now))
                    if shouldStop() { throw TransportFault(.timeout, "the wait was given up") }
                }
            }
        )
        session.exchangeOverhead = card.exchangeOverhead
        session.codeGuard = guarded
        session.countsPasswords = !isEmulated
        session.isSampleNamed = card.isSampleNamed
        session.allowsDestruction = isEmulated
        session.destructionRule = (
            reason: "the shell was not told that it may",
            hint: "':destructive on' tells it, for a sample that the bench allows"
        )
    }

    /// Lets go of the card.
    func close() { top.close() }

    /// The commands that the last line sent, whole, as the shell asked for them.
    private(set) var sent: [[UInt8]] = []

    /// Does what a line asks for.
    ///
    /// - Throws: The fault that ended it, or what is wrong with the line.
    func run(_ line: ShellLine) throws {
        sent = []
        switch line {
        case .nothing: break
        case .command(let bytes): try send(bytes)
        case .step(let step): try run(step)
        case .control(let control, let arguments): try run(control, arguments.first)
        }
    }

    // MARK: Commands

    private func send(_ bytes: [UInt8]) throws(TransportFault) {
        try connectIfDown()
        sent = [bytes]
        do throws(TransportFault) {
            let start = card.clock.now
            let answer = try top.transmit(bytes)
            show(bytes, answer, time: card.clock.now - start)
        } catch {
            throw noted(error)
        }
    }

    /// A line for an exchange, and its data objects below.
    private func show(_ command: [UInt8], _ answer: [UInt8], time: Duration) {
        let shownCommand = TracedBytes(command, hidden: trace.mask.hiddenInCommand(command)).text
        let shown = TracedBytes(answer, hidden: trace.mask.hiddenInResponse(answer, to: command))
        let sw = StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1])
        let data = String(shown.text.dropLast(4))
        let meaning = Dictionaries.of(target)?.statusWords[sw] ?? sw.meaning
        say("\(shownCommand)  <  \(data.isEmpty ? "" : "\(data) ")\(sw)  \(meaning)  (\(Self.text(time)))")
        guard shown.hidden.isEmpty else { return }
        for line in TraceText.dataObjects(Array(answer.dropLast(2))) { say("    " + line) }
    }

    private static func text(_ time: Duration) -> String {
        let tenths = Int((time / .microseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    // MARK: Verbs

    private func run(_ step: Step) throws {
        guard case .verb(let spec, let templates) = step.action, let verb = VerbTable.shipped[spec.name]
        else {
            throw ShellLine.Mistake(message: "the line has no verb")
        }
        let scope = Scope(
            dictionary: Dictionaries.of(target),
            environment: HostEnvironment.all.filter { $0.key.hasPrefix("RIG_VAR_") }
        )
        var arguments: [String: Value] = [:]
        do throws(ScenarioMistake) {
            for (name, template) in templates { arguments[name] = try template.value(in: scope) }
        } catch {
            throw ShellLine.Mistake(message: error.message)
        }
        if !["connect", "field"].contains(spec.name) { try connectIfDown() }
        let call = VerbCall(step: step, arguments: arguments, target: target, session: session)
        defer { session.withdrawGuardPass() }
        do {
            try verb.run(call)
            show(call)
            if ["connect", "field"].contains(spec.name) { isDown = false }
        } catch let stop as VerbStop {
            show(call)
            try tell(stop)
        } catch let fault as TransportFault {
            show(call)
            throw noted(fault)
        }
    }

    /// What a verb sent, and what it found.
    private func show(_ call: VerbCall) {
        sent = call.observation.exchanges.map(\.command)
        for exchange in call.observation.exchanges {
            if let response = exchange.response {
                show(exchange.command, response.bytes, time: exchange.duration)
            }
        }
        for warning in call.warnings { say("warning: \(warning)") }
        for detail in call.details { say(detail) }
        for (name, value) in call.observation.fields.sorted(by: { $0.key < $1.key }) {
            say("\(name): \(trace.mask.mask(text: value.text))")
        }
    }

    private func tell(_ stop: VerbStop) throws {
        switch stop {
        case .earlierCommand(let what, let exchange):
            let sw = exchange.response?.sw ?? StatusWord(rawValue: 0)
            say("\(what), which comes first, was answered \(sw): nothing more was sent")
        case .ended: break
        case .fault(let fault): throw noted(fault)
        case .device(let name, let detail): say("\(name): \(detail)")
        case .mismatch(let mismatch):
            say(mismatch.message + (mismatch.hint.isEmpty ? "" : "; \(mismatch.hint)"))
        case .argument(let mistake): throw ShellLine.Mistake(message: mistake.message)
        }
    }

    // MARK: The shell's own words

    private func run(_ control: ShellControl, _ argument: String?) throws {
        switch control {
        case .help, .quit: break
        case .card: showCard()
        case .connect:
            try touching { () throws(TransportFault) in try top.reconnect() }
            session.fieldCameOn()
            isDown = false
            showCard()
        case .reset:
            let kind = argument.flatMap(ResetKind.init(rawValue:)) ?? .cold
            try connectIfDown()
            try touching { () throws(TransportFault) in try top.reset(kind) }
            say("reset (\(kind.rawValue)); ATR \(card.connection.facts.atr.hex)")
        case .field:
            let state = argument.flatMap(FieldState.init(rawValue:)) ?? .on
            try touching { () throws(TransportFault) in try top.setField(state) }
            if state == .on { session.fieldCameOn() } else { session.field = .off }
            isDown = false
            say("the field is \(state.rawValue)")
        case .raw:
            top.isFollowing = argument == "off"
            say(top.isFollowing ? "61xx and 6Cxx are followed" : "61xx and 6Cxx are left as they are")
        case .guard:
            guarded.letsNextThrough = true
            say("the next PIN attempt may be the last one")
        case .destructive: try allowDestruction(argument == "on")
        case .trace: try keepTrace(argument)
        }
    }

    /// On a reader the bench must allow the sample, as it must for a run.
    private func allowDestruction(_ isAllowed: Bool) throws(TransportFault) {
        if isAllowed, !isEmulated, let objection = card.destructiveObjection {
            throw TransportFault(
                .permission,
                "nothing destructive is done: \(objection)",
                hint: "put the sample under `allow` of the bench that --bench names"
            )
        }
        session.allowsDestruction = isAllowed
        say(isAllowed ? "verbs may do what cannot be undone" : "verbs do nothing that cannot be undone")
    }

    private func showCard() {
        let facts = top.facts
        say("reader     \(facts.readerName)")
        say("ATR        \(facts.atr.hex)")
        say("protocol   \(facts.protocolName)")
        say("largest    command \(facts.largestCommand), answer \(facts.largestResponse) bytes")
        say("can        \(facts.capabilities.map(\.rawValue).sorted().joined(separator: ", "))")
    }

    private func keepTrace(_ argument: String?) throws {
        guard let argument else {
            say(trace.exchanges.isEmpty ? "nothing was sent yet" : String(trace.text.dropLast()))
            return
        }
        guard argument != "off" else {
            say(trace.end().map { "the trace is in \($0)" } ?? "no trace file is being written")
            return
        }
        let facts = top.facts
        var header = TraceHeader()
        header.rig = Program.version
        header.target = target
        header.reader = facts.readerName
        header.atr = facts.atr.hex
        header.protocolName = facts.protocolName
        header.started = WallTime.now.iso
        header.showsSecrets = trace.mask.showsSecrets
        try trace.begin(argument, header: header)
        say("exchanges go to \(argument); ':trace off' ends it")
    }

    // MARK: Faults

    private func connectIfDown() throws(TransportFault) {
        guard isDown else { return }
        try top.reconnect()
        session.fieldCameOn()
        isDown = false
    }

    private func touching(_ work: () throws(TransportFault) -> Void) throws(TransportFault) {
        do throws(TransportFault) {
            try work()
        } catch {
            throw noted(error)
        }
    }

    /// Notes whether a fault took the link down, and gives it the shell's own way out.
    private func noted(_ fault: TransportFault) -> TransportFault {
        switch fault.kind {
        case .guarded: return TransportFault(.guarded, fault.detail, hint: "':guard pass' lets one through")
        case .limit, .control, .probe, .permission: break
        default: isDown = session.field == .on
        }
        return fault
    }
}
