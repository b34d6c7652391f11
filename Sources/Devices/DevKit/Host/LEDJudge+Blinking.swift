// SPDX-License-Identifier: MIT

public import CardConnection

extension LEDJudge {
    /// Judges whether a LED blinks with a period.
    ///
    /// The LED is looked at some thirty times a period, at uneven gaps; the period is the mean time between lightings.
    /// - Parameters:
    ///   - period: The time from one lighting to the next.
    ///   - tolerance: How far the measured period may lie off, in percent of the wanted one.
    ///   - span: How long to look; at least two lightings have to fall inside. Nil takes three and a half periods.
    ///   - look: Looks at the LED.
    /// - Returns: The verdict, with the measured period.
    /// - Throws: What `look` throws; a fault of kind `probe` when the LED cannot be judged.
    public func watchBlinking(
        period: Duration,
        tolerance: Int = 20,
        for span: Duration? = nil,
        look: () throws(TransportFault) -> LEDLook
    ) throws(TransportFault) -> LEDVerdict {
        let span = span ?? period * 7 / 2
        let start = clock.now
        var edges = LightingEdges()
        var turn = 0
        while clock.now - start <= span {
            let seen = try look()
            if let doubt = seen.doubt {
                throw TransportFault(.probe, "cannot judge the LED: \(doubt)")
            }
            edges.add(seen, at: clock.now)
            clock.wait(max(.microseconds(200), period * Self.shares[turn % Self.shares.count] / 400))
            turn += 1
        }
        let wanted = "expected to blink every \(Self.text(period))"
        guard let measured = edges.period else {
            let states = edges.last.map { "it is \($0.rawValue) now" } ?? "it was not seen"
            return verdict(
                false,
                "the LED lit \(edges.count == 1 ? "once" : "\(edges.count) times") in \(Self.text(span)), \(states); \(wanted)",
                edges
            )
        }
        let isNear = abs(measured - period) * 100 <= period * tolerance
        let text =
            "the LED blinks every \(Self.text(measured)) (\(edges.count) lightings, \(edges.looks) looks)"
        return verdict(isNear, isNear ? text : "\(text), \(wanted), \(tolerance) % off at most", edges)
    }

    /// Gaps between looks in parts of 400 of the period, used in turn.
    private static let shares = [7, 13, 20]

    private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

    private func verdict(_ holds: Bool, _ text: String, _ edges: LightingEdges) -> LEDVerdict {
        LEDVerdict(
            holds: holds,
            text: text,
            lastOld: nil,
            firstNew: edges.last.map { LEDSample($0, at: clock.now) },
            sampleCount: edges.looks,
            lastSeen: edges.last,
            period: edges.period
        )
    }
}

/// The moments at which a LED lit.
private struct LightingEdges {
    private(set) var looks = 0
    private(set) var count = 0
    private(set) var last: LEDState?
    private var lastTime = Duration.zero
    private var first: Duration?
    private var latest = Duration.zero

    mutating func add(_ look: LEDLook, at time: Duration) {
        looks += 1
        for state in look.samples {
            if state == .lit, last == .dark {
                // It lit somewhere between the two looks.
                let edge = (lastTime + time) / 2
                if first == nil { first = edge }
                latest = edge
                count += 1
            }
            last = state
        }
        lastTime = time
    }

    /// The mean time between lightings; nil with fewer than two of them.
    var period: Duration? {
        guard let first, count >= 2 else { return nil }
        return (latest - first) / (count - 1)
    }
}
