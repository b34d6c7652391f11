// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Command text")
struct CommandTextTests {
    @Test(
        "each line is read as the bytes, case, Nc and Ne that were meant",
        arguments: ["field", "tools", "lengths"]
    )
    func forms(_ set: String) throws {
        let lines = try Fixture.lines("command-lines/\(set).txt")
        let rows = try Fixture.rows("command-lines/\(set).json", "lines")
        #expect(lines.count == rows.count)
        #expect(rows.count >= 12)
        for row in rows {
            let number = try #require(row["line"] as? Int)
            let line = lines[number - 1]
            let command = try #require(try CommandText.parse(line), "line \(number)")
            #expect(command.bytes.hex == row["bytes"] as? String, "line \(number)")
            #expect([command.cla].hex == row["cla"] as? String, "line \(number)")
            #expect([command.ins].hex == row["ins"] as? String, "line \(number)")
            #expect([command.p1].hex == row["p1"] as? String, "line \(number)")
            #expect([command.p2].hex == row["p2"] as? String, "line \(number)")
            #expect(command.form.rawValue == row["case"] as? String, "line \(number)")
            #expect(command.nc == row["nc"] as? Int, "line \(number)")
            #expect(command.ne == row["ne"] as? Int, "line \(number)")
            #expect(command.data.hex == row["data"] as? String ?? "", "line \(number)")
        }
    }

    @Test(
        "empty lines and remarks are no command",
        arguments: [
            "", "   ", "\t\r\n", "# select", "  // 00A4", "; reset", "; 00A4000C02E1A1",
            "\u{FEFF}# first line", "\u{FEFF}",
        ]
    )
    func nothing(_ line: String) throws {
        #expect(try CommandText.parse(line) == nil)
        #expect(try CommandText.bytes(line) == nil)
    }

    @Test("line ends and a byte order mark do not matter")
    func lineEnds() throws {
        #expect(try CommandText.parse("\u{FEFF}00B0000002\r\n")?.bytes.hex == "00B0000002")
        #expect(try CommandText.parse("00B0000002\r")?.ne == 2)
        for comment in ["reads 2 bytes", "20261130 measured", "D2760000850101 is the AID", "AB"] {
            #expect(try CommandText.parse("00B0000002 ; \(comment)")?.ne == 2, "\(comment)")
        }
    }

    @Test(
        "a mistake is reported at its column in the line",
        arguments: [
            ("  00 A4 0G 00", 10, "column 10: 'G' is not a hex digit"),
            ("00 A4 4 00", 7, "column 7: one hex digit is no whole byte; two digits make a byte"),
            ("00A404000", 9, "column 9: 9 hex digits are no whole bytes; two digits make a byte"),
            ("00A4\u{A0}0400", 5, "column 5: the character U+00A0 is not a hex digit"),
            ("00 A4 04", 1, "column 1: a command needs at least the 4 bytes CLA INS P1 P2, here are 3"),
            (
                "00B0000002; 00A4000C02E1A1", 13,
                "column 13: behind ';' begins a comment, and this looks like a command; "
                    + "give it a line of its own, or begin the comment with '#'"
            ),
            (
                "\t00 A4 04 00 07 D2 76 # cut", 2,
                "column 2: Lc says 7 data bytes (and at most one Le field may follow), but 2 bytes follow it"
            ),
        ]
    )
    func mistakes(_ line: String, _ column: Int, _ text: String) throws {
        let error = try #require(throws: CommandTextError.self) { try CommandText.parse(line) }
        #expect(error.column == column)
        #expect(error.description == text)
    }

    @Test("bytes that are no command can be read as such")
    func rawBytes() throws {
        #expect(try CommandText.bytes("00 A4 # too short to be a command") == [0x00, 0xA4])
    }
}
