// SPDX-License-Identifier: MIT

import JSONText

/// Text of trace lines, made in a byte buffer that is used again and again.
///
/// The hot path of a run goes through here, so no `String` is built and nothing is allocated once the buffer has
/// grown to the longest line.
struct TraceLine {
    /// The bytes of the line so far.
    private(set) var bytes: [UInt8] = []

    /// Starts a new line.
    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Ends the line.
    mutating func finish() {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0x0A)
    }

    /// Appends text that needs no escape.
    mutating func append(_ literal: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        )
    }

    /// Appends bytes that are already text of a line.
    mutating func append(prepared: [UInt8]) {
        bytes.append(contentsOf: prepared)
    }

    /// Appends a whole number.
    mutating func append(number: Int) {
        Self.appendDecimal(number.magnitude, negative: number < 0, to: &bytes)
    }

    /// Appends a duration as microseconds with one decimal.
    mutating func append(microseconds duration: Duration) {
        Self.appendTenths(Self.tenths(of: duration), to: &bytes)
    }

    /// Appends microseconds with one decimal.
    mutating func append(microseconds: Double) {
        let limit = Double(Self.longest)
        let tenths = microseconds.isFinite ? (microseconds * 10).rounded() : 0
        Self.appendTenths(Int64(min(max(tenths, -limit), limit)), to: &bytes)
    }

    /// Appends hex text in quotes.
    mutating func append(hex content: [UInt8], hidden: [Range<Int>]) {
        bytes.append(UInt8(ascii: "\""))
        Self.appendHex(content, hidden: hidden, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a text in quotes.
    mutating func append(quoted text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { Self.appendEscaped($0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a key, with the comma before it, and its text in quotes; nothing when there is none.
    mutating func append(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        append(key)
        append(quoted: text)
    }

    /// Appends any JSON value.
    mutating func append(json value: JSON) {
        bytes.append(contentsOf: value.text.utf8)
    }

    /// The longest time that is written, in tenths of a microsecond: 2 852 years.
    private static let longest: Int64 = 900_000_000_000_000_000

    /// A duration in tenths of a microsecond, rounded down.
    static func tenths(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 10_000_000)
        guard !overflow else { return seconds < 0 ? -longest : longest }
        return product &+ attoseconds / 100_000_000_000
    }

    private static func appendTenths(_ tenths: Int64, to out: inout [UInt8]) {
        let (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        appendDecimal(UInt(whole), negative: tenths < 0, to: &out)
        out.append(UInt8(ascii: "."))
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tenth))
    }

    private static func appendDecimal(_ value: UInt, negative: Bool, to out: inout [UInt8]) {
        if negative { out.append(UInt8(ascii: "-")) }
        var divisor: UInt = 1
        while value / divisor >= 10 { divisor *= 10 }
        var rest = value
        while divisor > 0 {
            out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Appends upper-case hex, `**` for hidden bytes.
    static func appendHex(_ content: [UInt8], hidden: [Range<Int>], to out: inout [UInt8]) {
        guard !hidden.isEmpty else {
            appendHex(content[...], to: &out)
            return
        }
        var position = 0
        for range in hidden {
            appendHex(content[position..<range.lowerBound], to: &out)
            out.append(contentsOf: repeatElement(UInt8(ascii: "*"), count: 2 * range.count))
            position = range.upperBound
        }
        appendHex(content[position...], to: &out)
    }

    private static func appendHex(_ content: ArraySlice<UInt8>, to out: inout [UInt8]) {
        for byte in content {
            out.append(hexDigit(byte >> 4))
            out.append(hexDigit(byte & 0x0F))
        }
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
    }

    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case 0..<0x20, 0x7F:
                out.append(contentsOf: "\\u00".utf8)
                out.append(hexDigit(byte >> 4))
                out.append(hexDigit(byte & 0x0F))
            default:
                out.append(byte)
            }
        }
    }
}
