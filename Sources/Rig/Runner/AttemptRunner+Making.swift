// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import HostSystem
import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

/// What all connections of an attempt have in common.
struct SharedByConnections {
    let writer: TraceWriter
    let mask: SecretMask
    let patience: Patience
    /// nil where time is modelled.
    let watch: DeadlineWatch?
    /// nil where time is modelled.
    let calls: OutsideCalls?
    /// When the attempt began, on the card's clock.
    let begin: Duration
}

extension AttemptRunner {
    /// What the case wants of its device.
    var deviceSetup: DeviceSetup {
        let device = DeviceSelection(planned, options: options)
        return DeviceSetup(
            target: planned.suite.target,
            firmware: device.firmware,
            options: device.options,
            seed: CaseSeed.of(planned, seed: options.seed),
            exchangeDeadline: limits.apdu ?? RunDefaults.exchangeDeadline
        )
    }

    /// The times that hold for the case: its own, its suite's, its reader's.
    var limits: Limits { planned.limits(on: route) }

    /// The firmware of a card: a real one knows better than the command line, and an emulator is what it was made.
    func firmware(of card: OpenedCard) -> String? {
        route.isEmulated ? deviceSetup.firmware ?? card.firmware : card.firmware ?? deviceSetup.firmware
    }

    /// The case's own fault, with the strikes that the attempts before this one have left of it; nil without any.
    var caseFault: InjectedFault? {
        guard let plan = planned.testCase.fault, let fault = InjectedFault(plan) else { return nil }
        let left = fault.times - earlierStrikes
        guard left > 0 else { return nil }
        return InjectedFault(at: fault.trigger, when: fault.when, kind: fault.kind, times: left)
    }

    /// A connection with its wrappers, and what verbs know of it.
    func makeSession(_ card: OpenedCard, _ shared: SharedByConnections) -> (CardSession, ConnectionStack) {
        let stack = ConnectionStack(
            card,
            watch: shared.watch,
            writer: shared.writer,
            mask: shared.mask,
            ledger: ledger,
            target: planned.suite.target,
            progress: progress,
            origin: shared.begin
        )
        let session = CardSession(
            connection: stack.top,
            clock: card.clock,
            kit: watched(card.kit, calls: shared.calls),
            setFollowing: { stack.top.isFollowing = $0 },
            setGuardPass: { stack.guarding.letsNextThrough = $0 },
            wait: { try shared.patience.wait($0) }
        )
        session.exchangeOverhead = card.exchangeOverhead
        session.operatorPort = operatorPort(watch: shared.watch, calls: shared.calls)
        session.allowsDestruction = route.isEmulated || planned.isDestructive
        session.codeGuard = stack.guarding
        session.countsPasswords = !route.isEmulated
        session.isSampleNamed = card.isSampleNamed
        return (session, stack)
    }

    /// The card's kit, with its calls under the watch; nil when there is none.
    func watched(_ kit: (any Kit)?, calls: OutsideCalls?) -> (any Kit)? {
        guard let kit, let calls else { return kit }
        return WatchedKit(kit, calls: calls, limit: options.kitDeadline)
    }

    /// The operator of the case; nil when nobody can be asked.
    func operatorPort(watch: DeadlineWatch?, calls: OutsideCalls?) -> (any OperatorPort)? {
        options.operatorPort.map {
            OneAtATimeOperator($0, turns: options.operatorTurns, watch: watch, calls: calls)
        }
    }

    /// Where the variables get their values from.
    var resolver: VariableResolver { options.resolver }

    /// The head of the trace.
    func header(_ facts: ConnectionFacts, card: OpenedCard) -> TraceHeader {
        var header = TraceHeader(
            rig: options.rigVersion,
            suite: planned.suite.name,
            caseName: planned.name,
            target: planned.suite.target,
            via: route.spec,
            started: started
        )
        header.reader = facts.readerName
        header.atr = facts.atr.hex
        header.protocolName = facts.protocolName
        header.firmware = firmware(of: card)
        header.seed = options.seed
        header.scenarioSHA256 = planned.suite.sha256
        header.showsSecrets = options.showsSecrets
        if card.exchangeOverhead > .zero { header.overhead = card.exchangeOverhead }
        header.timingBand = card.timingBand
        return header
    }

    /// The mask with the secrets of the scope.
    func secretMask(_ scope: Scope) -> SecretMask {
        var mask = SecretMask(target: planned.suite.target, showsSecrets: options.showsSecrets)
        for secret in scope.secretValues {
            switch secret {
            case .bytes(let bytes): mask.addSecret(bytes)
            default: mask.addSecret(secret.text)
            }
        }
        return mask
    }
}

extension PlannedCase {
    /// The times that hold for the case: its own, its suite's, its reader's.
    func limits(on route: any Route) -> Limits {
        let (own, shared, last) = (testCase.limits, suite.limits, route.limits)
        return Limits(
            apdu: own.apdu ?? shared.apdu ?? last.apdu,
            testCase: own.testCase ?? shared.testCase ?? last.testCase,
            teardown: own.teardown ?? shared.teardown ?? last.teardown
        )
    }

    /// The record that trouble on the way to the card belongs to.
    func connectRecord(_ route: any Route) -> StepRecord {
        StepRecord(
            label: "connect",
            title: route.spec,
            verb: "connect",
            file: suite.file,
            line: testCase.position.line
        )
    }

    /// The record that trouble before the first step of the teardown belongs to.
    var teardownRecord: StepRecord {
        StepRecord(
            label: "teardown",
            title: "connect",
            verb: "connect",
            file: suite.file,
            line: suite.teardown.first?.position.line ?? suite.position.line
        )
    }
}

extension FaultPlan {
    /// The plans of steps, in order.
    static func all(in steps: [Step]) -> [FaultPlan] {
        steps.flatMap { step -> [FaultPlan] in
            var inner: [FaultPlan] = []
            if case .use(_, let steps, _) = step.action { inner = all(in: steps) }
            return [step.fault].compactMap { $0 } + inner + all(in: step.poll?.between ?? [])
        }
    }
}
