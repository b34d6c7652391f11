// SPDX-License-Identifier: MIT

public import CardConnection

/// Judges a LED by looking at it several times.
///
/// A state counts when a number of bursts in a row show it. Each burst is several looks, since one look is one instant.
/// All waits are uneven: a LED that blinks with a half period of 2 ms to 38 ms cannot pass, at whatever moment the looks
/// begin and however long each takes, up to 2 ms. One that changes less often than a series of bursts lasts is
/// steady to it.
public struct LEDJudge {
    /// Bursts in a row that have to agree.
    public let steadyCount: Int
    /// Waits between bursts, used in turn.
    public let gaps: [Duration]
    /// Waits between the looks of a burst.
    public let spread: [Duration]

    let clock: any RigClock

    /// Makes a judge.
    ///
    /// - Parameters:
    ///   - clock: The clock to wait on.
    ///   - steadyCount: Bursts in a row that have to agree.
    ///   - gaps: Waits between bursts, used in turn; at least one, each longer than zero.
    ///   - spread: Waits between the looks of a burst, each longer than zero; empty for bursts of one look.
    public init(
        clock: any RigClock,
        steadyCount: Int = 3,
        gaps: [Duration] = LEDJudge.usualGaps,
        spread: [Duration] = LEDJudge.usualSpread
    ) {
        precondition(
            !gaps.isEmpty && (gaps + spread).allSatisfy { $0 > .zero },
            "gaps between looks are longer than zero"
        )
        self.clock = clock
        self.steadyCount = max(1, steadyCount)
        self.gaps = gaps
        self.spread = spread
    }

    /// Waits between bursts when nothing else is said.
    ///
    /// Found by search, with ``usualSpread``: of every half period that is promised to fail, the looks meet both halves
    /// with a sixth of it to spare.
    public static let usualGaps: [Duration] = [
        .microseconds(7100), .microseconds(10_000), .microseconds(13_300),
    ]

    /// Waits between the looks of a burst when nothing else is said.
    public static let usualSpread: [Duration] = [
        .microseconds(3500), .microseconds(4600), .microseconds(1500),
    ]

    /// The time that a LED has when nothing else is said.
    public static let defaultLimit = Duration.seconds(1)

    /// The shortest time in which a LED can be judged: that of a series of bursts, with a millisecond for each look.
    public static let shortestLimit = Duration.milliseconds(60)

    /// Judges whether a LED comes to a state in time.
    ///
    /// With `was`, the change is what is judged: that the LED was in the old state has to be seen, either in `before`
    /// or in a look of this check.
    /// - Parameters:
    ///   - was: The old state; nil when it does not matter.
    ///   - wanted: The state that the LED has to come to.
    ///   - limit: How long that may take; the first look of the agreeing bursts falls inside.
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
    ///   - limit: How long that may take; the first look of the agreeing bursts falls inside.
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
                sampleCount: 0,
                lastSeen: before.state,
                missedOld: true
            )
        }
        let start = clock.now
        var watch = SteadyWatch(wanted: wanted, lastOther: before.flatMap { $0.state == wanted ? nil : $0 })
        var series = LookSeries(spread: spread, gaps: gaps)
        // A state that was there in time is seen through: whether it is steady shows after the limit only.
        while clock.now - start <= limit || watch.hasAgreed(since: start, within: limit) {
            series.begin(at: clock.now)
            if watch.add(try look(), at: clock.now) {
                series.end(at: clock.now)
                if series.finishedBursts == steadyCount { return arrived(watch, was: was, start: start) }
            } else {
                series.restart()
            }
            clock.wait(series.nextWait)
        }
        if let doubt = watch.doubt { throw Self.cannotJudge(doubt) }
        if watch.isOnlyWanted { throw Self.cannotJudge(tooLate(watch, since: start, limit)) }
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
            sampleCount: watch.count,
            lastSeen: watch.last,
            changeCount: watch.changes
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
    ///   - begin: Since when, on the clock of the judge; nil for now.
    ///   - look: Looks at the LED.
    /// - Returns: The verdict, with the look that broke the hold.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func watchHold(
        is wanted: LEDState,
        for span: Duration,
        since begin: Duration? = nil,
        look: () throws(TransportFault) -> LEDLook
    ) throws(TransportFault) -> LEDVerdict {
        let start = begin ?? clock.now
        var series = LookSeries(spread: spread, gaps: gaps)
        var last: LEDSample?
        var count = 0
        while true {
            series.begin(at: clock.now)
            let seen = try look()
            series.end(at: clock.now)
            if let doubt = seen.doubt { throw Self.cannotJudge(doubt) }
            let look = LEDSample(seen.steady == wanted ? wanted : wanted.other, at: clock.now)
            count += 1
            guard look.state == wanted else {
                let when =
                    last == nil && begin == nil
                    ? "from the first look on" : "after \(Self.text(look.time - start))"
                return LEDVerdict(
                    holds: false,
                    text: "the LED was \(look.state.rawValue) \(when), expected \(wanted.rawValue) for "
                        + Self.text(span),
                    lastOld: last,
                    firstNew: look,
                    sampleCount: count,
                    lastSeen: look.state
                )
            }
            last = look
            let left = span - (clock.now - start)
            guard left > .zero else { break }
            clock.wait(min(series.nextWait, left))
        }
        return LEDVerdict(
            holds: true,
            text: "the LED stayed \(wanted.rawValue) for \(Self.text(span)) (\(count) looks)",
            lastOld: last,
            firstNew: nil,
            sampleCount: count,
            lastSeen: wanted
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
                sampleCount: watch.count,
                lastSeen: watch.last,
                missedOld: true
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
            sampleCount: watch.count,
            lastSeen: watch.last
        )
    }

    /// Why a LED that showed nothing but the wanted state was not judged: no look at it ended in time.
    private func tooLate(_ watch: SteadyWatch, since start: Duration, _ limit: Duration) -> String {
        "it was \(watch.wanted.rawValue) when it could be seen first, "
            + "\(Self.text((watch.firstAgreeing?.time ?? clock.now) - start)) after the start, and "
            + "\(Self.text(limit)) were given; give it longer"
    }

    /// Tells the state in which a LED rests, by one series of bursts.
    ///
    /// - Parameter look: Looks at the LED.
    /// - Returns: The state; nil when the LED changed meanwhile.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func restingState(look: () throws(TransportFault) -> LEDLook) throws(TransportFault) -> LEDState? {
        var series = LookSeries(spread: spread, gaps: gaps)
        var state: LEDState?
        while true {
            series.begin(at: clock.now)
            let seen = try look()
            series.end(at: clock.now)
            if let doubt = seen.doubt { throw Self.cannotJudge(doubt) }
            guard let steady = seen.steady, state == nil || state == steady else { return nil }
            state = steady
            guard series.finishedBursts < steadyCount else { return state }
            clock.wait(series.nextWait)
        }
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

extension LEDState {
    /// The other state.
    public var other: LEDState { self == .lit ? .dark : .lit }
}
