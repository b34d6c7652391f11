// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Variables of the command line")
struct VariableTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.vars
            target: nbt
            vars: { host: a }
            cases:
              - name: reads
                matrix: { file: [FILE_1, FILE_2] }
                steps:
                  - select: D2760000850101
                  - read: { file: "${file}", length: 1 }
                    capture: { seen: data }
                  - log: "${host} ${seen} ${port}"
            """
        )
    }

    @Test(
        "that nobody takes are refused with one sentence, by run, lint and list",
        arguments: [
            ("hots=b", "--var hots: no scenario of this run has a variable 'hots'; did you mean 'host'?"),
            (
                "zebra=b",
                "--var zebra: no scenario of this run has a variable 'zebra'; possible are host, port"
            ),
            (
                "file=FILE_3",
                "--var file: the case at suite.yaml:6:5 has 'file' in its matrix, which says its values; "
                    + "choose rows with --case '*file=FILE_1*', or change the matrix"
            ),
            (
                "seen=00",
                "--var seen: 'seen' gets its value from a capture at suite.yaml:11:20; leave it out, or rename one"
            ),
        ]
    )
    func refused(_ variable: String, _ sentence: String) throws {
        for command in ["run", "lint", "list"] {
            let ending = try Taprig.run(
                command,
                "suite.yaml",
                "--var",
                "port=1",
                "--var",
                variable,
                in: folder.path
            )
            #expect(ending.status == 2)
            #expect(ending.sentence == "taprig: \(sentence)", "\(command): \(ending.everything)")
        }
        #expect(folder.files() == ["suite.yaml"])
    }

    @Test(
        "that the scenario has, or only asks for, are taken; the environment leaves matrix and captures alone"
    )
    func taken() throws {
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            "--var",
            "host=b",
            "--var",
            "port=1",
            in: folder.path,
            environment: ["RIG_VAR_FILE": "FILE_3", "RIG_VAR_SEEN": "77", "RIG_VAR_OTHER": "1"]
        )
        #expect(ending.status == 0, "\(ending.everything)")
        #expect(ending.output.contains("reads [file=FILE_2]"))
    }

    @Test("that a selected case takes from outside are taken, whatever other cases do with the name")
    func shared() throws {
        let head = "rig: 1\nsuite: demo.shared\ntarget: nbt\nsetup:\n  - select: D2760000850101\ncases:\n"
        try folder.write(
            "asks.yaml",
            head + "  - name: asks\n    steps:\n      - log: \"${uid} ${len}\"\n"
        )
        try folder.write(
            "fills.yaml",
            head.replacing("demo.shared", with: "demo.fills") + """
                  - name: fills
                    matrix: { len: [1, 2] }
                    steps:
                      - read: { file: FILE_1, length: "${len}" }
                        capture: { uid: data }
                      - log: "${uid}"
                """
        )
        for glob in ["*", "asks"] {
            let ending = try Taprig.run(
                "run",
                "asks.yaml",
                "fills.yaml",
                "--out",
                "out",
                "--var",
                "uid=5",
                "--var",
                "len=5",
                "--case",
                glob,
                in: folder.path
            )
            #expect(ending.status == 0, "\(ending.everything)")
        }
        let ending = try Taprig.run(
            "run",
            "asks.yaml",
            "fills.yaml",
            "--case",
            "fills*",
            "--var",
            "uid=5",
            "--var",
            "len=5",
            in: folder.path
        )
        #expect(ending.status == 2)
        #expect(
            ending.sentence?.hasPrefix("taprig: --var uid: 'uid' gets its value from a capture at ") == true,
            "\(ending.everything)"
        )
    }

    @Test("of the emulator that its target does not know are refused with what it has")
    func options() throws {
        let near = try Taprig.run(
            "run",
            "suite.yaml",
            "--var",
            "port=1",
            "--option",
            "polcy=open",
            in: folder.path
        )
        #expect(near.status == 2)
        #expect(near.sentence?.contains("has no option 'polcy'") == true)
        let far = try Taprig.run(
            "run",
            "suite.yaml",
            "--var",
            "port=1",
            "--option",
            "zebra=1",
            in: folder.path
        )
        #expect(far.sentence?.contains("has no option 'zebra'; possible are ") == true, "\(far.errors)")
    }
}
