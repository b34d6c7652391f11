// SPDX-License-Identifier: MIT

/// One look at a LED.
public struct LEDSample: Hashable, Sendable {
    /// What was seen.
    public let state: LEDState
    /// When, on the clock of the run.
    public let time: Duration

    /// Makes a sample.
    public init(_ state: LEDState, at time: Duration) {
        self.state = state
        self.time = time
    }
}

/// What a check of a LED came to.
public struct LEDVerdict: Hashable, Sendable {
    /// Whether the LED did what was expected.
    public let holds: Bool
    /// The verdict in one sentence; on a failure it names what did not happen.
    public let text: String
    /// The last look that showed the old state; nil when none did.
    public let lastOld: LEDSample?
    /// The first look of the steady new state, or the look that broke a hold; nil when there was none.
    public let firstNew: LEDSample?
    /// How often the LED was looked at.
    public let sampleCount: Int
    /// What the last look showed, the last of its samples where they differ; nil when nothing was seen.
    public var lastSeen: LEDState?
    /// The time from one lighting to the next, of a LED that blinks; nil when that was not asked.
    public var period: Duration?
    /// How often the state changed while it was looked at.
    public var changeCount = 0

    /// Whether what failed is the old state: the LED was never seen in it.
    public var missedOld = false

    /// Whether the LED came to no state, but went to and fro.
    public var isUnsteady: Bool { !holds && changeCount > 1 }

    /// What was seen, in a few words.
    public var received: String {
        if let period { return "a LED that blinks every \(LEDJudge.text(period))" }
        if isUnsteady { return "a LED that changes (\(changeCount) times in \(sampleCount) looks)" }
        return lastSeen.map { "LED \($0.rawValue)" } ?? "no LED seen"
    }
}
