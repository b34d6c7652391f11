// SPDX-License-Identifier: MIT

public import CardConnection

/// What a LED has to do: come to a state, change to it, keep it, or blink.
public struct LEDExpectation: Hashable, Sendable {
    /// The state before; nil when it does not matter.
    public var was: LEDState?
    /// The state that the LED has to come to; nil when it has to blink.
    public var wanted: LEDState?
    /// How long it may take to come to the state; nil when nothing was said.
    public var within: Duration?
    /// How long it has to stay so, or is looked at while it blinks; nil when nothing was said.
    public var hold: Duration?
    /// The period with which it has to blink; nil when it does not have to.
    public var blink: Duration?

    /// The shortest period that can be seen.
    public static let shortestPeriod = Duration.milliseconds(2)

    /// Makes an expectation; ``objection(_:)`` tells whether its parts go together.
    public init(
        was: LEDState? = nil,
        is wanted: LEDState? = nil,
        within: Duration? = nil,
        for hold: Duration? = nil,
        blink: Duration? = nil
    ) {
        self.was = was
        self.wanted = wanted
        self.within = within
        self.hold = hold
        self.blink = blink
    }

    /// A part that does not fit the others, and why.
    public struct Objection: Hashable, Sendable {
        /// The part: `is`, `was`, `within`, `for` or `blink`.
        public let part: String
        /// Why it does not fit, in one sentence.
        public let text: String
    }

    /// Why nothing can be judged by these parts; nil when all is well.
    ///
    /// - Parameter spelled: How a part is written where it was given: `--is` for `is`.
    /// - Returns: The part to change, and why.
    public func objection(_ spelled: (String) -> String) -> Objection? {
        func no(_ part: String, _ text: String) -> Objection { Objection(part: part, text: text) }
        guard let blink else {
            guard wanted != nil else {
                return no(
                    "is",
                    "say what the LED has to do: \(spelled("is")) for a state, or \(spelled("blink")) for a period"
                )
            }
            if let was, was == wanted {
                return no(
                    "was",
                    "\(spelled("was")) and \(spelled("is")) name the same state; a change is between two"
                )
            }
            let shortest = [("within", within), ("for", hold)].first {
                $1.map { $0 < LEDJudge.shortestLimit } ?? false
            }
            guard let shortest else { return nil }
            return no(
                shortest.0,
                "a LED is looked at for \(LEDJudge.text(LEDJudge.shortestLimit)) to be judged; "
                    + "give it that time at least"
            )
        }
        if wanted != nil || was != nil {
            return no(
                "blink",
                "a LED blinks, or comes to a state; leave \(spelled("is")) and \(spelled("was")) out"
            )
        }
        if within != nil {
            return no(
                "blink",
                "a LED that blinks is looked at for some periods; say how long with \(spelled("for")), "
                    + "and leave \(spelled("within")) out"
            )
        }
        guard blink < Self.shortestPeriod else { return nil }
        return no("blink", "a period is \(LEDJudge.text(Self.shortestPeriod)) at least")
    }
}

extension LEDJudge {
    /// Judges whether a LED does what is expected; what comes to a state and has to stay so is judged for both.
    ///
    /// - Parameters:
    ///   - expectation: What it has to do, without an objection.
    ///   - before: A look that was taken before the stimulus; nil when there was none.
    ///   - stimulus: What should have made the change, for the text.
    ///   - look: Looks at the LED.
    /// - Returns: The verdict.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func watch(
        _ expectation: LEDExpectation,
        before: LEDSample? = nil,
        after stimulus: String? = nil,
        look: () throws(TransportFault) -> LEDLook
    ) throws(TransportFault) -> LEDVerdict {
        if let period = expectation.blink {
            return try watchBlinking(period: period, for: expectation.hold, look: look)
        }
        let wanted = expectation.wanted ?? .lit
        if let span = expectation.hold, expectation.was == nil, expectation.within == nil {
            return try watchHold(is: wanted, for: span, look: look)
        }
        let arrival = try watch(
            was: expectation.was,
            is: wanted,
            within: expectation.within ?? Self.defaultLimit,
            before: before,
            after: stimulus,
            look: look
        )
        guard let span = expectation.hold, arrival.holds else { return arrival }
        let stay = try watchHold(is: wanted, for: span, since: arrival.firstNew?.time, look: look)
        return LEDVerdict(
            holds: stay.holds,
            text: stay.holds ? "\(arrival.text); \(stay.text)" : "\(arrival.text), but then \(stay.text)",
            lastOld: stay.holds ? arrival.lastOld : stay.lastOld,
            firstNew: stay.holds ? arrival.firstNew : stay.firstNew,
            sampleCount: arrival.sampleCount + stay.sampleCount,
            lastSeen: stay.lastSeen
        )
    }
}
