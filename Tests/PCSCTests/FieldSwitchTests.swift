// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@testable import PCSC

@Suite("The manage-session command")
struct FieldSwitchTests {
    @Test(
        "opens a session before the field goes off, and closes it after the field is on",
        arguments: [
            (FieldState.off, ["FFC20000028100", "FFC20000028300"]),
            (.on, ["FFC20000028400", "FFC20000028200"]),
        ]
    )
    func sequence(state: FieldState, expected: [String]) {
        var sent: [String] = []
        let refusal = FieldSwitch.set(state) { command in
            sent.append(command.hex)
            return [0xC0, 0x03, 0x00, 0x90, 0x00, 0x90, 0x00]
        }
        #expect(refusal == nil)
        #expect(sent == expected)
    }

    @Test(
        "answers that say done",
        arguments: [
            ("9000", true), ("C0030090009000", true), ("80030202009000", true), ("C003016A819000", false),
            ("6D00", false),
            ("6E00", false), ("", false), ("90", false), ("C09000", false), ("C00500900090009000", true),
            ("C00600909000", false),
        ]
    )
    func accepted(answer: String, isAccepted: Bool) throws {
        #expect(FieldSwitch.isAccepted(try HexText.bytes(answer)) == isAccepted)
    }

    @Test("the first refusal ends the sequence and is told")
    func refusal() {
        var count = 0
        let refusal = FieldSwitch.set(.off) { _ in
            count += 1
            return count == 2 ? [0x6A, 0x81] : [0x90, 0x00]
        }
        #expect(refusal == FieldSwitch.Refusal(command: FieldSwitch.fieldOff, answer: [0x6A, 0x81]))
        let unsent = FieldSwitch.set(.on) { _ in nil }
        #expect(unsent == FieldSwitch.Refusal(command: FieldSwitch.fieldOn, answer: nil))
    }

    @Test("support is a session that opens and closes")
    func support() {
        #expect(FieldSwitch.isSupported { _ in [0x90, 0x00] })
        #expect(!FieldSwitch.isSupported { _ in [0x6E, 0x00] })
        #expect(!FieldSwitch.isSupported { $0 == FieldSwitch.startSession ? [0x90, 0x00] : nil })
    }

    @Test(
        "only the answer to reset of a contactless card is probed",
        arguments: [
            ("3B80800101", true), ("3B8F8001804F0CA000000306030001000000006A", true), ("3B020405", false),
            ("3BF011FF00", false),
            ("3B80", false), ("", false),
        ]
    )
    func contactless(atr: String, expected: Bool) throws {
        #expect(FieldSwitch.isContactless(try HexText.bytes(atr)) == expected)
    }
}
