// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// Tests of the program beside a real PC/SC service; one at a time, since they share its readers.
@Suite(
    "The program with a real service",
    .serialized,
    .enabled(if: TestService.isThere, "run by ci/with-pcscd")
)
enum ProgramPcscdTests {}

extension ProgramPcscdTests {
    @Suite("Cards of taprig emulate over PC/SC")
    struct EmulatePcscdTests {
        private let folder: TemporaryFolder
        private static let via = "pcsc:\(TestService.reader)"

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test("field cases play as they must", arguments: try FieldCase.all())
        func play(_ item: FieldCase) throws {
            let card = try folder.write("card.json", item.card)
            let script = try folder.write("commands.txt", item.commands.joined(separator: "\n") + "\n")
            let trace = folder.path("device.jsonl")
            let device = try EmulatedDevice(["script", "--card", card, "--trace", trace])
            let ending = try Taprig.start(
                ["send", "--json", "--via", Self.via, "--wait", "10s", "-f", script] + item.options
            ).wait()
            #expect(ending.status == item.status, "\(ending.errors)")
            try item.judge(try ending.json())
            if item.name == "S13" { #expect(ending.seconds < 7, "5 s, and what start and connection take") }

            // The card's side has seen the same commands.
            #expect(try device.end().status == 143)
            let seen = try lines(of: trace).compactMap { $0["c"]?.string }
            let wire = try ending.json()["wire"]?.array?.compactMap { $0["c"]?.string } ?? []
            if item.wire != nil { #expect(seen == wire) }
        }

        private func lines(of path: String) throws -> [JSON] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))
            }
        }

        @Test("one that was killed and started again is found as soon as it says that it is in the reader")
        func killedAndStartedAgain() throws {
            for _ in 0..<3 {
                let first = try EmulatedDevice(["nbt"])
                first.process.send(SIGKILL)
                #expect(try first.process.wait().wasKilled)
                let second = try EmulatedDevice(["nbt"])
                let ending = try Taprig.run("send", "--via", Self.via, "00A4040007D276000085010100")
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(try second.end().status == 143)
            }
        }

        @Test("a security delay is data, and polls end it")
        func securityDelay() throws {
            let item = try FieldCase.field("S25")
            let device = try EmulatedDevice(["script", "--card", try folder.write("card.json", item.card)])
            let ending = try Taprig.start(
                ["send", "--json", "--via", Self.via, "--wait", "10s", "--repeat", "4"] + item.commands
            ).wait()
            #expect(ending.status == 0)
            let results = try ending.json()["results"]?.array ?? []
            #expect(results.map { $0["sw"]?.string } == ["9789", "9789", "9789", "9000"])
            // The card takes 50 ms for each of its first three answers.
            #expect(results.prefix(3).allSatisfy { ($0["us"]?.double ?? 0) >= 50_000 })
            _ = try device.end()
        }

        @Test("secrets stay out of everything", arguments: try SecretTests.Secrets.all())
        func secrets(_ secrets: SecretTests.Secrets) throws {
            let card = try folder.write("card.json", "{\"rules\":[],\"default\":\"9000\"}")
            let script = try folder.write("commands.txt", secrets.commands.joined(separator: "\n"))
            let device = try EmulatedDevice([
                "script", "--card", card, "--trace", folder.path("device.jsonl"),
            ])
            let ending = try Taprig.run("send", "--json", "--via", Self.via, "--wait", "10s", "-f", script)
            #expect(ending.status == 0)
            let other = try device.end().everything + folder.text("device.jsonl")
            for word in secrets.forbidden {
                #expect(!ending.everything.contains(word))
                #expect(!other.contains(word))
            }
        }

        @Test("readers tells the reader, its card and how to name it")
        func readers() throws {
            let device = try EmulatedDevice(["nbt"])
            let isThere = TestService.eventually(within: .seconds(5)) {
                (try? Taprig.run("readers", "--json").json())?.at("readers.0.state") == "present"
            }
            #expect(isThere)
            let ending = try Taprig.run("readers", "--json")
            #expect(ending.status == 0)
            let reader = try #require(try ending.json().at("readers.0"))
            for key in ["name", "via", "serial", "atr", "state"] { #expect(reader[key] != nil, "\(key)") }
            #expect(reader["name"]?.string == TestService.reader)
            #expect(reader["atr"] == "3B80800101")
            let via = try #require(reader["via"]?.string)
            #expect(
                try Taprig.run("send", "--via", via, "00A4040007D276000085010100").output.contains("9000")
            )
            #expect(try Taprig.run("readers").output.contains(TestService.reader))
            _ = try device.end()
        }

        @Test("a wallet card that is lost in its delay is found again, past another one")
        func lostWalletCard() throws {
            let suite = try folder.write(
                "suite.yaml",
                """
                rig: 1
                suite: demo.lost
                target: tangem
                limits: { case: 90s }
                cases:
                  - name: signs in the end
                    steps:
                      - scan: { attestation: none }
                        capture: { key: "wallets(0).publicKey" }
                      - sign:
                          wallet: "${key}"
                          hashes: [1111111111111111111111111111111111111111111111111111111111111111]
                          reconnections: 20
                          wait: 30s
                        expect: { verified: yes }
                """
            )
            func card(_ id: String, delay: String, _ trace: String) throws -> EmulatedDevice {
                let options = ["start=loaded", "keys=test", "card-id=\(id)", "delay=\(delay)"]
                return try EmulatedDevice(
                    ["tangem", "--firmware", "4.45d", "--trace", folder.path(trace)]
                        + options.flatMap { ["--option", $0] }
                )
            }
            func commands(_ trace: String) -> [String] {
                ((try? lines(of: folder.path(trace))) ?? []).compactMap { $0["c"]?.string }
            }
            let first = try card("BB03000000000004", delay: "30s", "first.jsonl")
            // The run does not wait for a card that the service has not seen yet.
            let isThere = TestService.eventually(within: .seconds(5)) {
                (try? Taprig.run("readers", "--json").json())?.at("readers.0.state") == "present"
            }
            #expect(isThere)
            let run = try Taprig.start([
                "run", suite, "--via", Self.via, "--ci", "--out", folder.path("out"),
            ])
            #expect(
                TestService.eventually(within: .seconds(20)) {
                    commands("first.jsonl").contains { $0.hasPrefix("00FB") }
                }
            )
            _ = try first.end()
            TestService.waitUntilLooked()
            let other = try card("BB03000000000012", delay: "0s", "other.jsonl")
            #expect(
                TestService.eventually(within: .seconds(20)) {
                    commands("other.jsonl").contains { $0.hasPrefix("00F2") }
                }
            )
            _ = try other.end()
            #expect(!commands("other.jsonl").contains { $0.hasPrefix("00FB") })
            TestService.waitUntilLooked()
            let last = try card("BB03000000000004", delay: "1s", "last.jsonl")
            let ending = try run.wait()
            #expect(ending.status == 0, "\(ending.everything)")
            #expect(ending.output.contains("1 passed"), "\(ending.everything)")
            #expect(commands("last.jsonl").contains { $0.hasPrefix("00FB") }, "\(ending.everything)")
            _ = try last.end()
        }

        @Test("a second program does not disturb a run that has begun")
        func sharing() throws {
            let device = try EmulatedDevice(["nbt"])
            try folder.write(
                "suite.yaml",
                """
                rig: 1
                suite: demo.shared
                target: nbt
                cases:
                  - name: waits in the middle
                    steps:
                      - select: D2760000850101
                      - select: E1A1
                      - delay: 1500ms
                      - read: { length: 1 }
                """
            )
            let run = try Taprig.start(
                ["run", "suite.yaml", "--out", "out", "--json", "--wait", "10s", "--via", Self.via],
                in: folder.path
            )
            #expect(
                run.wait(until: {
                    folder.text("out/traces/demo.shared/waits-in-the-middle.jsonl").contains("\"n\":2")
                })
            )
            // It selects another application, which would make the read of the run fail.
            let other = try Taprig.run(
                "send",
                "--via",
                Self.via,
                "--deadline",
                "5s",
                "00A4040005F00000000100"
            )
            let ending = try run.wait()
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(try ending.json().at("suites.0.cases.0.warnings") == nil)
            #expect([0, 3].contains(other.status))
            #expect(!other.wasKilled)
            _ = try device.end()
        }
    }
}
