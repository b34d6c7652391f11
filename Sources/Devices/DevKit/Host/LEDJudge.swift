// SPDX-License-Identifier: MIT

public import CardConnection

/// Judges a LED by looking at it several times.
///
/// A state counts when a number of looks in a row show it. The gaps between them are uneven, so that a LED that
/// blinks cannot pass by being looked at in its own rhythm.
public struct LEDJudge {
    /// Looks in a row that have to agree.
    public let steadyCount: Int
    /// Waits between looks, used in turn.
    public let gaps: [Duration]

    let clock: any RigClock

    /// Makes a judge.
    ///
    /// - Parameters:
    ///   - clock: The clock to wait on.
    ///   - steadyCount: Looks in a row that have to agree.
    ///   - gaps: Waits between looks, used in turn; at least one, each longer than zero.
    public init(
        clock: any RigClock,
        steadyCount: Int = 3,
        gaps: [Duration] = [.milliseconds(7), .milliseconds(13), .milliseconds(20)]
    ) {
        precondition(
            !gaps.isEmpty && gaps.allSatisfy { $0 > .zero },
            "gaps between looks are longer than zero"
        )
        self.clock = clock
        self.steadyCount = max(1, steadyCount)
        self.gaps = gaps
    }

    /// The time that a LED has when nothing else is said.
    public static let defaultLimit = Duration.seconds(1)

    /// Judges whether a LED comes to a state in time.
    ///
    /// With `was`, the change is what is judged: that the LED was in the old state has to be seen, either in `before`
    /// or in a look of this check.
    /// - Parameters:
    ///   - was: The old state; nil when it does not matter.
    ///   - wanted: The state that the LED has to come to.
    ///   - limit: How long that may take; the last of the agreeing looks falls inside.
    ///   - before: A look that was taken before the stimulus; nil when there was none.
    ///   - stimulus: What should have made the change, for the text, for example `the button was pressed`.
    ///   - sample: Looks at the LED.
    /// - Returns: The verdict, with the last look at the old state and the first at the new one.
    /// - Throws: What `sample` throws.
    public func judge(
        was: LEDState? = nil,
        is wanted: LEDState,
        within limit: Duration = LEDJudge.defaultLimit,
        before: LEDSample? = nil,
        after stimulus: String? = nil,
        sample: () throws(TransportFault) -> LEDState
    ) throws(TransportFault) -> LEDVerdict {
        try watch(was: was, is: wanted, within: limit, before: before, after: stimulus) {
            () throws(TransportFault) in LEDLook(try sample())
        }
    }

