// SPDX-License-Identifier: MIT

extension Duration {
    /// Whole nanoseconds, held inside the range of 64 bits.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflowed else { return seconds < 0 ? .min : .max }
        let (sum, overflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : sum
    }

    /// Milliseconds with their unit: `5000 ms`, and below a millisecond `0.5 ms`.
    var millisecondsText: String {
        let micros = wholeNanoseconds / 1000
        guard micros % 1000 != 0 else { return "\(micros / 1000) ms" }
        return "\(Double(micros) / 1000) ms"
    }

    /// Seconds with their unit, cut to tenths: `3.0 s`.
    var tenthsOfSecondText: String {
        let tenths = wholeNanoseconds / 100_000_000
        return "\(tenths / 10).\(abs(tenths % 10)) s"
    }

    /// Seconds with their unit, the shortest way: `12 s`, `2.5 s`, `300 ms`.
    var shortText: String {
        let nanos = wholeNanoseconds
        if nanos % 1_000_000_000 == 0 { return "\(nanos / 1_000_000_000) s" }
        return nanos > 1_000_000_000 && nanos % 100_000_000 == 0 ? tenthsOfSecondText : millisecondsText
    }
}
