// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

extension ProgramPcscdTests {
    /// What `send` and `shell` owe a card that is real to them.
    @Suite struct DeskPcscdTests {
        private let folder: TemporaryFolder
        private static let via = "pcsc:\(TestService.reader)"
        private static let verify = "002000010431323334"

        init() throws {
            folder = try TemporaryFolder()
            TestService.waitUntilEmpty()
        }

        private var ledger: [String: String] { ["TAPRIG_LEDGER": folder.path("counters.json")] }

        /// A card with three tries, of which the last one is the last one.
        private func cardWithPIN() throws -> EmulatedDevice {
            let tries = ["63C2", "63C1", "63C0"].map {
                #"{"c": "\#(Self.verify)", "r": "\#($0)", "times": 1}"#
            }
            let rules = (tries + [#"{"c": "\#(Self.verify)", "r": "6983"}"#]).joined(separator: ", ")
            let card = try folder.write("card.json", #"{"kind": "card", "rules": [\#(rules)]}"#)
            return try EmulatedDevice(["script", "--card", card])
        }

        private func send() throws -> ChildProcess.Ending {
            try Taprig.start(
                ["send", "--via", Self.via, "--wait", "10s", Self.verify],
                environment: ledger
            ).wait()
        }

        @Test func `Tries of a PIN are counted from send to send, and the last one is kept`() throws {
            let device = try cardWithPIN()
            #expect(try send().output.contains("63C2"))
            #expect(try send().output.contains("63C1"))
            let third = try send()
            #expect(third.status == 3)
            #expect(third.errors.contains("1 try"), "\(third.errors)")
            _ = try device.end()
        }

        @Test func `The shell counts with send, and passes what it is told to`() throws {
            let device = try cardWithPIN()
            for _ in 0..<2 { _ = try send() }
            let ending = try Taprig.run(
                "shell",
                "--via",
                Self.via,
                "--target",
                "iso7816",
                "--wait",
                "10s",
                environment: ledger,
                input: "\(Self.verify)\n:guard pass\n\(Self.verify)\n"
            )
            #expect(ending.output.contains("':guard pass' lets one through"), "\(ending.output)")
            #expect(ending.output.contains("63C0"), "\(ending.output)")
            _ = try device.end()
        }

        @Test func `What cannot be undone is not done by the shell, on a sample that no bench allows`() throws
        {
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let ending = try Taprig.run(
                "shell",
                "--via",
                Self.via,
                "--wait",
                "10s",
                environment: ledger,
                input: "select D2760000850101\nnbt.finalize {}\n:destructive on\nnbt.finalize {}\n"
            )
            #expect(ending.status == 3)
            let refusal = "cannot be undone on a real card, and the shell was not told that it may"
            #expect(ending.output.components(separatedBy: refusal).count == 3, "\(ending.output)")
            #expect(ending.output.contains("nothing destructive is done: no bench names this card's serial"))
            #expect(!ending.output.contains("00E2"), "\(ending.output)")
            _ = try device.end()
        }

        @Test func `A named device's keys are hidden on a reader, too`() throws {
            let device = try EmulatedDevice(["nbt"])
            let key = "00112233445566778899AABBCCDDEEFF"
            let ending = try Taprig.start(
                [
                    "send", "--via", Self.via, "--wait", "10s", "--target", "nbt",
                    "00E2000015A001FF0010\(key)",
                ],
                environment: ledger
            ).wait()
            #expect(!ending.output.contains(key), "\(ending.output)")
            #expect(ending.output.contains("00E20000"), "\(ending.output)")
            _ = try device.end()
        }
    }
}
