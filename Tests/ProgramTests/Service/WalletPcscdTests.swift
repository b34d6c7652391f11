// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

extension ProgramPcscdTests {
    @Suite("A wallet card over PC/SC")
    struct WalletPcscdTests {
        private let folder: TemporaryFolder
        private static let via = "pcsc:\(TestService.reader)"
        /// READ of the card: the access code that all cards come with, and mode 1.
        private static let read =
            "00F20000000025102091B4D142823F7D20C5F08DF69122DE43F35F057A988D9619F6D3138485C9A203230101"

        init() throws {
            folder = try TemporaryFolder()
            // The card of an earlier test must not be the one that answers.
            TestService.waitUntilEmpty()
        }

        /// A device that the service has seen, too.
        private func present(_ arguments: [String]) throws -> EmulatedDevice {
            let device = try EmulatedDevice(arguments)
            let isSeen = TestService.eventually(within: .seconds(5)) {
                (try? Taprig.run("readers", "--json").json())?.at("readers.0.state") == "present"
            }
            #expect(isSeen)
            return device
        }

        /// Sends the only command of a script, and gives its result.
        private func send(_ script: String, _ more: String...) throws -> JSON {
            let ending = try Taprig.start(
                ["send", "--json", "--via", Self.via, "--wait", "10s", "-f", script] + more
            ).wait()
            #expect(ending.status == 0, "\(ending.errors)")
            return try #require(try ending.json().at("results.0"))
        }

        @Test("commands go through with an extended Lc and no Le, and with Le 0000", arguments: ["", "0000"])
        func expectedLength(_ le: String) throws {
            let device = try present(["tangem", "--option", "start=loaded"])
            let script = try folder.write("commands.txt", Self.read + le + "\n")
            let result = try send(script, "--raw")
            #expect(result["sw"] == "9000")
            #expect(result["data"]?.string?.hasPrefix("0108") == true)
            _ = try device.end()
        }

        @Test("the largest answer passes")
        func largestAnswer() throws {
            let answer = "30FF047C" + String(repeating: "5A", count: 1148)
            let card = try folder.write(
                "card.json",
                "{\"kind\": \"card\", \"rules\": [{\"c\": \"\(Self.read)\", \"r\": \"\(answer)9000\"}]}"
            )
            let device = try present(["script", "--card", card])
            let script = try folder.write("commands.txt", Self.read + "\n")
            let result = try send(script, "--raw")
            #expect(result["data"]?.string?.count == 2 * 1152)
            #expect(result["data"]?.string == answer)
            _ = try device.end()
        }

        @Test("a card that is kept in a file is the same one after it was gone")
        func state() throws {
            let file = folder.path("card.json")
            let script = try folder.write("commands.txt", Self.read + "\n")
            var answers: [String?] = []
            for _ in 0..<2 {
                let device = try present(["tangem", "--option", "start=loaded", "--state", file])
                answers.append(try send(script)["data"]?.string)
                #expect(try device.end().status == 143)
            }
            #expect(answers[0] != nil && answers[0] == answers[1])
        }
    }
}