    /// Judges whether a LED comes to a state in time, by looks that hold several samples each.
    ///
    /// A look agrees when all its samples do. One that tells nothing, as while the firmware has not yet set its pins up,
    /// counts for neither state; when the time ends with such a look, nothing can be said of the LED.
    /// - Parameters:
    ///   - was: The old state; nil when it does not matter.
    ///   - wanted: The state that the LED has to come to.
    ///   - limit: How long that may take.
    ///   - before: A look that was taken before the stimulus; nil when there was none.
    ///   - stimulus: What should have made the change, for the text.
    ///   - look: Looks at the LED.
    /// - Returns: The verdict, with the last look at the old state and the first at the new one.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func watch(
        was: LEDState? = nil,
        is wanted: LEDState,
        within limit: Duration = LEDJudge.defaultLimit,
        before: LEDSample? = nil,
        after stimulus: String? = nil,
        look: () throws(TransportFault) -> LEDLook
    ) throws(TransportFault) -> LEDVerdict {
        if let was, let before, before.state != was {
            return LEDVerdict(
                holds: false,
                text: "the LED was \(before.state.rawValue) before, expected a change from \(was.rawValue)",
                lastOld: nil,
                firstNew: before,
                sampleCount: 0
            )
        }
        let start = clock.now
        var watch = SteadyWatch(wanted: wanted, lastOther: before.flatMap { $0.state == wanted ? nil : $0 })
        var turn = 0
        while clock.now - start <= limit {
            watch.add(try look(), at: clock.now)
            if watch.agreeing == steadyCount { return arrived(watch, was: was, start: start) }
            clock.wait(gaps[turn % gaps.count])
            turn += 1
        }
        if let doubt = watch.doubt { throw Self.cannotJudge(doubt) }
        let cause = stimulus.map { " after \($0)" } ?? ""
        let span = Self.text(limit)
        let text =
            watch.changes == 0 && watch.last != wanted
            ? "the LED stayed \((watch.last ?? wanted.other).rawValue) for \(span)\(cause), expected "
                + wanted.rawValue
            : "the LED was not steadily \(wanted.rawValue) within \(span)\(cause); it changed "
                + "\(watch.changes == 1 ? "once" : "\(watch.changes) times") in \(watch.count) looks"
        return LEDVerdict(
            holds: false,
            text: text,
            lastOld: watch.lastOther,
            firstNew: nil,
            sampleCount: watch.count
        )
    }

    /// Judges whether a LED keeps a state.
    ///
    /// - Parameters:
    ///   - wanted: The state that every look has to show.
    ///   - span: How long; the last look is taken at its end.
    ///   - sample: Looks at the LED.
    /// - Returns: The verdict, with the look that broke the hold.
    /// - Throws: What `sample` throws.
    public func judgeHold(
        is wanted: LEDState,
        for span: Duration,
        sample: () throws(TransportFault) -> LEDState
    ) throws(TransportFault) -> LEDVerdict {
        try watchHold(is: wanted, for: span) { () throws(TransportFault) in LEDLook(try sample()) }
    }

    /// Judges whether a LED keeps a state, by looks that hold several samples each.
    ///
    /// - Parameters:
    ///   - wanted: The state that every sample has to show.
    ///   - span: How long; the last look is taken at its end.
    ///   - look: Looks at the LED.
    /// - Returns: The verdict, with the look that broke the hold.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func watchHold(
        is wanted: LEDState,
        for span: Duration,
        look: () throws(TransportFault) -> LEDLook
    ) throws(TransportFault) -> LEDVerdict {
        let start = clock.now
        var last: LEDSample?
        var count = 0
        while true {
            let seen = try look()
            if let doubt = seen.doubt { throw Self.cannotJudge(doubt) }
            let look = LEDSample(seen.steady == wanted ? wanted : wanted.other, at: clock.now)
            count += 1
            guard look.state == wanted else {
                let when = last == nil ? "from the first look on" : "after \(Self.text(look.time - start))"
                return LEDVerdict(
                    holds: false,
                    text: "the LED was \(look.state.rawValue) \(when), expected \(wanted.rawValue) for "
                        + Self.text(span),
                    lastOld: last,
                    firstNew: look,
                    sampleCount: count
                )
            }
            last = look
            let left = span - (clock.now - start)
            guard left > .zero else { break }
            clock.wait(min(gaps[(count - 1) % gaps.count], left))
        }
        return LEDVerdict(
            holds: true,
            text: "the LED stayed \(wanted.rawValue) for \(Self.text(span)) (\(count) looks)",
            lastOld: last,
            firstNew: nil,
            sampleCount: count
        )
    }

    private func arrived(_ watch: SteadyWatch, was: LEDState?, start: Duration) -> LEDVerdict {
        let first = watch.firstAgreeing
        let wanted = watch.wanted
        if let was, was != wanted, watch.lastOther == nil {
            return LEDVerdict(
                holds: false,
                text:
                    "the LED was \(wanted.rawValue) from the first look on, so a change from \(was.rawValue) "
                    + "was not seen",
                lastOld: nil,
                firstNew: first,
                sampleCount: watch.count
            )
        }
        let firstTime = Self.text((first?.time ?? start) - start)
        let text: String
        if let old = watch.lastOther, old.time >= start {
            text = "the LED turned \(wanted.rawValue) between \(Self.text(old.time - start)) and \(firstTime)"
        } else if watch.lastOther != nil {
            text = "the LED turned \(wanted.rawValue) before the first look at \(firstTime)"
        } else {
            text = "the LED is \(wanted.rawValue) since the first look"
        }
        return LEDVerdict(
            holds: true,
            text: text,
            lastOld: watch.lastOther,
            firstNew: first,
            sampleCount: watch.count
        )
    }

    /// The fault of a LED of which nothing can be said.
    private static func cannotJudge(_ doubt: String) -> TransportFault {
        TransportFault(.probe, "cannot judge the LED: \(doubt)")
    }

    /// A duration for people: `340.0 ms` below a second, `1.5 s` from there on.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        func oneDecimal(_ value: Int64, of unit: Int64) -> String {
            let tenths = (value * 10 + unit / 2) / unit
            return "\(tenths / 10).\(tenths % 10)"
        }
        return microseconds < 1_000_000
            ? oneDecimal(microseconds, of: 1000) + " ms" : oneDecimal(microseconds, of: 1_000_000) + " s"
    }
}

/// Counts looks in a row that agree.
private struct SteadyWatch {
    let wanted: LEDState
    var lastOther: LEDSample?
    private(set) var firstAgreeing: LEDSample?
    private(set) var agreeing = 0
    private(set) var changes = 0
    private(set) var count = 0
    private(set) var last: LEDState?
    /// Why the last look told nothing; nil when it did.
    private(set) var doubt: String?

    init(wanted: LEDState, lastOther: LEDSample?) {
        self.wanted = wanted
        self.lastOther = lastOther
    }

    mutating func add(_ look: LEDLook, at time: Duration) {
        count += 1
        doubt = look.doubt
        if doubt == nil {
            for state in look.samples {
                if let last, last != state { changes += 1 }
                last = state
            }
        }
        guard look.steady == wanted else {
            agreeing = 0
            firstAgreeing = nil
            if doubt == nil { lastOther = LEDSample(wanted.other, at: time) }
            return
        }
        agreeing += 1
        if agreeing == 1 { firstAgreeing = LEDSample(wanted, at: time) }
    }
}

extension LEDState {
    /// The other state.
    public var other: LEDState { self == .lit ? .dark : .lit }
}
