// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Values that are known before a run")
struct KnownValueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ head: String, _ steps: String) throws {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.known
            target: nbt
            \(head)
            cases:
              - name: works on ${file}
                matrix: { file: [FILE_1, FILE_9] }
                steps:
                  - select: D2760000850101
            \(lines)
            """
        )
    }

    @Test(
        "are checked before the first command, each in its row",
        arguments: [
            (
                "vars: {}", "- read: { file: \"${file}\", length: 1 }",
                "suite.yaml:10:24: ${file}: 'FILE_9' is neither hex nor a name of nbt (with file=FILE_9); "
                    + "did you mean 'FILE_1'?"
            ),
            (
                "vars: { bad: \"12345\" }", "- write: { file: FILE_1, data: \"${bad}\" }",
                "suite.yaml:10:39: ${bad}: 5 hex digits are no whole bytes; two digits make a byte"
            ),
            (
                "vars: { list: { random: 2, count: 4 } }", "- write: { file: FILE_1, data: \"${list}\" }",
                "suite.yaml:10:39: ${list}: this takes bytes (hex, or a name), not a list"
            ),
            (
                "vars: { count: abc }",
                "- read: { file: FILE_1, length: 1 }\n  expect: { len: \"${count}\" }",
                "suite.yaml:11:25: ${count}: 'a' begins no number such as 16 or 0x10"
            ),
        ]
    )
    func wrong(_ head: String, _ steps: String, _ sentence: String) throws {
        try write(head, steps)
        for command in [["lint", "suite.yaml"], ["run", "suite.yaml", "--out", "out"]] {
            let ending = try Taprig.start(command, in: folder.path).wait(limit: .seconds(60))
            #expect(ending.status == 2)
            let lines = ending.everything.split(separator: "\n").map(String.init)
            #expect(lines.first == sentence, "\(ending.everything)")
            #expect(!folder.files().contains { $0.hasSuffix(".jsonl") })
        }
    }

    @Test(
        "are left alone where a capture, a condition or another row decides",
        arguments: [
            "- read: { file: \"${file}\", length: 1 }\n  if: \"${file} == FILE_1\"",
            "- read: { file: FILE_1, length: 1 }\n  capture: { seen: data }\n"
                + "- write: { file: FILE_1, data: \"${seen}\" }",
            "- read: { file: FILE_1, length: 1 }\n  capture: { seen: data }\n"
                + "- read: { file: \"${file}\", length: 1 }\n  if: \"${seen} == FF\"",
            "- log: \"${file} ${none}\"\n  if: \"present ${none}\"",
        ]
    )
    func leftAlone(_ steps: String) throws {
        try write("vars: {}", steps)
        let ending = try Taprig.run("lint", "suite.yaml", in: folder.path)
        #expect(ending.status == 0, "\(ending.everything)")
    }

    @Test("may come from the command line, the environment and a call of a library")
    func sources() throws {
        try folder.write(
            "lib.yaml",
            """
            steps:
              look:
                args: [place]
                steps:
                  - read: { file: "${place}", length: "${count}" }
            """
        )
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.known
            target: nbt
            include: [lib.yaml]
            vars: { count: 1, where: FILE_1 }
            cases:
              - name: works
                steps:
                  - select: D2760000850101
                  - use: { name: look, with: { place: "${where}" } }
            """
        )
        func lint(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> String {
            let all = ["lint", "suite.yaml"] + arguments
            return try Taprig.start(all, in: folder.path, environment: environment)
                .wait(limit: .seconds(60)).everything
        }
        #expect(try lint().hasPrefix("1 suite"))
        #expect(
            try lint(["--var", "count=x"])
                == "lib.yaml:5:44: ${count}: 'x' begins no number such as 16 or 0x10\n"
        )
        #expect(
            try lint([], ["RIG_VAR_WHERE": "01"])
                == "lib.yaml:5:24: ${place}: a file is two bytes, such as E104, or a name; 1 byte stands here\n"
        )
    }

    @Test("that are secret are judged without a letter of them")
    func secrets() throws {
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.known
            target: nbt
            secrets: [count, key]
            vars: { made: "${key}" }
            cases:
              - name: works
                steps:
                  - select: D2760000850101
                  - read: { file: FILE_1, length: "${count}" }
                    expect: { data: "${key}" }
                  - write: { file: FILE_1, data: "${made}" }
            """
        )
        let environment = ["RIG_VAR_COUNT": "tre", "RIG_VAR_KEY": "zyx"]
        for command in [["lint", "suite.yaml"], ["run", "suite.yaml", "--out", "out"]] {
            let ending = try Taprig.start(command, in: folder.path, environment: environment).wait(
                limit: .seconds(60)
            )
            let wanted = [
                "suite.yaml:10:40: ${count}: the value of the secret does not fit; this takes a number",
                "suite.yaml:11:26: ${key}: the value of the secret does not fit; this takes bytes (hex, or a name)",
                "suite.yaml:12:39: ${made}: the value of the secret does not fit; this takes bytes (hex, or a name): 1 byte at least",
            ]
            #expect(ending.everything.split(separator: "\n").prefix(3).map(String.init) == wanted)
            #expect(ending.status == 2)
        }
        for file in folder.files() where file.hasPrefix("out") {
            let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
            #expect(!text.contains("'t'") && !text.contains("zyx") && !text.contains("tre "), "\(file)")
        }
    }
}
