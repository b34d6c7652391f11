// SPDX-License-Identifier: MIT

import Glibc
import JSONText
import Testing

@Suite("Exit status")
struct ExitStatusTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a suite of these cases.
    private func run(_ cases: String..., options: [String] = []) throws -> ChildProcess.Ending {
        try folder.write("suite.yaml", Scenarios.nbt(cases: cases.joined(separator: "\n")))
        return try Taprig.start(["run", "suite.yaml", "--out", "out"] + options, in: folder.path).wait()
    }

    @Test("of run: 0 when all held")
    func allHeld() throws {
        let ending = try run(Scenarios.passing)
        #expect(ending.status == 0)
        #expect(ending.output.contains("1 case: 1 passed"))
    }

    @Test("of run: 1 when a case failed, with errors beside it too")
    func failed() throws {
        #expect(try run(Scenarios.passing, Scenarios.failing).status == 1)
        let both = try run(Scenarios.failing, Scenarios.faulty)
        #expect(both.status == 1)
        #expect(both.output.contains("1 failed, 1 error"))
    }

    @Test("of run: 3 when there are errors and no failure")
    func errors() throws {
        let ending = try run(Scenarios.passing, Scenarios.faulty)
        #expect(ending.status == 3)
        #expect(folder.text("out/junit.xml").contains("<error type=\"CardRemoved\""))
    }

    @Test("of run: 2 when nothing is selected, and nothing is written")
    func nothingSelected() throws {
        for (options, reason) in [
            (["--case", "no such*"], "--case 'no such*' fits no case"),
            (["--tag", "nosuch"], "--tag 'nosuch': no case has the tag 'nosuch'"),
        ] {
            let ending = try run(Scenarios.passing, options: options)
            #expect(ending.status == 2)
            #expect(ending.sentence == "taprig: no case is selected: nothing was run; \(reason)")
            #expect(folder.files(below: "out").isEmpty)
        }
    }

    @Test("of run: a pattern or tag that fits nothing beside others is told, and costs nothing")
    func idleWords() throws {
        let ending = try run(
            Scenarios.passing,
            options: ["--case", "*", "--case", "no such*", "--tag", "!nosuch"]
        )
        #expect(ending.status == 0)
        #expect(ending.errors.contains("warning: --tag '!nosuch': no case has the tag 'nosuch'\n"))
        #expect(ending.errors.contains("warning: --case 'no such*' fits no case\n"))
    }

    @Test("of run: 3 when all is skipped, 0 when that is allowed or something else passed")
    func allSkipped() throws {
        #expect(try run(Scenarios.skipped).status == 3)
        #expect(try run(Scenarios.skipped, options: ["--allow-skipped"]).status == 0)
        #expect(try run(Scenarios.skipped, Scenarios.passing).status == 0)
    }

    @Test("of run: 3 when a skip is for want of something that is required")
    func required() throws {
        let ending = try run(
            Scenarios.skipped,
            Scenarios.passing,
            options: ["--require", "firmware >= 9999"]
        )
        #expect(ending.status == 3)
        #expect(ending.output.contains("and --require asks for it"))
        let bluetooth = """
              - name: needs a probe
                needs: [debug.probe]
                steps:
                  - select: D2760000850101
            """
        let lint = try Taprig.run("lint", try folder.write("n.yaml", Scenarios.nbt(cases: bluetooth)))
        guard lint.status == 0 else { return #expect(lint.output.contains("debug.probe")) }
        #expect(try run(bluetooth, options: ["--require", "debug.probe"]).status == 3)
    }

    @Test("of run: 2 for a wrong file, and its suite is an error of type ScenarioInvalid")
    func wrongFile() throws {
        try folder.write("good.yaml", Scenarios.nbt(cases: Scenarios.passing))
        try folder.write(
            "wrong.yaml",
            Scenarios.nbt("demo.wrong", cases: "  - name: x\n    steps:\n      - raed: FILE_1")
        )
        let ending = try Taprig.run("run", "good.yaml", "wrong.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("wrong.yaml:7:9: "))
        #expect(ending.errors.contains("did you mean 'read'?"))
        let junit = folder.text("out/junit.xml")
        #expect(junit.contains("<testsuite name=\"demo.wrong\""))
        #expect(junit.contains("type=\"ScenarioInvalid\""))
        #expect(folder.files(below: "out/traces").isEmpty)
    }

    @Test(
        "of run: 2 for a wrong command line",
        arguments: [
            (["run"], "needs PATH"), (["run", "--junti", "x", "."], "did you mean '--junit'?"),
            (["run", "--via", "smoke", "suite.yaml"], "is no way to a card"),
            (["run", "--seed", "x", "suite.yaml"], "is no number"),
            (["run", "--repeat", "0", "suite.yaml"], "is no number from 1"),
            (["run", "--option", "nosuch=1", "suite.yaml"], "has no option 'nosuch'"),
            (["run", "--option", "led=blue", "suite.yaml"], "must be one of normal"),
            (["run", "--require", "kit.lde", "suite.yaml"], "did you mean 'kit.led'?"),
            (["run", "--require", "nope", "suite.yaml"], "see `taprig verbs needs`"),
            (["run", "--require", "firmware=>4", "suite.yaml"], "'=>' in 'firmware=>4' compares nothing"),
            (["run", "--require", "firmware>=", "suite.yaml"], "is no version"),
            (["run", "--require", "role", "suite.yaml"], "no 'role NAME'"),
            (["run", "--junit", "-", "suite.yaml"], "`taprig report RUN.json --junit -`"),
            (["merge", "run.json", "-o", "-"], "name a file, for example -o whole/run.json"),
            (["run", "--junit-flavor", "odd", "suite.yaml"], "is no value for '--junit-flavor'"),
            (["run", "--label", "x", "suite.yaml"], "has no value"),
        ]
    )
    func wrongCommandLine(_ arguments: [String], _ words: String) throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let ending = try Taprig.start(arguments, in: folder.path).wait()
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.sentence?.contains(words) == true, "\(ending.errors)")
    }

    @Test(
        "of run: 3 when there is no service, with the reports written",
        arguments: ["virtual", "pcsc:Some"]
    )
    func noService(_ via: String) throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            "--via",
            via,
            in: folder.path,
            environment: Taprig.withoutService
        )
        #expect(ending.status == 3)
        #expect(folder.text("out/junit.xml").contains("<error type=\"ServiceGone\""))
        #expect(!folder.text("out/junit.xml").contains("ATTACHMENT|"), "no trace was written")
    }

    @Test("of lint: 0 without mistakes, 2 with")
    func lint() throws {
        let good = try folder.write("good.yaml", Scenarios.nbt(cases: Scenarios.passing))
        #expect(try Taprig.run("lint", good).output == "1 suite with 1 case: no mistakes\n")
        #expect(try Taprig.run("lint", good).status == 0)
        let wrong = try folder.write("wrong.yaml", Scenarios.nbt(cases: "  - name: x"))
        #expect(try Taprig.run("lint", wrong).status == 2)
        #expect(try Taprig.run("lint").status == 2)
    }

    @Test("of list: 0 when it lists, 2 when nothing fits or a file is wrong")
    func list() throws {
        let good = try folder.write("good.yaml", Scenarios.nbt(cases: Scenarios.passing))
        #expect(try Taprig.run("list", good).status == 0)
        #expect(try Taprig.run("list", good, "--tag", "nosuch").status == 2)
        #expect(try Taprig.run("list", folder.path("nosuch")).status == 2)
    }

    @Test("of readers: 3 without a service")
    func readers() throws {
        let ending = try Taprig.run("readers", environment: Taprig.withoutService)
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("pcscd") == true, "\(ending.errors)")
        #expect(try Taprig.run("readers", "extra").status == 2)
    }

    @Test("of send: 0 whatever the card answers, 2 for wrong input, 3 for trouble on the way")
    func send() throws {
        #expect(try Taprig.run("send", "00B0000001").status == 0)
        #expect(try Taprig.run("send").status == 2)
        #expect(try Taprig.run("send", "00B000000").status == 2)
        #expect(try Taprig.run("send", "--target", "ntb", "00B0000001").status == 2)
        #expect(try Taprig.run("send", "-f", folder.path("nosuch")).status == 2)
        let away = ["send", "--via", "pcsc:Some", "00B0000001"]
        #expect(try Taprig.start(away, environment: Taprig.withoutService).wait().status == 3)
    }

    @Test(
        "of send: never a crash, however short the command",
        arguments: ["00", "00A4", "00A400", "00A40000"]
    )
    func shortCommands(_ command: String) throws {
        #expect(try Taprig.run("send", command).status == 0)
    }

    @Test("of emulate: 2 for a wrong device, option or card")
    func emulate() throws {
        #expect(try Taprig.run("emulate").status == 2)
        #expect(try Taprig.run("emulate", "ntb").sentence?.contains("did you mean 'nbt'?") == true)
        #expect(try Taprig.run("emulate", "nbt", "--option", "nosuch=1").status == 2)
        #expect(try Taprig.run("emulate", "script").status == 2)
        #expect(try Taprig.run("emulate", "script", "--card", folder.path("nosuch")).status == 2)
        #expect(try Taprig.run("emulate", "nbt", "--options").status == 0)
        let damaged = try folder.write("card.json", "no card")
        let ending = try Taprig.run("emulate", "tangem", "--state", damaged)
        #expect(ending.status == 2)
        #expect(ending.sentence?.contains("card.json:1:1: the saved card is no JSON text") == true)
        let card = try folder.write("scripted.json", "{\"rules\":[],\"default\":\"9000\"}")
        #expect(try Taprig.run("emulate", "script", "--card", card, "--state", damaged).status == 2)
    }

    @Test(
        "of emulate: 130 and 143 after a signal",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func emulateSignals(_ signal: Int32, _ status: Int32) throws {
        // Nobody listens on the port: the card goes on dialling until the signal.
        let arguments = ["emulate", "nbt", "--vpcd", "localhost:9"]
        let child = try Taprig.start(arguments)
        #expect(child.wait(until: { child.errorsSoFar.contains("dialling") }))
        child.send(signal)
        #expect(try child.wait(limit: .seconds(20)).status == status)
    }

    @Test("of trace show and trace stats: 0 for a trace, 2 for anything else", arguments: ["show", "stats"])
    func trace(_ verb: String) throws {
        #expect(try run(Scenarios.passing).status == 0)
        let trace = folder.path("out/traces/demo.suite/passes.jsonl")
        #expect(try Taprig.run("trace", verb, trace).status == 0)
        #expect(try Taprig.run("trace", verb).status == 2)
        #expect(try Taprig.run("trace", verb, folder.path("nosuch")).status == 2)
        #expect(try Taprig.run("trace", verb, folder.path("suite.yaml")).status == 2)
    }

    @Test("of report: 0 when it is made, 2 for a wrong record, 3 when it cannot be written")
    func report() throws {
        #expect(try run(Scenarios.passing).status == 0)
        let record = folder.path("out/run.json")
        #expect(try Taprig.run("report", record).status == 0)
        #expect(try Taprig.run("report", record, "--junit", "-").output.hasPrefix("<?xml"))
        #expect(try Taprig.run("report", folder.path("nosuch")).status == 2)
        #expect(try Taprig.run("report", folder.path("suite.yaml")).status == 2)
        #expect(try Taprig.run("report", record, "--junit", folder.path("suite.yaml/f")).status == 3)
    }

    @Test("of the program: 2 without or with an unknown command, 0 for help and version")
    func program() throws {
        #expect(try Taprig.run().status == 2)
        #expect(try Taprig.run("rnu").sentence?.contains("did you mean 'run'?") == true)
        #expect(try Taprig.run("help").status == 0)
        let version = try Taprig.run("--version")
        #expect(version.status == 0)
        #expect(version.output.wholeMatch(of: /taprig \d+\.\d+\.\d+\n/) != nil)
    }

    @Test("is that of the contract when nobody reads the output any more")
    func closedPipe() throws {
        try folder.write(
            "suite.yaml",
            Scenarios.nbt(cases: [Scenarios.passing, Scenarios.failing].joined(separator: "\n"))
        )
        let arguments = ["run", "suite.yaml", "--out", "out"]
        let ending = try Taprig.start(arguments, in: folder.path, output: .closedPipe).wait()
        #expect(ending.status == 1)
        #expect(folder.text("out/junit.xml").hasSuffix("</testsuites>\n"))
        #expect(try Taprig.start(["help"], output: .closedPipe).wait().status == 0)
    }

    @Test("is 3 when the output cannot be written, and the cause is told")
    func fullOutput() throws {
        let ending = try Taprig.start(["verbs"], output: .full).wait()
        #expect(ending.status == 3)
        #expect(ending.sentence == "taprig: cannot write standard output: No space left on device")
    }

    @Test("of run: 2 for a firmware of the emulated NBT that is no version")
    func firmware() throws {
        let ending = try run(Scenarios.passing, options: ["--firmware", "newest"])
        #expect(ending.status == 2)
        #expect(ending.errors.contains("firmware 'newest' is no version"))
        #expect(try run(Scenarios.passing, options: ["--firmware", "1.10"]).status == 0)
    }
}
