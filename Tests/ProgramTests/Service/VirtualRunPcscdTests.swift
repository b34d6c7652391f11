// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

extension ProgramPcscdTests {
    @Suite("Runs behind a real service")
    struct VirtualRunPcscdTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            TestService.waitUntilEmpty()
        }

        private func run(_ suite: String, _ options: String...) throws -> ChildProcess {
            try folder.write("suite.yaml", suite)
            let arguments = ["run", "suite.yaml", "--via", "virtual", "--out", "out", "--json"]
            return try Taprig.start(arguments + options, in: folder.path)
        }

        /// The records of a case's trace.
        private func trace(_ name: String) throws -> [JSON] {
            try folder.text("out/traces/\(name).jsonl").split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))
            }
        }

        private func steps(_ trace: [JSON]) -> [String] {
            trace.compactMap { $0["step"]?.string }
        }

        // MARK: A second card

        @Test("the second card of a set is in the second slot, and a third one has none")
        func secondCard() throws {
            let child = try run(
                """
                rig: 1
                suite: demo.set
                target: tangem
                options: { start: loaded }
                limits: { case: 60s }
                cases:
                  - name: two cards
                    matrix:
                      firmware: [4.45d, 6.33d]
                    steps:
                      - scan: { attestation: none }
                        capture: { cid: cardId }
                      - scan: { attestation: none }
                        on: backup
                        expect: { status: 1 }
                        capture: { other: cardId }
                      - check: { differs: ["${cid}", "${other}"] }
                      - field: off
                        on: backup
                      - scan: { attestation: none }
                      - field: on
                        on: backup
                      - scan: { attestation: none }
                        on: backup
                  - name: three cards
                    steps:
                      - scan: { attestation: none }
                        on: second-backup
                """,
                "--option",
                "delay-scale=1000",
                "--option",
                "key-time=0ms"
            )
            let ending = try child.wait()
            #expect(ending.status == 0, "\(ending.errors)")
            let cases = try ending.json().at("suites.0.cases")?.array ?? []
            #expect(
                cases.map { $0["verdict"]?.string } == ["passed", "passed", "skipped"],
                "\(ending.errors)"
            )
            #expect(cases.last?.at("problem.message")?.string?.contains("it is a third card") == true)
            let isEmpty = TestService.eventually(within: .seconds(5)) {
                let states = (try? Taprig.run("readers", "--json").json())?["readers"]?.array ?? []
                return states.map { $0["state"]?.string } == ["empty", "empty"]
            }
            #expect(isEmpty)
        }

        @Test(
            "a card of somebody else in the second slot is the trouble of the cases that need the slot, and of no other"
        )
        func foreignSecondCard() throws {
            let device = try EmulatedDevice(
                ["nbt", "--option", "firmware-loop=off", "--vpcd", "localhost:35964"]
            )
            let isSeen = TestService.eventually(within: .seconds(5)) {
                (try? Taprig.run("readers", "--json").json())?.at("readers.1.state") == "present"
            }
            #expect(isSeen)
            let child = try run(
                """
                rig: 1
                suite: demo.set
                target: tangem
                cases:
                  - name: two cards
                    steps:
                      - scan: { attestation: none }
                      - scan: { attestation: none }
                        on: backup
                  - name: one card
                    steps:
                      - scan: { attestation: none }
                """
            )
            let ending = try child.wait()
            let cases = try ending.json().at("suites.0.cases")?.array ?? []
            #expect(cases.map { $0["verdict"]?.string } == ["error", "passed"], "\(ending.errors)")
            let message = cases.first?.at("problem.message")?.string ?? ""
            #expect(message.contains("another program's card"), "\(message)")
            _ = try device.end()
        }

        // MARK: Signals

        /// Three steps of which the second sleeps a minute, and a teardown (case S42 of the field).
        private static func sleeping(teardown: String = "  - select: E1A2", limits: String = "") -> String {
            """
            rig: 1
            suite: demo.sleep
            target: nbt
            \(limits)
            teardown:
              - select: D2760000850101
            \(teardown)
            cases:
              - name: sleeps
                steps:
                  - select: D2760000850101
                  - delay: 60s
                  - select: E1A1
              - name: is never reached
                steps:
                  - select: E1A1
            """
        }

        /// Starts a run and waits until it sleeps.
        private func asleep(_ suite: String) throws -> ChildProcess {
            let child = try run(suite)
            let isAsleep = child.wait(until: {
                folder.text("out/traces/demo.sleep/sleeps.jsonl").contains("\"n\":1,")
            })
            #expect(isAsleep, "\(child.errorsSoFar)")
            return child
        }

        @Test(
            "a signal runs the teardown, writes the reports and ends in time (S42)",
            arguments: [(SIGINT, "SIGINT", 130), (SIGTERM, "SIGTERM", 143)] as [(Int32, String, Int32)]
        )
        func signal(_ number: Int32, _ name: String, _ status: Int32) throws {
            let child = try asleep(Self.sleeping())
            let begin = ContinuousClock.now
            child.send(number)
            let ending = try child.wait()
            #expect(ContinuousClock.now - begin < .seconds(11))
            #expect(ending.status == status)
            let record = try ending.json()
            #expect(record["interrupted_by"]?.string == name)
            #expect(record.at("suites.0.cases.0.problem.type") == "Interrupted")
            #expect(
                record.at("suites.0.cases.0.problem.step") == "step.2"
                    || record.at("suites.0.cases.0.verdict") == "error"
            )
            let trace = try trace("demo.sleep/sleeps")
            #expect(steps(trace).last == "teardown.2 select FILE_2")
            #expect(trace.last?["end"] == "error")
            #expect(folder.text("out/junit.xml").hasSuffix("</testsuites>\n"))
            #expect(folder.files(below: "out/traces") == ["demo.sleep/sleeps.jsonl"])
        }

        @Test("a teardown that waits is run to its end after a signal")
        func waitingTeardown() throws {
            let child = try asleep(Self.sleeping(teardown: "  - delay: 700ms\n  - select: E1A2"))
            child.send(SIGTERM)
            #expect(try child.wait().status == 143)
            #expect(steps(try trace("demo.sleep/sleeps")).last == "teardown.3 select FILE_2")
        }

        @Test("a second signal skips the rest of the teardown")
        func impatient() throws {
            let child = try asleep(Self.sleeping(teardown: "  - delay: 8s\n  - select: E1A2"))
            child.send(SIGINT)
            let isTearingDown = child.wait(
                until: { folder.text("out/traces/demo.sleep/sleeps.jsonl").contains("teardown.1") }
            )
            #expect(isTearingDown)
            let begin = ContinuousClock.now
            child.send(SIGINT)
            let ending = try child.wait()
            #expect(ContinuousClock.now - begin < .seconds(3))
            #expect(ending.status == 130)
            #expect(!steps(try trace("demo.sleep/sleeps")).contains { $0.hasPrefix("teardown.3") })
            #expect(folder.text("out/junit.xml").hasSuffix("</testsuites>\n"))
        }

        @Test(
            "a teardown that takes too long costs its limit and not more, and the report says so (S42)",
            arguments: ["send: 00A40000023F00", "delay: 50s", "send: 00B00000FF\n    repeat: 1000000"]
        )
        func hangingTeardown(step: String) throws {
            try folder.write(
                "card.json",
                "{\"rules\":[{\"c\":\"00A40000023F00\",\"fault\":\"mute\"}],\"default\":\"9000\"}"
            )
            let child = try asleep(
                """
                rig: 1
                suite: demo.sleep
                target: iso7816
                options: { card: card.json }
                limits: { teardown: 2s }
                teardown:
                  - \(step)
                cases:
                  - name: sleeps
                    steps:
                      - send: 00B0000001
                      - delay: 60s
                """
            )
            let begin = ContinuousClock.now
            child.send(SIGTERM)
            let ending = try child.wait()
            #expect(ContinuousClock.now - begin < .seconds(4))
            #expect(ending.status == 143)
            let junit = folder.text("out/junit.xml")
            #expect(junit.hasSuffix("</testsuites>\n"))
            #expect(junit.contains("virtual: dirty since the teardown of 'sleeps': "), "\(junit)")
        }

        // MARK: Trouble on the way

        @Test("a card that hangs costs its case, and the following cases run")
        func hungCard() throws {
            try folder.write(
                "card.json",
                "{\"rules\":[{\"c\":\"80CA9F7F00\",\"fault\":\"mute\"}],\"default\":\"9000\"}"
            )
            let ending = try run(
                """
                rig: 1
                suite: demo.hang
                target: iso7816
                options: { card: card.json }
                limits: { apdu: 500ms }
                teardown:
                  - send: 00A4000C02E104
                cases:
                  - name: before
                    steps:
                      - send: 00B0000001
                  - name: hangs
                    steps:
                      - send: 80CA9F7F00
                  - name: after
                    steps:
                      - send: 00B0000001
                  - name: and after
                    steps:
                      - send: 00B0000001
                """
            ).wait()
            #expect(ending.status == 3)
            let cases = try ending.json().at("suites.0.cases")?.array ?? []
            #expect(
                cases.map { $0["verdict"]?.string } == ["passed", "error", "passed", "passed"],
                "\(ending.errors)"
            )
            #expect(cases[1].at("problem.type") == "RigTimeout")
            #expect(ending.seconds < 20)
        }

        @Test("a service that stops and starts again costs at most one case")
        func restart() throws {
            let cases = (1...5).map {
                """
                  - name: case \($0)
                    steps:
                      - select: D2760000850101
                      - select: E1A1
                      - delay: 400ms
                      - read: { length: 1 }
                """
            }
            let child = try run(
                "rig: 1\nsuite: demo.restart\ntarget: nbt\ncases:\n\(cases.joined(separator: "\n"))"
            )
            #expect(
                child.wait(until: { folder.text("out/traces/demo.restart/case-2.jsonl").contains("\"n\":2,") }
                )
            )
            try TestService.stop()
            try TestService.start()
            let ending = try child.wait()
            let verdicts = (try ending.json().at("suites.0.cases")?.array ?? []).map { $0["verdict"]?.string }
            #expect(verdicts.count == 5)
            #expect(verdicts.filter { $0 != "passed" }.count <= 1, "\(verdicts): \(ending.errors)")
            #expect(verdicts.last == "passed")
            #expect(ending.status == (verdicts.contains("error") ? 3 : 0))
        }

        @Test("the emulator is refused a reader in which another program's card sits")
        func foreignCard() throws {
            let device = try EmulatedDevice(["nbt"])
            let ending = try run(Scenarios.nbt(cases: Scenarios.passing)).wait()
            #expect(ending.status == 3)
            #expect(try ending.json().at("suites.0.cases.0.problem.type") == "ReaderBusy", "\(ending.errors)")
            _ = try device.end()
            TestService.waitUntilEmpty()
            #expect(try run(Scenarios.nbt(cases: Scenarios.passing)).wait().status == 0)
        }
    }
}
