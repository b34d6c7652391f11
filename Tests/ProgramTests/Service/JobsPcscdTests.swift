// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

extension ProgramPcscdTests {
    @Suite("Several workers behind a real service")
    struct JobsPcscdTests {
        private let folder: TemporaryFolder
        private static let readers = ["Virtual PCD 00 00", "Virtual PCD 00 01"]

        init() throws {
            folder = try TemporaryFolder()
            Self.waitUntilEmpty()
        }

        private static func waitUntilEmpty() {
            _ = TestService.eventually(within: .seconds(5)) {
                let readers = (try? Taprig.run("readers", "--json").json())?["readers"]?.array ?? []
                return readers.count == 2 && readers.allSatisfy { $0["state"]?.string == "empty" }
            }
        }

        /// Eight scenarios, the first of which takes longest.
        private func writeEight() throws {
            let cases = (1...8).map { number in
                """
                  - name: s\(number)
                    steps:
                      - select: D2760000850101
                      - write: { file: FILE_1, data: 0\(number) }
                      - delay: \(number == 1 ? 1200 : 200)ms
                      - read: { file: FILE_1, length: 1 }
                        expect: { data: 0\(number) }
                """
            }
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: cases.joined(separator: "\n"),
                    header: "options: { firmware-loop: off }\n"
                )
            )
        }

        /// Checks that eight results stand in file order, that both readers were used, and neither by two at a time.
        private func judge(_ record: JSON) throws {
            let cases = record.at("suites.0.cases")?.array ?? []
            #expect(cases.map { $0["name"]?.string } == (1...8).map { "s\($0)" })
            #expect(cases.allSatisfy { $0["verdict"]?.string == "passed" }, "\(record.text)")
            #expect(Set(cases.compactMap { $0["reader"]?.string }) == Set(Self.readers))
            let format = ISO8601DateFormatter()
            format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let held = try cases.map { item in
                let start = try #require(item["started"]?.string.flatMap(format.date(from:)))
                    .timeIntervalSince1970
                let length = Double(item["duration_ns"]?.integer ?? 0) / 1e9
                // Stamps have milliseconds, durations nanoseconds.
                return (reader: item["reader"]?.string, start: start + 0.001, end: start + length - 0.001)
            }
            var together = 0
            for (index, one) in held.enumerated() {
                for other in held.dropFirst(index + 1) where one.start < other.end && other.start < one.end {
                    #expect(one.reader != other.reader)
                    together += 1
                }
            }
            #expect(together > 0, "they ran one after the other")
        }

        @Test("run eight scenarios on two virtual cards, one at a time on each (S18)")
        func virtualCards() throws {
            try writeEight()
            let ending = try Taprig.start(
                ["run", "suite.yaml", "--via", "virtual", "--jobs", "2", "--out", "out", "--json"],
                in: folder.path
            ).wait()
            #expect(ending.status == 0, "\(ending.errors)")
            try judge(try ending.json())
            let traces = (1...8).map { folder.text("out/traces/demo.suite/s\($0).jsonl") }
            #expect(traces.allSatisfy { $0.contains("{\"end\":\"passed\"") })
        }

        @Test("keep the order of the files where cases fail, are skipped or tried again (S18)")
        func mixedOutcomes() throws {
            let bodies = [
                "      - read: { file: FILE_1, length: 1 }\n      - delay: 700ms",
                "      - read: { file: FILE_1, length: 1 }\n        expect: { data: EE }",
                "      - write: { file: FILE_1, data: 01 }\n        fault: { kind: remove }\n        repeatable: no",
                "      - read: { file: FILE_1, length: 1 }",
            ]
            for name in ["b", "a"] {
                let cases = bodies.enumerated().map { index, body in
                    let retry = index == 2 ? "    retry: { on: [CardRemoved], max: 1 }\n" : ""
                    let needs = index == 3 ? "    needs: [\"firmware>=9999\"]\n" : ""
                    return "  - name: \(name)\(index + 1)\n\(retry)\(needs)    steps:\n"
                        + "      - select: D2760000850101\n\(body)"
                }
                try folder.write(
                    "\(name).yaml",
                    Scenarios.nbt(
                        "demo.\(name)",
                        cases: cases.joined(separator: "\n"),
                        header: "options: { firmware-loop: off }\n"
                    )
                )
            }
            let ending = try Taprig.start(
                ["run", "b.yaml", "a.yaml", "--via", "virtual", "--jobs", "2", "--out", "out", "--json"],
                in: folder.path
            ).wait()
            #expect(ending.status == 1, "\(ending.errors)")
            let suites = try ending.json()["suites"]?.array ?? []
            #expect(suites.map { $0["name"]?.string } == ["demo.b", "demo.a"])
            for (suite, letter) in zip(suites, ["b", "a"]) {
                let cases = suite["cases"]?.array ?? []
                #expect(cases.map { $0["name"]?.string } == (1...4).map { "\(letter)\($0)" })
                #expect(
                    cases.map { $0["verdict"]?.string } == ["passed", "failed", "error", "skipped"],
                    "\(suite.text)"
                )
                #expect(cases[2]["attempts"]?.array?.count == 2)
            }
        }

        @Test("run them on two named readers, and refuse two names of one")
        func namedReaders() throws {
            try writeEight()
            let first = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let second = try EmulatedDevice([
                "nbt", "--option", "firmware-loop=off", "--vpcd", "localhost:35964",
            ])
            let vias = Self.readers.flatMap { ["--via", "pcsc:\($0)"] }
            let ending = try Taprig.start(
                ["run", "suite.yaml", "--out", "out", "--json", "--wait", "10s"] + vias,
                in: folder.path
            ).wait()
            #expect(ending.status == 0, "\(ending.errors)")
            try judge(try ending.json())
            #expect(try ending.json().at("suites.0.reader") == .string(Self.readers.joined(separator: ", ")))
            let twice = try Taprig.start(
                ["run", "suite.yaml", "--via", "pcsc:\(Self.readers[0])", "--via", "pcsc:*00 00"],
                in: folder.path
            ).wait()
            #expect(twice.status == 2)
            #expect(
                twice.sentence?.contains("are one reader: 'Virtual PCD 00 00'") == true,
                "\(twice.errors)"
            )
            _ = try first.end()
            _ = try second.end()
            Self.waitUntilEmpty()
        }

        @Test("remember the retry counters of a sample from run to run (S29)")
        func retryCounters() throws {
            let card = try folder.write(
                "card.json",
                "{\"rules\":[{\"c\":\"002000010430303030\",\"r\":\"63C1\"}],\"default\":\"9000\"}"
            )
            let device = try EmulatedDevice([
                "script", "--card", card, "--trace", folder.path("device.jsonl"),
            ])
            try folder.write(
                "suite.yaml",
                """
                rig: 1
                suite: demo.pin
                target: iso7816
                cases:
                  - name: wrong PIN
                    steps:
                      - send: "002000010430303030"
                        expect: { sw: 63C1 }
                """
            )
            let endings = try (1...2).map { number in
                try Taprig.start(
                    [
                        "run", "suite.yaml", "--out", "out\(number)", "--json", "--wait", "10s", "--via",
                        "pcsc:\(TestService.reader)",
                    ],
                    in: folder.path,
                    environment: ["TAPRIG_LEDGER": folder.path("state/counters.json")]
                ).wait()
            }
            #expect(endings.map(\.status) == [0, 3], "\(endings.map(\.errors))")
            #expect(try endings[1].json().at("suites.0.cases.0.problem.type") == "RetryGuard")
            #expect(folder.text("state/counters.json").contains("\"20/01\""))
            #expect(try device.end().status == 143)
            let attempts = folder.text("device.jsonl").split(separator: "\n").filter {
                $0.contains("\"00200001")
            }
            #expect(attempts.count == 1, "the second run's PIN never reached the card")
            try folder.write("state/counters.json", "no ledger")
            let broken = try Taprig.start(
                ["run", "suite.yaml", "--out", "out3", "--via", "pcsc:\(TestService.reader)"],
                in: folder.path,
                environment: ["TAPRIG_LEDGER": folder.path("state/counters.json")]
            ).wait()
            #expect(broken.status == 3)
            #expect(broken.sentence?.contains("nobody knows how many tries samples have left") == true)
        }

        @Test("of two programs never mix their commands within a scenario (S17)")
        func wire() throws {
            let card = try folder.write("card.json", "{\"rules\":[],\"default\":\"9000\"}")
            let device = try EmulatedDevice([
                "script", "--card", card, "--trace", folder.path("device.jsonl"),
            ])
            for who in ["A", "B"] {
                let cases = (1...4).map { number in
                    let steps = (1...4).map {
                        "      - send: 00B0\(who)\(number)0\($0)01\n      - delay: 30ms\n"
                    }
                    return "  - name: c\(number)\n    steps:\n" + steps.joined()
                }
                try folder.write(
                    "\(who).yaml",
                    "rig: 1\nsuite: demo.\(who.lowercased())\ntarget: iso7816\ncases:\n" + cases.joined()
                )
            }
            let runs = try ["A", "B"].map { who in
                try Taprig.start(
                    [
                        "run", "\(who).yaml", "--out", who, "--wait", "10s", "--via",
                        "pcsc:\(TestService.reader)",
                    ],
                    in: folder.path
                )
            }
            let statuses = try runs.map { try $0.wait().status }
            #expect(statuses.contains(0))
            #expect(statuses.allSatisfy { [0, 3].contains($0) })
            #expect(try device.end().status == 143)
            let seen = try folder.text("device.jsonl").split(separator: "\n").compactMap {
                try JSON(parsing: Array($0.utf8))["c"]?.string
            }
            // A letter and a digit tell the scenario.
            let who = seen.filter { $0.hasPrefix("00B0") }.map { String($0.dropFirst(4).prefix(2)) }
            #expect(who.count >= 16)
            for (index, name) in who.enumerated() {
                let isBack = index > 0 && who[index - 1] != name && who[..<index].contains(name)
                #expect(!isBack, "command \(index + 1) comes after one of another scenario: \(who)")
            }
        }
    }
}
