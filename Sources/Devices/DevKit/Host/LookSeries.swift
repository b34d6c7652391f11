// SPDX-License-Identifier: MIT

/// When a LED is looked at: bursts of looks at uneven gaps, and uneven gaps between the bursts.
///
/// One look is one instant. A LED that blinks could be met in the same half of its period by every single look, so each
/// burst is spread over several milliseconds.
struct LookSeries {
    /// Waits between the looks of a burst.
    let spread: [Duration]
    /// Waits between bursts, used in turn.
    let gaps: [Duration]

    /// Bursts that are over.
    private(set) var finishedBursts = 0
    private var looksInBurst = 0
    private var burstBegin = Duration.zero

    /// A burst ends early when it has lasted this long, for a LED that a slow program looks at.
    private static let longestBurst = Duration.milliseconds(40)

    /// Makes a series that begins with a burst.
    init(spread: [Duration], gaps: [Duration]) {
        self.spread = spread
        self.gaps = gaps
    }

    /// Notes that a look begins.
    mutating func begin(at time: Duration) {
        if looksInBurst == 0 { burstBegin = time }
    }

    /// Notes that a look has ended.
    mutating func end(at time: Duration) {
        looksInBurst += 1
        guard looksInBurst > spread.count || time - burstBegin > Self.longestBurst else { return }
        looksInBurst = 0
        finishedBursts += 1
    }

    /// Begins the bursts anew: what was seen so far does not count.
    mutating func restart() {
        looksInBurst = 0
        finishedBursts = 0
    }

    /// How long to wait for the next look.
    var nextWait: Duration {
        if looksInBurst > 0 { return spread[looksInBurst - 1] }
        // Before the first burst nothing is counted: the sooner a change is met the better.
        guard finishedBursts > 0 else { return spread.first ?? gaps[0] }
        return gaps[(finishedBursts - 1) % gaps.count]
    }
}
