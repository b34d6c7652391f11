// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Testing

@Suite("Texts of the language")
struct TextTests {
    static let times: [(String, Duration)] = [
        ("200ms", .milliseconds(200)), ("1s", .seconds(1)), ("1.5s", .milliseconds(1500)),
        ("20us", .microseconds(20)),
        ("2min", .seconds(120)), ("1h", .seconds(3600)), ("0ms", .zero), ("0.25ms", .microseconds(250)),
        ("7ns", .nanoseconds(7)),
        ("1.0000000019s", .nanoseconds(1_000_000_001)), ("3µs", .microseconds(3)), ("1.5min", .seconds(90)),
    ]

    @Test("reads times", arguments: times)
    func time(_ text: String, _ wanted: Duration) throws {
        #expect(try DurationText.parse(text) == wanted)
    }

    @Test(
        "refuses what is no time",
        arguments: [
            ("200", "0: '200' has no unit; write 200ms or 200s"),
            ("1.5", "0: '1.5' has no unit; write 1.5ms or 1.5s"),
            ("", "0: the end begins no time; write a number and its unit, such as 200ms"),
            ("-1s", "0: '-' begins no time; write a number and its unit, such as 200ms"),
            ("10sec", "2: 'sec' is no unit of time; possible are us, ms, s, min"),
            ("10mn", "2: 'mn' is no unit of time; possible are us, ms, s, min; did you mean 'ms'?"),
            ("10 ms", "0: '10' has no unit; write 10ms or 10s"),
            ("1s!", "2: '!' does not belong to a time such as 200ms"),
            ("9999999999s", "0: '9999999999s' is too long; a year is the most"),
            ("99999999999999999999s", "0: this time is too long"),
        ]
    )
    func noTime(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try DurationText.parse(text) } == wanted)
    }

    @Test("writes times for people")
    func timeText() {
        let texts = [
            Duration.zero, .nanoseconds(999), .microseconds(20), .microseconds(412_345),
            .nanoseconds(412_345_678),
            .seconds(1), .milliseconds(1500), .seconds(120), .milliseconds(-3), .nanoseconds(999_999_999),
        ].map { DurationText.text($0) }
        #expect(
            texts == [
                "0ms", "999ns", "20us", "412.345ms", "412.346ms", "1s", "1.5s", "2min", "-3ms", "1000ms",
            ]
        )
        #expect(DurationText.text(.nanoseconds(412_345_678), digits: 9) == "412.345678ms")
    }

    @Test(
        "a time is told in its natural unit",
        arguments: ["90s", "1min", "10min", "1h", "36h", "1.5s", "200ms"]
    )
    func naturalUnits(_ text: String) throws {
        #expect(DurationText.text(try DurationText.parse(text)) == text)
    }

    @Test(
        "reads numbers",
        arguments: [("0", 0), ("16", 16), ("0x10", 16), ("0XfF", 255), ("-3", -3), ("0x00", 0)]
    )
    func number(_ text: String, _ wanted: Int) throws {
        #expect(try NumberText.parse(text) == wanted)
    }

    @Test(
        "refuses what is no number",
        arguments: [
            ("010", "0: '010' has a leading zero; write 10, or 0x010 for hex"),
            ("00", "0: '00' has a leading zero; write 0, or 0x00 for hex"),
            ("", "0: the end begins no number such as 16 or 0x10"),
            ("0x", "2: hex digits are missing behind 0x"),
            ("1_000", "1: '_' does not belong to a number such as 16 or 0x10"),
            ("12e3", "2: 'e' does not belong to a number such as 16 or 0x10"),
            ("99999999999999999999", "0: '99999999999999999999' is too large a number"),
            ("300", "0: 300 is not possible here; 0 to 255 are"),
        ]
    )
    func noNumber(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try NumberText.parse(text, in: 0...255) } == wanted)
    }

    @Test(
        "takes the status words that a pattern means",
        arguments: [
            ("9000", ["9000"], ["9001", "6100"]),
            ("61xx", ["6100", "61FF"], ["6200", "9000"]),
            ("63Cx", ["63C0", "63CF", "63C2"], ["63B0", "6300"]),
            ("6A80..6A8F", ["6A80", "6A82", "6A8F"], ["6A7F", "6A90"]),
            ("not 6982", ["9000", "6983"], ["6982"]),
            ("not 6A80..6A8F", ["9000"], ["6A82"]),
            ("ok", ["9000", "6110"], ["6282", "6A82", "9100"]),
            ("warning", ["6282", "63C1"], ["9000", "6400"]),
            ("error", ["6400", "6A82", "6F00", "9789"], ["9000", "61FF", "6281"]),
            ("x982", ["6982", "9982"], ["6983"]),
            ("6a82", ["6A82"], ["6A83"]), ("0x9000", ["9000"], ["0x90"]),
        ]
    )
    func status(_ text: String, _ good: [String], _ bad: [String]) throws {
        let pattern = try StatusPattern.parse(text)
        #expect(good.allSatisfy { word in word.status.map(pattern.matches) == true })
        #expect(!bad.contains { word in word.status.map(pattern.matches) == true })
        #expect(pattern.description == text)
    }

    @Test(
        "refuses what is no status word",
        arguments: [
            ("900", "0: '900' is no status word; it has four hex digits, such as 9000, 61xx or 63Cx"),
            ("90000", "0: '90000' is no status word; it has four hex digits, such as 9000, 61xx or 63Cx"),
            ("", "0: the end is no status word; it has four hex digits, such as 9000, 61xx or 63Cx"),
            (
                "63Cy",
                "3: '63Cy' is no status word; it has four hex digits (9000, 63Cx), or is ok, warning or error"
            ),
            (
                "eror",
                "1: 'eror' is no status word; it has four hex digits (9000, 63Cx), or is ok, warning or error; did you mean 'error'?"
            ),
            ("6A8F..6A80", "0: the range is empty: 6A8F lies above its end"),
            ("9000 6A82", "5: '6' does not belong to a status word such as 9000 or 63Cx"),
        ]
    )
    func noStatus(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try StatusPattern.parse(text) } == wanted)
    }

    @Test(
        "reads bounds of time",
        arguments: [
            ("<60ms", [59, 0], [60, 61]), ("<=60ms", [60], [61]), (">60ms", [61], [60]),
            (">=60ms", [60], [59]),
            ("40ms..60ms", [40, 50, 60], [39, 61]), ("< 60ms", [59], [60]),
        ]
    )
    func bound(_ text: String, _ good: [Int], _ bad: [Int]) throws {
        let bound = try TimeBound.parse(text)
        #expect(good.allSatisfy { bound.contains(.milliseconds($0)) })
        #expect(!bad.contains { bound.contains(.milliseconds($0)) })
    }

    @Test(
        "refuses what is no bound of time",
        arguments: [
            ("60ms", "0: '60ms' is no bound; write \"<60ms\" in quotes, or a range such as 40ms..60ms"),
            ("<60", "1: '60' has no unit; write 60ms or 60s"),
            ("60ms..40ms", "0: the range is empty: its start lies above its end"),
            ("40ms..", "6: the end begins no time; write a number and its unit, such as 200ms"),
            ("<60ms x", "6: 'x' does not belong to a bound such as <60ms"),
        ]
    )
    func noBound(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try TimeBound.parse(text) } == wanted)
    }

    @Test(
        "reads ranges of numbers",
        arguments: [
            ("6", [6], [5, 7]), ("1..3", [1, 2, 3], [0, 4]), (">=2", [2, 99], [1]), ("<4", [3], [4]),
            ("> 1", [2], [1]),
            ("<=0x10", [16], [17]),
        ]
    )
    func count(_ text: String, _ good: [Int], _ bad: [Int]) throws {
        let range = try CountRange.parse(text)
        #expect(good.allSatisfy(range.contains))
        #expect(!bad.contains(where: range.contains))
    }

    @Test(
        "refuses what is no range of numbers",
        arguments: [
            ("3..1", "0: no number that is possible here lies in '3..1'"),
            ("<0", "0: no number that is possible here lies in '<0'"),
            ("1..", "3: the end begins no number such as 16 or 0x10"),
            ("2x", "1: 'x' does not belong to a number or range such as 1..3"),
        ]
    )
    func noCount(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try CountRange.parse(text, in: 0 ... .max) } == wanted)
    }

    @Test("compares versions by numbers, then by letters")
    func versions() throws {
        #expect(try FirmwareVersion("1.10") > FirmwareVersion("1.9"))
        #expect(try FirmwareVersion("4.45d") > FirmwareVersion("4.12r"))
        #expect(try FirmwareVersion("4.12") == FirmwareVersion("4.12.0"))
        #expect(try FirmwareVersion("v7.2.1") > FirmwareVersion("7.2"))
        #expect(try FirmwareVersion("4.12r") > FirmwareVersion("4.12d"))
        #expect(try FirmwareVersion("4.12r") != FirmwareVersion("4.12"))
        for sign in [">=", "<=", "=="] {
            #expect(try FirmwareVersion("4.12r").holds(sign, FirmwareVersion("4.12")))
        }
        #expect(try FirmwareVersion("7.2.0").holds("<", FirmwareVersion("7.2.1")))
        #expect(try !FirmwareVersion("7.2.0").holds("=>", FirmwareVersion("7.2.1")))
        let refused = refusal { () throws(TextError) in try FirmwareVersion("4..1") }
        #expect(refused == "2: '.' does not belong to a version such as 4.12 or 4.12r")
    }
}

extension String {
    /// The status word of four hex digits, else nil.
    fileprivate var status: StatusWord? { UInt16(self, radix: 16).map(StatusWord.init(rawValue:)) }
}
