// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Glibc
import JSONText
import PCSC
import Synchronization
import Testing

extension ProgramPcscdTests {
    /// One reader that several want (field cases S17 and S42).
    @Suite("Holders of a reader")
    struct HolderPcscdTests {
        private let folder: TemporaryFolder
        private static let via = "pcsc:\(TestService.reader)"

        init() throws {
            folder = try TemporaryFolder()
            TestService.waitUntilEmpty()
        }

        private func device() throws -> EmulatedDevice {
            let card = try folder.write("card.json", "{\"rules\":[],\"default\":\"9000\"}")
            return try EmulatedDevice(["script", "--card", card, "--trace", folder.path("device.jsonl")])
        }

        /// The commands that the card saw.
        private func seen() throws -> [String] {
            try folder.text("device.jsonl").split(separator: "\n").compactMap {
                try JSON(parsing: Array($0.utf8))["c"]?.string
            }
        }

        // MARK: Jobs that end in the middle (S42)

        @Test(
            "that end in the middle of a case free it for the one that waits, who was told whom for (S42)",
            arguments: [(SIGKILL, 137), (SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)]
        )
        func ended(by signal: Int32, status: Int32) throws {
            for (name, step) in [("a", "      - delay: 60s"), ("b", "      - log: done")] {
                try folder.write(
                    "\(name).yaml",
                    """
                    rig: 1
                    suite: demo.\(name)
                    target: iso7816
                    teardown:
                      - send: 00B0\(name == "a" ? "0A" : "0B")FF01
                    cases:
                      - name: works
                        steps:
                          - send: 00B0\(name == "a" ? "0A" : "0B")0001
                    \(step)
                    """
                )
            }
            let device = try device()
            let first = try Taprig.start(
                ["run", "a.yaml", "--out", "a", "--wait", "10s", "--via", Self.via],
                in: folder.path,
                environment: ["HOME": folder.path]
            )
            #expect(first.wait(until: { folder.text("a/traces/demo.a/works.jsonl").contains("\"n\":1,") }))
            let second = try Taprig.start(
                ["run", "b.yaml", "--ci", "--out", "b", "--wait", "10min", "--via", Self.via],
                in: folder.path,
                environment: ["HOME": folder.path]
            )
            #expect(second.wait(until: { second.errorsSoFar.contains("waiting") }))
            first.send(signal)
            #expect(try first.wait().status == status)
            let ending = try second.wait()
            #expect(ending.status == 0, "\(ending.everything)")
            let told = ending.errors.split(separator: "\n")
            #expect(told.count == 1, "\(ending.errors)")
            #expect(
                told.first?.hasPrefix(
                    "waiting up to 10min for the reader '\(TestService.reader)': it is in use by pid "
                        + "\(first.processID) (taprig run, user "
                ) == true,
                "\(ending.errors)"
            )
            #expect(!ending.output.contains("waiting"))
            #expect(try device.end().status == 143)
            // A program that is killed cannot tear down; all others do, before the next one begins.
            let wire = try seen()
            #expect(
                wire == (signal == SIGKILL ? ["00B00A0001"] : ["00B00A0001", "00B00AFF01"])
                    + ["00B00B0001", "00B00BFF01"]
            )
        }

        @Test("that are killed with a card of their own in the virtual reader leave it to the next one (S42)")
        func killedWithCard() throws {
            try folder.write(
                "long.yaml",
                Scenarios.nbt(
                    cases: Scenarios.passing + "\n      - delay: 60s",
                    header: "options: { firmware-loop: off }\n"
                )
            )
            try folder.write("next.yaml", Scenarios.nbt(cases: Scenarios.passing))
            // Whether the service notices in time is chance, hence several tries.
            for number in 1...3 {
                let killed = try Taprig.start(
                    ["run", "long.yaml", "--via", "virtual", "--out", "long\(number)"],
                    in: folder.path
                )
                let trace = "long\(number)/traces/demo.suite/passes.jsonl"
                #expect(killed.wait(until: { folder.text(trace).contains("\"n\":2,") }))
                killed.send(SIGKILL)
                #expect(try killed.wait().status == 137)
                let next = try Taprig.run(
                    "run",
                    "next.yaml",
                    "--via",
                    "virtual",
                    "--out",
                    "next",
                    in: folder.path
                )
                #expect(next.status == 0, "\(number): \(next.everything)")
            }
        }

        // MARK: Programs that know nothing of our locks (S17)

        /// Another program, which connects and sends again and again.
        private final class Stranger: Sendable {
            private let isOver = Mutex(false)
            private let hasEnded = DispatchSemaphore(value: 0)

            init(holdsTransaction: Bool) {
                let reader = TestService.reader
                Thread.detachNewThread { [self] in
                    while !isOver.withLock({ $0 }) {
                        var options = PCSCConnection.Options()
                        options.holdsTransaction = holdsTransaction
                        if let connection = try? PCSCConnection(readerName: reader, options: options) {
                            for _ in 0..<3 { _ = try? connection.transmit([0x00, 0xA4, 0x04, 0x00, 0x00]) }
                            connection.close()
                        }
                        usleep(5_000)
                    }
                    hasEnded.signal()
                }
            }

            /// Ends it; false when it hangs.
            func end() -> Bool {
                isOver.withLock { $0 = true }
                return hasEnded.wait(timeout: .now() + 20) == .success
            }
        }

        @Test(
            "who know nothing of ours send between scenarios, never within one (S17)",
            arguments: [false, true]
        )
        func stranger(holdsTransaction: Bool) throws {
            let cases = (1...4).map { number in
                let steps = (1...4).map { "      - send: 00B0A\(number)0\($0)01\n      - delay: 20ms\n" }
                return "  - name: c\(number)\n    steps:\n" + steps.joined()
            }
            try folder.write(
                "suite.yaml",
                "rig: 1\nsuite: demo.a\ntarget: iso7816\ncases:\n" + cases.joined()
            )
            let device = try device()
            let stranger = Stranger(holdsTransaction: holdsTransaction)
            let ending = try Taprig.start(
                ["run", "suite.yaml", "--out", "out", "--wait", "10s", "--via", Self.via],
                in: folder.path
            ).wait()
            #expect(stranger.end())
            #expect(ending.status == 0, "\(ending.everything)")
            #expect(try device.end().status == 143)
            // A digit tells the scenario, S the stranger.
            let who = try seen().map { $0.hasPrefix("00B0A") ? String($0.dropFirst(5).prefix(1)) : "S" }
            #expect(who.contains("S"))
            let runs = who.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(runs.filter { $0 != "S" } == ["1", "2", "3", "4"], "\(who)")
        }
    }
}
