// SPDX-License-Identifier: MIT

/// Decimal numbers as text, the same in every locale.
enum DecimalText {
    /// Microseconds as milliseconds with three decimals.
    static func milliseconds(_ microseconds: Double) -> String {
        guard microseconds.isFinite else { return "-" }
        let value = Int64(min(max(microseconds.rounded(), 0), 9e17))
        let fraction = String(value % 1000)
        return "\(value / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
