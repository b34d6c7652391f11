// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// `send` and `shell` on a bench's role where no reader can be reached, and options in a run of several devices.
@Suite struct BenchDeviceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "bench.yaml",
            "bench: 1\nroles: { nbt: { reader: { serial: A1 } }, tangem: { reader: { serial: B2 } } }\n"
        )
        try folder.write("one.yaml", "bench: 1\nroles: { nbt: { reader: { serial: C3 } } }\n")
    }

    private func send(_ more: String...) throws -> ChildProcess.Ending {
        try Taprig.start(
            ["send", "00B0000001"] + more,
            in: folder.path,
            environment: Taprig.withoutService
        ).wait()
    }

    @Test func `Send takes the reader of the role, of the target's role, or of the only one`() throws {
        for (words, way) in [
            (["--bench", "bench.yaml", "--role", "tangem"], "pcsc:serial=B2"),
            (["--bench", "bench.yaml", "--target", "nbt"], "pcsc:serial=A1"),
            (["--bench", "one.yaml"], "pcsc:serial=C3"),
        ] {
            let ending = try Taprig.start(
                ["send", "00B0000001"] + words,
                in: folder.path,
                environment: Taprig.withoutService
            ).wait()
            #expect(ending.status == 3, "\(words)")
            #expect(ending.errors.contains("\(way): "), "\(ending.errors)")
        }
    }

    @Test func `Shell takes the reader of a role`() throws {
        let ending = try Taprig.run(
            "shell",
            "--bench",
            "bench.yaml",
            "--role",
            "tangem",
            in: folder.path,
            environment: Taprig.withoutService,
            input: "00B0000001\n"
        )
        #expect(ending.status == 3, "\(ending.everything)")
    }

    @Test func `What does not name one reader is refused before anything is sent`() throws {
        let both = try send("--bench", "one.yaml", "--via", "emulator")
        #expect(both.status == 2)
        #expect(both.sentence == "taprig: --via and --bench both name a reader; keep one of them")
        let alone = try send("--role", "nbt")
        #expect(alone.status == 2)
        #expect(alone.sentence?.contains("name the bench with --bench FILE") == true)
        let several = try send("--bench", "bench.yaml")
        #expect(several.status == 2)
        #expect(several.sentence?.contains("has several roles, nbt, tangem; name one with --role") == true)
        let unknown = try send("--bench", "bench.yaml", "--role", "ntb")
        #expect(unknown.status == 2)
        #expect(unknown.sentence?.contains("has no role 'ntb'; did you mean 'nbt'?") == true)
        #expect(try send("--bench", "missing.yaml").status == 2)
    }

    @Test func `An option in a run of several devices is for those that have it`() throws {
        try folder.write(
            "nbt.yaml",
            Scenarios.nbt(
                "a.led",
                cases: """
                      - name: lights up
                        steps:
                          - kit.led: { is: lit }
                            expect: { within: 100ms }
                    """
            )
        )
        try folder.write(
            "card.json",
            #"{"kind":"card","atr":"3B80800101","protocol":"T=1","rules":[],"default":"9000"}"#
        )
        try folder.write(
            "other.yaml",
            """
            rig: 1
            suite: b.other
            target: iso7816
            options: { card: card.json }
            cases:
              - name: has no lamp
                steps:
                  - send: 00B0000001
            """
        )
        let ending = try Taprig.run(
            "run",
            "nbt.yaml",
            "other.yaml",
            "--option",
            "led=stuck-lit",
            "--json",
            "--out",
            "out",
            in: folder.path
        )
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try ending.json().at("suites.1.cases.0.verdict") == "passed")
    }
}
