// SPDX-License-Identifier: MIT

/// Whole numbers: decimal, or hex behind `0x`.
public enum NumberText {
    /// Reads a whole number.
    ///
    /// - Parameters:
    ///   - text: Digits, perhaps behind a minus sign, or `0x` and hex digits.
    ///   - bounds: The numbers that are possible here.
    /// - Returns: The number.
    /// - Throws: ``TextError`` when it is no number, has a leading zero, or lies outside the bounds.
    public static func parse(_ text: String, in bounds: ClosedRange<Int> = .min ... .max) throws(TextError)
        -> Int
    {
        var cursor = TextCursor(text)
        let number = try parse(&cursor)
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a number such as 16 or 0x10",
                column: cursor.column
            )
        }
        try check(number, in: bounds)
        return number
    }

    /// Refuses a number that lies outside the bounds.
    static func check(_ number: Int, in bounds: ClosedRange<Int>) throws(TextError) {
        guard !bounds.contains(number) else { return }
        if bounds.upperBound == .max {
            throw TextError("\(number) is too small; \(bounds.lowerBound) is the least")
        }
        if bounds.lowerBound == .min {
            throw TextError("\(number) is too large; \(bounds.upperBound) is the most")
        }
        throw TextError("\(number) is not possible here; \(bounds.lowerBound) to \(bounds.upperBound) are")
    }

    /// Reads a whole number at a cursor and stops behind its last digit.
    static func parse(_ cursor: inout TextCursor) throws(TextError) -> Int {
        let start = cursor
        let isNegative = cursor.take("-")
        let isHex = cursor.take("0x") || cursor.take("0X")
        let digits = cursor.take { isHex ? $0.hexDigit != nil : $0.isDigit }
        guard !digits.isEmpty else {
            throw TextError(
                isHex
                    ? "hex digits are missing behind 0x"
                    : "\(start.nextCharacter) begins no number such as 16 or 0x10",
                column: isHex ? cursor.column : start.column
            )
        }
        if !isHex, digits.count > 1, digits.utf8.first == 0x30 {
            let plain = String(digits.drop { $0 == "0" })
            throw TextError(
                "'\(digits)' has a leading zero; write \(plain.isEmpty ? "0" : plain), or 0x\(digits) for hex",
                column: start.column
            )
        }
        guard let number = Int((isNegative ? "-" : "") + digits, radix: isHex ? 16 : 10) else {
            throw TextError("'\(digits)' is too large a number", column: start.column)
        }
        return number
    }
}
