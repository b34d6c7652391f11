// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

extension ProgramPcscdTests {
    @Suite("Runs on a bench behind a real service")
    struct BenchRunPcscdTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            TestService.waitUntilEmpty()
        }

        /// A bench whose samples tell the length of their capability container, as good a serial as any here.
        private func writeBench(allow: String, firmware: String = "002F", more: String = "") throws {
            try folder.write(
                "bench.yaml",
                """
                bench: 1
                ledger: state/counters.json
                roles:
                  nbt:
                    reader: { pattern: Virtual PCD 00 00 }
                    firmware:
                      version: "8.4"
                      command: [00A4040007D276000085010100, 00A4000C02E103, 00B0000002]
                      expect: \(firmware)
                    sample: { command: [00A4040007D276000085010100, 00A4000C02E103, 00B0000002] }
                allow: ["\(allow)"]
                \(more)
                """
            )
        }

        private func start(_ out: String, _ more: [String] = []) throws -> ChildProcess {
            try Taprig.start(
                ["run", "suite.yaml", "--bench", "bench.yaml", "--out", out, "--json"] + more,
                in: folder.path
            )
        }

        private func message(_ ending: ChildProcess.Ending) throws -> String {
            try ending.json().at("suites.0.cases.0.problem.message")?.string ?? ""
        }

        @Test("have the reader for themselves; the second is told who has it, or waits")
        func locks() throws {
            try writeBench(allow: "002F")
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: """
                          - name: takes its time
                            steps:
                              - select: D2760000850101
                              - delay: 3s
                              - select: D2760000850101
                        """,
                    header: "options: { firmware-loop: off }\n"
                )
            )
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let first = try start("one", ["--wait", "10s"])
            let hasBegun = first.wait(until: {
                folder.text("one/traces/demo.suite/takes-its-time.jsonl").contains("9000")
            })
            #expect(hasBegun)
            let second = try start("two").wait()
            #expect(second.status == 3)
            let words = try message(second)
            #expect(words.contains("in use by pid \(first.processID) (taprig run, user "), "\(words)")
            let plain = try Taprig.run("send", "--via", "pcsc:\(TestService.reader)", "00B0000001")
            #expect(plain.status == 3)
            #expect(plain.errors.contains("in use by pid \(first.processID)"), "\(plain.errors)")
            let third = try start("three", ["--wait", "60s"]).wait()
            #expect(third.status == 0, "\(third.everything)")
            #expect(try first.wait().status == 0)
            #expect(try third.json().at("suites.0.firmware") == "8.4")
            _ = try device.end()
        }

        @Test("have their devices at hand for single commands too")
        func commands() throws {
            try writeBench(allow: "002F")
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let sent = try Taprig.run(
                "send",
                "--bench",
                "bench.yaml",
                "--wait",
                "10s",
                "00A4040007D276000085010100",
                in: folder.path
            )
            #expect(sent.status == 0, "\(sent.everything)")
            #expect(sent.output.contains("<  9000  done"))
            let typed = try Taprig.run(
                "shell",
                "--bench",
                "bench.yaml",
                "--role",
                "nbt",
                in: folder.path,
                input: "select D2760000850101\n"
            )
            #expect(typed.status == 0, "\(typed.everything)")
            try writeBench(allow: "002F", firmware: "00FF")
            let aged = try Taprig.run("send", "--bench", "bench.yaml", "00B0000001", in: folder.path)
            #expect(aged.status == 3)
            #expect(aged.errors.contains("the device answered 002F"), "\(aged.everything)")
            _ = try device.end()
        }

        @Test("destroy what the bench allows by name, and nothing else")
        func destructive() throws {
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: Scenarios.passing,
                    header: "tags: [destructive]\noptions: { firmware-loop: off }\n"
                )
            )
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let wait = ["--wait", "10s"]
            try writeBench(allow: "00 2f")
            let unasked = try start("a", wait).wait()
            #expect(unasked.status == 3)
            #expect(try message(unasked).contains("only with --allow-destructive"))
            let allowed = try start("b", wait + ["--allow-destructive"]).wait()
            #expect(allowed.status == 0, "\(allowed.everything)")
            try writeBench(allow: "04A1B2C3D4E5F6")
            let other = try start("c", wait + ["--allow-destructive"]).wait()
            #expect(other.status == 3)
            #expect(try message(other).contains("the card 002F is not in the `allow` list of bench.yaml"))
            #expect(folder.files(below: "c/traces") == [])
            let plain = try start("d", wait + ["--allow-destructive", "--via", "pcsc:\(TestService.reader)"])
                .wait()
            #expect(plain.status == 3)
            #expect(try message(plain).contains("no bench names this card's serial"))
            try writeBench(allow: "002F", firmware: "00FF")
            let aged = try start("e", wait + ["--allow-destructive"]).wait()
            #expect(aged.status == 3)
            #expect(try message(aged).contains("firmware 8.4 expected as 00FF, the device answered 002F"))
            _ = try device.end()
        }

        @Test("work kit and operator by the bench's programs")
        func programs() throws {
            for (name, script) in [
                ("press.sh", "echo pressed $1 >> \"$TAPRIG_BENCH/log\""), ("led.sh", "echo dark"),
                ("ask.sh", "echo \"asked $1\" >> \"$TAPRIG_BENCH/log\""),
                ("field.sh", "echo field $1 >> \"$TAPRIG_BENCH/log\""),
            ] {
                chmod(try folder.write(name, "#!/bin/sh\n\(script)\n"), 0o755)
            }
            try writeBench(
                allow: "002F",
                more: """
                    programs:
                      kit.button: { exec: [press.sh, "7"] }
                      kit.led: { exec: [led.sh] }
                      operator: { exec: [ask.sh] }
                      field: { exec: [field.sh] }
                    """
            )
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: """
                          - name: works the kit
                            steps:
                              - operator: turn the card over
                              - field: off
                              - kit.button: press
                              - kit.led: dark
                              - field: on
                              - select: D2760000850101
                        """,
                    header: "options: { firmware-loop: off }\n"
                )
            )
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let ending = try start("out", ["--wait", "10s"]).wait()
            #expect(ending.status == 0, "\(ending.everything)")
            #expect(
                folder.text("log").split(separator: "\n") == [
                    "asked turn the card over", "field off", "pressed 7", "field on",
                ]
            )
            _ = try device.end()
        }

        @Test("connect to the reader of another role for the steps that address it")
        func otherRole() throws {
            try folder.write(
                "bench.yaml",
                """
                bench: 1
                ledger: state/counters.json
                roles:
                  nbt: { reader: { pattern: "Virtual PCD 00 00" } }
                  i2c: { reader: { pattern: "Virtual PCD 00 01" } }
                """
            )
            let step = """
                      - select: D2760000850101
                        on: i2c
                """
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: "  - name: both\n    steps:\n      - select: D2760000850101\n\(step)",
                    header: "options: { firmware-loop: off }\n"
                )
            )
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let alone = try start("one", ["--wait", "2s"]).wait()
            #expect(alone.status == 3)
            #expect(try message(alone).contains("Virtual PCD 00 01"), "\(alone.everything)")
            let other = try EmulatedDevice([
                "nbt", "--option", "firmware-loop=off", "--vpcd", "localhost:35964", "--trace",
                folder.path("other.jsonl"),
            ])
            let both = try start("two", ["--wait", "10s"]).wait()
            #expect(both.status == 0, "\(both.everything)")
            other.process.send(SIGTERM)
            #expect(try other.process.wait().status >= 0)
            #expect(folder.text("other.jsonl").contains("00A4040007D276000085010100"))
            _ = try device.end()
        }
    }
}
