// SPDX-License-Identifier: MIT

import Testing

/// Names from files on their way to a terminal.
@Suite struct TerminalTextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `The name of a bench steers no terminal`() throws {
        try folder.write(
            "bench.yaml",
            #"""
            bench: 1
            name: "\e[31mred\rbench"
            roles: {nbt: {reader: {pattern: "\e[2J"}}}
            """#
        )
        let ending = try Taprig.run(
            "bench",
            "check",
            "bench.yaml",
            in: folder.path,
            environment: Taprig.withoutService
        )
        #expect(ending.output.contains(#"bench \u001B[31mred\u000Dbench: "#))
        #expect(!ending.everything.contains("\u{1B}") && !ending.everything.contains("\r"))
    }

    @Test func `Words of the command line and of scenarios steer none either`() throws {
        let wrong = try Taprig.run("emulate", "\u{1B}[31mnbt")
        #expect(wrong.status == 2)
        #expect(!wrong.everything.contains("\u{1B}"))
        try folder.write(
            "a.yaml",
            "rig: 1\nsuite: a.b\ntitle: \"\\e[31mred\"\ntarget: nbt\ncases:\n  - name: \"\\e[31mcase\"\n    stepz: []\n"
        )
        for command in ["lint", "list", "run"] {
            let ending = try Taprig.run(command, "a.yaml", in: folder.path)
            #expect(!ending.everything.contains("\u{1B}"), "\(command)")
        }
    }
}
