// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("Secrets")
struct SecretTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Commands with secrets, what nobody may read, and what must stay readable.
    struct Secrets: Sendable, CustomTestStringConvertible {
        let name: String
        let commands: [String]
        let forbidden: [String]
        let keep: [String]

        var testDescription: String { name }

        static func all() throws -> [Secrets] {
            let field = try FieldCase.folder(of: "S36")
            let expect = try FieldCase.json("\(field)/expect.json")
            let commands = try FieldCase.text("\(field)/trace.jsonl").split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))["c"]?.string ?? ""
            }
            var out = [Secrets("S36", commands, expect["forbidden_anywhere"], expect["keep"])]
            for name in try FieldCase.names("own") where name.hasPrefix("S36") {
                let own = try FieldCase.json("own/\(name)")
                let commands = own["commands"]?.array?.compactMap(\.string) ?? []
                out.append(Secrets(name, commands, own["forbidden"], own["keep"]))
            }
            return out
        }

        private init(_ name: String, _ commands: [String], _ forbidden: JSON?, _ keep: JSON?) {
            self.name = name
            self.commands = commands
            self.forbidden = forbidden?.array?.compactMap(\.string) ?? []
            self.keep = keep?.array?.compactMap(\.string) ?? []
        }
    }

    private func expectNone(of secrets: Secrets, in text: String, _ place: String) {
        for word in secrets.forbidden { #expect(!text.contains(word), "\(word) in \(place)") }
    }

    @Test("S36: stay out of what send prints, as text and as JSON", arguments: try Secrets.all())
    func send(_ secrets: Secrets) throws {
        #expect(!secrets.commands.isEmpty && !secrets.forbidden.isEmpty)
        let card = try folder.write("card.json", "{\"rules\":[],\"default\":\"9000\"}")
        let script = try folder.write("commands.txt", secrets.commands.joined(separator: "\n"))
        let options = ["send", "-f", script, "--target", "iso7816", "--option", "card=\(card)"]
        for more in [[], ["--json"], ["--stats"], ["--raw"]] {
            let ending = try Taprig.start(options + more).wait()
            #expect(ending.status == 0)
            expectNone(of: secrets, in: ending.everything, "send \(more)")
            for word in secrets.keep {
                #expect(ending.output.contains(word) || more == ["--stats"], "\(word)")
            }
        }
        let shown = try Taprig.start(options + ["--show-secrets"]).wait()
        #expect(shown.output.contains(secrets.forbidden[0].uppercased()))
        #expect(shown.sentence?.hasPrefix("warning: ") == true)
    }

    @Test("S36: stay out of every file and line of a run", arguments: try Secrets.all())
    func run(_ secrets: Secrets) throws {
        let card = "{\"rules\":[],\"default\":\"6A80\"}"
        try folder.write("card.json", card)
        let steps = secrets.commands.map { "      - send: \"\($0)\"\n        allow: [6A80]" }
        // The last case fails with the secret in its expectation's way.
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.secrets
            target: iso7816
            options: { card: card.json }
            cases:
              - name: sends
                steps:
            \(steps.joined(separator: "\n"))
              - name: fails
                steps:
                  - send: "\(secrets.commands[0])"
            """
        )
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 1)
        expectNone(of: secrets, in: ending.everything, "the output")
        let files = folder.files(below: "out")
        #expect(files.count == 6)
        for name in files { expectNone(of: secrets, in: folder.text("out/\(name)"), name) }
        for name in files where name.hasSuffix(".jsonl") {
            let shown = try Taprig.run("trace", "show", folder.path("out/\(name)"))
            expectNone(of: secrets, in: shown.everything, "trace show")
        }
        let report = try Taprig.run("report", folder.path("out/run.json"))
        expectNone(of: secrets, in: report.everything, "report")
    }

    @Test("of an NBT stay out of everything that its verbs leave")
    func chipVerbs() throws {
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.chip
            target: nbt
            cases:
              - name: verbs with secrets
                steps:
                  - select: D2760000850101
                  - nbt.create-password: { id: 5, password: C0DEFA11, response: BEE5 }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.change-password: { id: 5, password: F00DBABE, master: 5CA1AB1E }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.unblock-password: { id: 5, master: 5CA1AB1E }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.personalize: { cott-key: C0FFEE01C0FFEE02C0FFEE03C0FFEE04 }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.personalize: { password: 1BADB002, id: 6 }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.delete-password: { id: 5, master: 5CA1AB1E }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.select: { file: FILE_1, read-password: C0DEFA11, write-password: F00DBABE }
                    expect: { sw: [9000, 6700..6FFF] }
                  - nbt.policy: { master: 5CA1AB1E }
                  - nbt.create-password: { id: 7, password: C0DEFA11, response: "0000" }
            """
        )
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 1, "\(ending.everything)")
        let forbidden = [
            "C0DEFA11", "F00DBABE", "5CA1AB1E", "C0FFEE0", "1BADB002", "BEE5",
        ]
        let files = folder.files(below: "out").map { ($0, folder.text("out/\($0)")) }
        #expect(files.count > 3)
        for (name, text) in files + [("the output", ending.everything)] {
            for word in forbidden { #expect(!text.uppercased().contains(word), "\(word) in \(name)") }
        }
        let trace = folder.text("out/traces/demo.chip/verbs-with-secrets.jsonl")
        #expect(trace.contains("\"c\":\"00E100000905************0003\""))
        #expect(trace.contains("\"c\":\"00A4000C0EE1A15204********5404********00\""))
    }

    private static let code = "47114242"

    private func writeSuite() throws {
        try folder.write(
            "card.json",
            "{\"rules\":[{\"c\":\"00B0000008\",\"r\":\"AA\(Self.code)BB9000\"}],\"default\":\"9000\"}"
        )
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.pin
            target: iso7816
            options: { card: card.json }
            secrets: [pin]
            cases:
              - name: the card tells it
                steps:
                  - send: "00D6000004${pin}"
                  - send: 00B0000008
                    expect: { data: FF }
            """
        )
    }

    @Test("of the environment are masked in everything that a run leaves, wherever they occur")
    func environment() throws {
        try writeSuite()
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            in: folder.path,
            environment: ["RIG_VAR_PIN": Self.code]
        )
        #expect(ending.status == 1, "\(ending.everything)")
        #expect(!ending.everything.contains(Self.code))
        for name in folder.files(below: "out") {
            #expect(!folder.text("out/\(name)").contains(Self.code), "\(name)")
        }
        let trace = folder.text("out/traces/demo.pin/the-card-tells-it.jsonl")
        #expect(trace.contains("\"c\":\"00D6000004********\""))
        #expect(trace.contains("\"r\":\"AA********BB9000\""))
    }

    @Test("are shown with --show-secrets, which warns and marks the files")
    func shown() throws {
        try writeSuite()
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            "--show-secrets",
            in: folder.path,
            environment: ["RIG_VAR_PIN": Self.code]
        )
        #expect(ending.everything.contains("warning: secrets are shown"))
        let trace = folder.text("out/traces/demo.pin/the-card-tells-it.jsonl")
        #expect(trace.contains("00D6000004\(Self.code)"))
        #expect(trace.split(separator: "\n")[0].contains("secrets"))
        #expect(folder.text("out/run.json").contains("\"secrets\":true"))
    }

    @Test("are refused as arguments")
    func arguments() throws {
        try writeSuite()
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            "--var",
            "pin=\(Self.code)",
            in: folder.path
        )
        #expect(ending.status == 2)
        #expect(ending.sentence?.contains("RIG_VAR_PIN") == true, "\(ending.errors)")
        #expect(!ending.everything.contains(Self.code))
        #expect(folder.files(below: "out").isEmpty)
    }

    /// Two secrets in a case and its library, one that only another case asks for, one behind `present`.
    private func writeSuiteOfSecrets() throws {
        try folder.write(
            "lib.yaml",
            """
            steps:
              enter:
                - send: { cla: 00, ins: 20, p1: 00, p2: 81, data: "${puk}" }
                  expect: { sw: 0000..FFFF }
            """
        )
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.many
            target: nbt
            include: [lib.yaml]
            secrets: { pin: , puk: { file: puk.txt }, code: , spare: }
            teardown:
              - use: enter
            cases:
              - name: one
                steps:
                  - send: 00B0000001
                    expect: { sw: 0000..FFFF }
                  - send: { cla: 00, ins: 20, p1: 00, p2: 81, data: "${pin}" }
                    expect: { sw: 0000..FFFF }
                  - log: "${spare}"
                    if: present ${spare}
              - name: two
                steps:
                  - log: "${code}"
            """
        )
    }

    @Test("that have no value are all told before anything is sent")
    func missing() throws {
        try writeSuiteOfSecrets()
        let lint = try Taprig.run("lint", "suite.yaml", in: folder.path)
        #expect(lint.status == 0, "\(lint.everything)")
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 2)
        let lines = ending.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(
            lines.first
                == "suite.yaml:5:12: the secret 'pin' has no value; set RIG_VAR_PIN in the environment (line 13 asks for it)"
        )
        #expect(
            lines.contains { $0.hasPrefix("suite.yaml:5:19: the secret 'puk' has no value: cannot read ") }
        )
        #expect(lines.contains { $0.contains("puk.txt") && $0.hasSuffix("(lib.yaml:3:56 asks for it)") })
        #expect(
            lines.contains {
                $0.hasPrefix("suite.yaml:5:43: the secret 'code' has no value; set RIG_VAR_CODE")
            }
        )
        let last = "taprig: a value is missing or wrong: nothing was run; report: "
        #expect(lines.last?.hasPrefix(last) == true)
        // What CI shows is there, and no trace.
        #expect(folder.files(below: "out").filter { $0.hasSuffix(".jsonl") }.isEmpty)
        let junit = folder.text("out/junit.xml")
        #expect(junit.contains("ScenarioInvalid") && junit.contains("RIG_VAR_PIN"))
        #expect(!junit.contains("taprig lint"))
    }

    @Test("that no selected case asks for need no value, and an empty variable is none")
    func selected() throws {
        try writeSuiteOfSecrets()
        try folder.write("puk.txt", "12345678")
        func runTwo(code: String) throws -> ChildProcess.Ending {
            try Taprig.run(
                "run",
                "suite.yaml",
                "--out",
                "out",
                "--case",
                "two",
                in: folder.path,
                environment: ["RIG_VAR_CODE": code]
            )
        }
        let two = try runTwo(code: "4711")
        #expect(two.status == 0, "\(two.everything)")
        let empty = try runTwo(code: "")
        #expect(empty.status == 2)
        #expect(empty.errors.contains("RIG_VAR_CODE is set, but empty"))
    }

    @Test("in arguments of send are warned of, and masked")
    func sendArgument() throws {
        let ending = try Taprig.run("send", "0020000104\(Self.code)")
        #expect(ending.sentence?.hasPrefix("warning: argument 1 holds a PIN") == true)
        #expect(!ending.everything.contains(Self.code))
    }
}
