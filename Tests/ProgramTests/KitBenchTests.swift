// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// `taprig kit ... --bench`: probes and boards by the names of a bench file.
@Suite struct KitBenchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func kit(_ words: String...) throws -> ChildProcess.Ending {
        try Taprig.start(["kit"] + words, in: folder.path).wait()
    }

    /// Runs with the address of an emulated kit's probe.
    private func withKit(_ body: (String) throws -> Void) throws {
        let child = try Taprig.start(["kit", "emulate", "--tcp", "localhost:0"])
        defer { child.send(SIGKILL) }
        #expect(child.wait(until: { child.outputSoFar.contains("tcp:") }))
        try body(String(try #require(child.outputSoFar.split(separator: "\n").first)))
    }

    @Test func `A probe is named by its role, its name or its board, and brings its board`() throws {
        try withKit { address in
            try folder.write(
                "bench.yaml",
                """
                bench: 1
                roles:
                  nbt: { reader: { serial: A1 }, probe: kit }
                  tangem: { reader: { serial: B2 } }
                probes:
                  kit: { kind: cmsis-dap, address: "\(address)" }
                  turned: { kind: cmsis-dap, address: "\(address)", board: mine, led: P13.7, led-lit: high, button: P0.4 }
                  scope: { kind: oscilloscope }
                """
            )
            let plain = try kit("led", "--probe", address)
            #expect(plain.output == "dark\n", "\(plain.everything)")
            for words in [["--role", "nbt"], ["--probe", "kit"], ["--probe", address]] {
                let ending = try Taprig.start(
                    ["kit", "led", "--bench", "bench.yaml"] + words,
                    in: folder.path
                ).wait()
                #expect(ending.output == "dark\n", "\(words): \(ending.everything)")
            }
            // The same pin, of a board whose LED is lit by the other level.
            for words in [
                ["--probe", "turned"], ["--board", "mine"], ["--probe", address, "--board", "mine"],
            ] {
                let ending = try Taprig.start(
                    ["kit", "led", "--bench", "bench.yaml"] + words,
                    in: folder.path
                ).wait()
                #expect(ending.output == "lit\n", "\(words): \(ending.everything)")
            }
            let button = try kit("button", "--bench", "bench.yaml", "--role", "nbt")
            #expect(button.status == 0, "\(button.errors)")
        }
    }

    @Test func `The only probe is taken; of several one must be named`() throws {
        try withKit { address in
            try folder.write(
                "one.yaml",
                "bench: 1\nroles: { nbt: { reader: { serial: A1 } } }\nprobes: { kit: { kind: cmsis-dap, address: \"\(address)\" }, x: { kind: scope } }\n"
            )
            let only = try kit("led", "--bench", "one.yaml")
            #expect(only.output == "dark\n", "\(only.everything)")
        }
        try folder.write(
            "two.yaml",
            """
            bench: 1
            roles: { nbt: { reader: { serial: A1 } } }
            probes: { a: { kind: cmsis-dap }, b: { kind: cmsis-dap, serial: B }, x: { kind: scope } }
            """
        )
        try folder.write("none.yaml", "bench: 1\nroles: { nbt: { reader: { serial: A1 } } }\n")
        let refusals: [([String], String)] = [
            (["--bench", "two.yaml"], "several debug probes: a, b; choose one with --probe NAME"),
            (["--bench", "none.yaml"], "has no debug probe of kind cmsis-dap"),
            (["--bench", "two.yaml", "--probe", "x"], "is of kind 'scope'"),
            (["--bench", "two.yaml", "--probe", "c"], "on the bench there are a, b, x"),
            (["--bench", "two.yaml", "--role", "nbt"], "has no probe; give it one with 'probe: NAME'"),
            (["--bench", "two.yaml", "--role", "ntb"], "did you mean 'nbt'?"),
            (["--bench", "two.yaml", "--role", "nbt", "--probe", "a"], "keep one of them"),
            (["--bench", "two.yaml", "--probe", "a", "--board", "nosuch"], "there is no board 'nosuch'"),
            (["--role", "nbt"], "name the bench with --bench FILE"),
            (["--board", "nosuch"], "name it with --bench FILE"),
            (["--bench", "nosuch.yaml"], "bench check"),
        ]
        for (words, sentence) in refusals {
            for command in ["led", "watch", "button", "reset", "uart"] {
                let ending = try Taprig.start(["kit", command] + words, in: folder.path).wait()
                #expect(ending.status == 2, "\(words)")
                #expect(ending.errors.contains(sentence), "\(words): \(ending.errors)")
                #expect(ending.output.isEmpty)
            }
        }
    }
}
