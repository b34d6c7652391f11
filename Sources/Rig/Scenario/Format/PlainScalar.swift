// SPDX-License-Identifier: MIT

/// What other readers of YAML make of a text without quotes.
enum PlainScalar {
    /// True when YAML 1.1 or 1.2 takes it for a number or a date.
    ///
    /// Source: YAML 1.1 types int, float, timestamp; YAML 1.2 §10.3.2.
    static func isNoText(_ text: String) -> Bool {
        var digits = Array(text.utf8)[...]
        if let sign = digits.first, sign == 0x2B || sign == 0x2D { digits = digits.dropFirst() }
        guard let first = digits.first, first.isDigit || first == 0x2E else { return false }
        if first == 0x30, digits.count > 2 {
            let rest = digits.dropFirst(2)
            switch digits[digits.startIndex + 1] | 0x20 {
            case UInt8(ascii: "x"): if rest.allSatisfy({ $0.hexDigit != nil || $0 == 0x5F }) { return true }
            case UInt8(ascii: "b"): if rest.allSatisfy({ $0 | 1 == 0x31 || $0 == 0x5F }) { return true }
            case UInt8(ascii: "o"): if rest.allSatisfy({ (0x30...0x37).contains($0) }) { return true }
            default: break
            }
        }
        return isWhole(digits) || isSexagesimal(digits) || isFraction(digits) || isDate(digits)
    }

    /// True when a number that YAML makes of it would be written in another way: `0700`, `6E00`.
    static func losesItsText(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > 1, bytes.allSatisfy({ $0.hexDigit != nil }), isNoText(text) else { return false }
        return bytes[0] == 0x30 || bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    private static func isWhole(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.first?.isDigit == true && digits.allSatisfy { $0.isDigit || $0 == 0x5F }
    }

    /// `1:30`, which YAML 1.1 takes for 90.
    private static func isSexagesimal(_ digits: ArraySlice<UInt8>) -> Bool {
        let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && isWhole($0) }
    }

    private static func isFraction(_ digits: ArraySlice<UInt8>) -> Bool {
        var rest = digits
        let whole = rest.prefix { $0.isDigit || $0 == 0x5F }
        rest = rest.dropFirst(whole.count)
        var count = whole.count
        if rest.first == 0x2E {
            let fraction = rest.dropFirst().prefix { $0.isDigit || $0 == 0x5F }
            count += fraction.count
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard count > 0 else { return false }
        guard let sign = rest.first else { return true }
        guard sign | 0x20 == UInt8(ascii: "e") else { return false }
        rest = rest.dropFirst()
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        return !rest.isEmpty && rest.allSatisfy(\.isDigit)
    }

    private static func isDate(_ digits: ArraySlice<UInt8>) -> Bool {
        let parts = digits.split(separator: 0x2D, omittingEmptySubsequences: false)
        return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isDigit) }
    }
}
