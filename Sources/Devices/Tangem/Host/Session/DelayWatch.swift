// SPDX-License-Identifier: MIT

import TangemConstants

/// What the card says with `9789`.
struct PauseNotice {
    /// Milliseconds that are left; nil when the card does not tell.
    let remainingMilliseconds: Int?
    /// The card stored its progress.
    let isInFlash: Bool

    init(_ data: [UInt8]) {
        // A notice that cannot be read says nothing; the delay itself still counts.
        let objects = (try? CardObjects(parsing: data)) ?? CardObjects()
        let remaining = (try? objects.number(.pause)) ?? nil
        remainingMilliseconds = remaining.flatMap { (0...360_000).contains($0) ? $0 * 10 : nil }
        isInFlash = objects.flag(.flash)
    }
}

/// Watches the delays of a command, so that none lasts forever.
struct DelayWatch {
    /// Length of the delay that runs as far as it is known.
    private(set) var totalMilliseconds: Int?

    private let isTotalExact: Bool
    private var start: Duration
    private var remaining: Int?
    private var polls = 0
    private var beginnings = 0

    /// More delays than a command can have; a card that tells of more is not believed.
    private static let mostDelays = 8

    init(start: Duration, isTotalExact: Bool) {
        self.start = start
        self.isTotalExact = isTotalExact
    }

    mutating func count(
        _ notice: PauseNotice,
        now: Duration,
        _ configuration: SessionConfiguration
    ) throws(TangemError) {
        polls += 1
        // Time that grows belongs to the next delay: that of a wrong code goes before the security delay.
        if let left = notice.remainingMilliseconds, left > remaining ?? -1, beginnings < Self.mostDelays {
            beginnings += 1
            start = now
            // Cards of old tell the time after their first second.
            totalMilliseconds = isTotalExact ? left : left + 1000
        }
        remaining = notice.remainingMilliseconds ?? remaining
        guard polls <= configuration.delayPolls else {
            throw TangemError(
                .nfcTimeout,
                "the security delay did not end after \(configuration.delayPolls) answers",
                sw: TangemStatus.needPause
            )
        }
        let limit =
            totalMilliseconds.map { .milliseconds($0) + configuration.delaySlack }
            ?? configuration.unknownDelayLimit
        guard now - start <= limit else {
            let said = totalMilliseconds.map { "it was to last \($0) ms" } ?? "the card did not say how long"
            throw TangemError(
                .nfcTimeout,
                "the security delay goes on after \((now - start).components.seconds) s; \(said)",
                sw: TangemStatus.needPause
            )
        }
    }
}
