// SPDX-License-Identifier: MIT

/// Times as JUnit readers want them.
enum JUnitTime {
    /// Seconds with a dot and exactly three decimals; never negative.
    static func seconds(_ duration: Duration) -> String {
        guard duration > .zero else { return "0.000" }
        let (seconds, attoseconds) = duration.components
        var whole = seconds
        var thousandths = (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
        if thousandths >= 1000 {
            thousandths -= 1000
            whole = whole < .max ? whole + 1 : whole
        }
        let digits = String(thousandths)
        return "\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Milliseconds with one decimal; never negative, zero for what is no number.
    static func milliseconds(_ value: Double) -> String {
        guard value.isFinite, value > 0 else { return "0.0" }
        let tenths = Int64(min((value * 10).rounded(), 9e17))
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A time stamp in UTC with `Z`; nil when the text is none.
    static func stamp(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count >= pattern.count else { return nil }
        for (byte, expected) in zip(bytes, pattern) {
            guard expected == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == expected else {
                return nil
            }
        }
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        guard year > 0, (1...12).contains(month), (1...daysInMonth(month, year)).contains(day),
            number(11, 2) < 24,
            number(14, 2) < 60, number(17, 2) < 60
        else { return nil }
        var rest = bytes[pattern.count...]
        if rest.last == UInt8(ascii: "Z") { rest = rest.dropLast() }
        // What is left may only be a fraction; a zone other than Z is not guessed at.
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.count > 1,
            rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return text.hasSuffix("Z") ? text : text + "Z"
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
