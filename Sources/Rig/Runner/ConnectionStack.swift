// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import Trace

/// A connection with all its wrappers, from the card outwards: deadline, injected faults, trace, guard, chaining,
/// response following.
final class ConnectionStack {
    /// What verbs talk to.
    let top: FollowingConnection
    let interposer: FaultInterposer
    let tracing: TracingConnection
    /// What passes on the wire.
    let wire = WireLog()
    let guarding: GuardedConnection
    let writer: TraceWriter

    init(
        _ card: OpenedCard,
        watch: DeadlineWatch?,
        writer: TraceWriter,
        mask: SecretMask,
        ledger: RetryLedger,
        target: String,
        progress: AttemptProgress,
        origin: Duration
    ) {
        self.writer = writer
        let watched: any Connection =
            watch.map { ParkingConnection(base: card.connection, watch: $0) } ?? card.connection
        interposer = FaultInterposer(watched, clock: card.clock)
        interposer.onCut = card.onCut
        tracing = TracingConnection(
            interposer,
            writer: writer,
            clock: card.clock,
            origin: origin,
            masks: mask,
            namer: CommandNamer.of(target)
        )
        tracing.log = wire
        guarding = GuardedConnection(
            AnnouncingConnection(tracing, progress: watch == nil ? nil : progress),
            ledger: ledger,
            sample: card.sample,
            floor: RunDefaults.retryCounterFloor
        )
        let chaining = ChainingConnection(guarding, cardAcceptsChaining: card.acceptsChaining)
        top = FollowingConnection(chaining)
        top.onCommand = { [tracing] in tracing.beginCommand() }
    }

    func close() {
        top.close()
    }
}
