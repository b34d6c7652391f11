// SPDX-License-Identifier: MIT

/// Numbers with so many digits: `0007`, `9F04`.
public enum Digits {
    /// A number in decimal digits.
    ///
    /// - Parameters:
    ///   - number: The number, not below zero.
    ///   - width: How many digits it has at least; zeros come first.
    /// - Returns: `007`.
    public static func decimal(_ number: some BinaryInteger, width: Int) -> String {
        filled(String(number), to: width)
    }

    /// A number in upper-case hex digits.
    ///
    /// - Parameters:
    ///   - number: The number, not below zero.
    ///   - width: How many digits it has at least; zeros come first.
    /// - Returns: `00AF`.
    public static func hex(_ number: some BinaryInteger, width: Int) -> String {
        filled(String(number, radix: 16, uppercase: true), to: width)
    }

    private static func filled(_ text: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
