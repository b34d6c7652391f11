// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import SmartCard
import Testing

@testable import Type4Tag

@Suite("SELECT check")
struct SelectCheckTests {
    @Test("tells confirmed, unconfirmed and mismatch apart")
    func verdicts() throws {
        let folder = "S35-select-says-9000-for-an-application"
        let connection = try ScriptedConnection(card: try Fixture.json("\(folder)/card.json"))
        let text = String(decoding: try Fixture.bytes("\(folder)/commands.txt"), as: UTF8.self)
        var words: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let command = try CommandAPDU(bytes: try HexText.bytes(line))
            let response = try ResponseAPDU(bytes: try connection.transmit(command.bytes))
            words.append(try #require(SelectCheck(selecting: command.data, response: response)).word)
        }
        let expected = try Fixture.json("\(folder)/expect.json")["rows"]?.array?.compactMap(\.string)
        #expect(words == expected)
    }

    @Test(
        "reads the name wherever the template has it",
        arguments: [
            ("84 05 A000000003", SelectCheck.confirmed),
            ("6F 09 84 07 A0000000031010", .confirmed),
            ("62 09 80 00 84 05 A000000003", .confirmed),
            ("6F 81 08 84 81 05 A000000003", .confirmed),
            ("6F 04 84 02 A000", .mismatch(found: [0xA0, 0x00])),
            ("6F 02 A5 00", .unconfirmed),
            ("", .unconfirmed),
            ("6F 05 84", .unconfirmed),
            ("6F 80 84 00 00 00", .unconfirmed),
            ("DF", .unconfirmed),
            ("6F 84 FFFFFFFF 84", .unconfirmed),
        ]
    )
    func forms(data: String, expected: SelectCheck) throws {
        let response = ResponseAPDU(data: try HexText.bytes(data), sw: .success)
        #expect(SelectCheck(selecting: [0xA0, 0x00, 0x00, 0x00, 0x03], response: response) == expected)
    }

    @Test("has nothing to judge when the SELECT failed")
    func failedSelect() {
        let response = ResponseAPDU(sw: StatusWord(rawValue: 0x6A82))
        #expect(SelectCheck(selecting: [1, 2, 3, 4, 5], response: response) == nil)
    }
}
