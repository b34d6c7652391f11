// SPDX-License-Identifier: MIT

/// Times on a page, the same in every locale.
enum HTMLNumber {
    /// Seconds.
    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// A duration in the unit that suits it: `2.9 ms`, `1.437 s`.
    static func text(_ duration: Duration) -> String {
        let value = seconds(duration)
        return value < 1 ? "\(JUnitTime.milliseconds(value * 1000)) ms" : "\(JUnitTime.seconds(duration)) s"
    }

    /// Microseconds as milliseconds with three decimals.
    static func milliseconds(_ microseconds: Double) -> String {
        guard microseconds.isFinite, microseconds > 0 else { return "0.000" }
        let value = Int64(min(microseconds.rounded(), 9e17))
        let digits = String(value % 1000)
        return "\(value / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Round numbers from zero to a length, at most six, for an axis.
    static func axis(_ length: Double) -> [Double] {
        guard length.isFinite, length > 0 else { return [0] }
        var step = 1e-9
        search: while step < 1e15 {
            for factor in [1.0, 2, 5] where length / (step * factor) <= 5 {
                step *= factor
                break search
            }
            step *= 10
        }
        var out: [Double] = []
        while Double(out.count) * step <= length * 1.0001, out.count < 7 {
            out.append(Double(out.count) * step)
        }
        return out
    }

    /// A number of an axis: `0`, `200 ms`, `1.5 s`.
    static func axisText(_ seconds: Double) -> String {
        guard seconds > 0 else { return "0" }
        if seconds >= 0.9995 { return "\(short(seconds)) s" }
        return seconds >= 0.000_999 ? "\(short(seconds * 1000)) ms" : "\(short(seconds * 1_000_000)) µs"
    }

    /// At most one decimal.
    private static func short(_ value: Double) -> String {
        let tenths = Int64(min((value * 10).rounded(), 9e17))
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
