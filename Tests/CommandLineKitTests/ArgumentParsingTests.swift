// SPDX-License-Identifier: MIT

import CommandLineKit
import Testing

@Suite("Reading arguments")
struct ArgumentParsingTests {
    static let table = CommandTable(
        program: "demo",
        version: "1.2.3",
        summary: "Tests cards.",
        commands: [
            CommandSpec(
                path: ["run"],
                summary: "Runs scenarios.",
                positionals: [PositionalSpec("PATH", repeats: true, summary: "Files.")],
                options: [
                    OptionSpec("--via", value: "SPEC", summary: "The way to the card."),
                    OptionSpec("--tag", value: "T", repeats: true, summary: "Only cases with this tag."),
                    OptionSpec("--junit", value: "FILE", summary: "Writes JUnit XML."),
                    OptionSpec(
                        "--junit-flavor",
                        value: "NAME",
                        choices: ["rich", "ant"],
                        summary: "The dialect."
                    ),
                    OptionSpec("--seed", value: "N", summary: "Starts the generator."),
                    OptionSpec("--ci", summary: "Plain output."),
                    OptionSpec("-v", "--verbose", repeats: true, summary: "Says more."),
                ]
            ),
            CommandSpec(
                path: ["send"],
                summary: "Sends commands.",
                positionals: [PositionalSpec("APDU", repeats: true, isRequired: false, summary: "Hex text.")],
                options: [OptionSpec("-f", "--file", value: "FILE", summary: "Reads commands from a file.")]
            ),
            CommandSpec(
                path: ["trace", "show"],
                summary: "Prints a trace.",
                positionals: [PositionalSpec("FILE", repeats: true, summary: "Traces.")]
            ),
            CommandSpec(
                path: ["trace", "diff"],
                summary: "Compares two traces.",
                positionals: [
                    PositionalSpec("A", summary: "The old one."),
                    PositionalSpec("B", summary: "The new one."),
                ]
            ),
            CommandSpec(
                path: ["verbs"],
                summary: "Prints words.",
                positionals: [PositionalSpec("WORD", isRequired: false, summary: "One word.")]
            ),
            CommandSpec(path: ["verbs", "needs"], summary: "Prints capabilities."),
            CommandSpec(path: ["doctor"], summary: "Checks the host."),
        ],
        globalOptions: [
            OptionSpec("--json", summary: "Prints JSON."),
            OptionSpec("--bench", value: "FILE", summary: "The bench."),
        ]
    )

    private func command(_ arguments: String...) throws -> ParsedCommand {
        let invocation = try Self.table.parse(arguments)
        guard case .command(let command) = invocation else {
            throw UsageError(message: "no command but \(invocation)", helpCall: "")
        }
        return command
    }

    @Test("options and arguments may stand in any order")
    func order() throws {
        let command = try command(
            "run",
            "a.yaml",
            "--via",
            "emulator",
            "--ci",
            "b.yaml",
            "--tag=x",
            "--tag",
            "y=z",
            "--json"
        )
        #expect(command.path == ["run"])
        #expect(command.name == "run")
        #expect(command.positionals == ["a.yaml", "b.yaml"])
        #expect(command.value("--via") == "emulator")
        #expect(command.values("--tag") == ["x", "y=z"])
        #expect(command.flag("--ci"))
        #expect(command.flag("--json"))
        #expect(!command.flag("--verbose"))
        #expect(command.value("--junit") == nil)
        #expect(command.values("--junit").isEmpty)
    }

    @Test("an option answers to each of its names")
    func names() throws {
        let command = try command("send", "-f", "a.txt")
        #expect(command.value("-f") == "a.txt")
        #expect(command.value("--file") == "a.txt")
        #expect(try self.command("send", "--file=b.txt").value("-f") == "b.txt")
        #expect(try self.command("send", "-fc.txt").value("-f") == "c.txt")
        #expect(try self.command("run", "x", "-v", "--verbose").flag("-v"))
    }

    @Test("a dash is an argument, and all after two dashes are arguments")
    func dashes() throws {
        #expect(try command("send", "-").positionals == ["-"])
        #expect(try command("send", "-f", "-").value("-f") == "-")
        #expect(
            try command("send", "--json", "--", "--json", "-x", "--").positionals == ["--json", "-x", "--"]
        )
        #expect(try command("run", "x", "--seed", "-5").value("--seed") == "-5")
        #expect(try command("run", "x", "--via=--odd").value("--via") == "--odd")
    }

    @Test("options of every command may stand before it")
    func globals() throws {
        let command = try command("--json", "--bench", "b.yaml", "doctor")
        #expect(command.path == ["doctor"])
        #expect(command.flag("--json"))
        #expect(command.value("--bench") == "b.yaml")
        #expect(try self.command("trace", "--json", "show", "x").path == ["trace", "show"])
    }

    @Test("the longest name of a command wins")
    func longestName() throws {
        #expect(try command("verbs").path == ["verbs"])
        #expect(try command("verbs", "needs").path == ["verbs", "needs"])
        #expect(try command("verbs", "send").positionals == ["send"])
        #expect(try command("trace", "diff", "a", "b").positionals == ["a", "b"])
    }

    @Test(
        "what does not fit is refused with a sentence",
        arguments: [
            (
                "run x --junti f",
                "unknown option '--junti' for 'run'; did you mean '--junit'? see 'demo run --help'"
            ),
            ("run x --zebra", "unknown option '--zebra' for 'run'; see 'demo run --help'"),
            ("run x -json", "unknown option '-json' for 'run'; did you mean '--json'? see 'demo run --help'"),
            ("run x --ci=yes", "option '--ci' takes no value; see 'demo run --help'"),
            ("run x --via", "option '--via' needs a value, SPEC; see 'demo run --help'"),
            (
                "run x --via --ci",
                "option '--via' needs a value, SPEC; if '--ci' is meant as such, write '--via=--ci'; see 'demo run --help'"
            ),
            ("run x --via=", "option '--via' needs a value, SPEC, and it is empty; see 'demo run --help'"),
            ("run x --via a --via b", "option '--via' is given twice; see 'demo run --help'"),
            ("run x --ci --ci", "option '--ci' is given twice; see 'demo run --help'"),
            (
                "run x --junit-flavor rihc",
                "'rihc' is no value for '--junit-flavor', which takes rich or ant; did you mean 'rich'? see 'demo run --help'"
            ),
            ("run", "'run' needs PATH...; see 'demo run --help'"),
            ("trace diff a", "'trace diff' needs B; see 'demo trace diff --help'"),
            (
                "trace diff a b c",
                "unexpected argument 'c'; 'trace diff' takes 2 arguments; see 'demo trace diff --help'"
            ),
            (
                "doctor now",
                "unexpected argument 'now'; 'doctor' takes no arguments; see 'demo doctor --help'"
            ),
            ("verbs a b", "unexpected argument 'b'; 'verbs' takes one argument; see 'demo verbs --help'"),
            ("rnu x", "unknown command 'rnu'; did you mean 'run'? see 'demo --help'"),
            ("zebra", "unknown command 'zebra'; see 'demo --help'"),
            (
                "trace shwo x",
                "unknown command 'trace shwo'; did you mean 'trace show'? see 'demo trace --help'"
            ),
            ("show x", "unknown command 'show'; did you mean 'trace show'? see 'demo --help'"),
            ("help tarce", "unknown command 'tarce'; did you mean 'trace'? see 'demo --help'"),
            ("help run fast", "unknown command 'run fast'; 'run' has no subcommands; see 'demo run --help'"),
            ("--jsno doctor", "unknown option '--jsno'; did you mean '--json'? see 'demo --help'"),
            (
                "--via x run y",
                "option '--via' stands before the command that it belongs to; write it after the command; see 'demo --help'"
            ),
            ("doctor --version", "unknown option '--version' for 'doctor'; see 'demo doctor --help'"),
        ]
    )
    func refusals(_ line: String, _ text: String) throws {
        let error = try #require(throws: UsageError.self) {
            try Self.table.parse(line.split(separator: " ").map(String.init))
        }
        #expect(error.description == text)
    }

    @Test("a group or a program alone lists what may follow")
    func groups() throws {
        let group = try #require(throws: UsageError.self) { try Self.table.parse(["trace"]) }
        #expect(
            group.description == """
                a subcommand is missing after 'trace'

                Commands:
                  show  Prints a trace.
                  diff  Compares two traces.

                see 'demo trace --help'
                """
        )
        let program = try #require(throws: UsageError.self) { try Self.table.parse([]) }
        #expect(program.description.hasPrefix("a command is missing\n\nCommands:\n  run"))
        #expect(program.description.hasSuffix("\n\nsee 'demo --help'"))
        #expect(throws: UsageError.self) { try Self.table.parse(["--json"]) }
    }

    @Test("help and version are given wherever they are asked for")
    func help() throws {
        let general = Invocation.help(Self.table.help())
        let run = Invocation.help(Self.table.help(for: ["run"]))
        let trace = Invocation.help(Self.table.help(for: ["trace"]))
        for arguments in [["help"], ["--help"], ["-h"], ["--json", "--help"], ["help", "--help"]] {
            #expect(try Self.table.parse(arguments) == general, "\(arguments)")
        }
        for arguments in [["help", "run"], ["run", "--help"], ["run", "x", "-h"]] {
            #expect(try Self.table.parse(arguments) == run, "\(arguments)")
        }
        for arguments in [["help", "trace"], ["trace", "--help"], ["trace", "-h"]] {
            #expect(try Self.table.parse(arguments) == trace, "\(arguments)")
        }
        #expect(
            try Self.table.parse(["trace", "show", "-h"]) == .help(Self.table.help(for: ["trace", "show"]))
        )
        #expect(try Self.table.parse(["--version"]) == .version("demo 1.2.3"))
        #expect(try Self.table.parse(["run", "x", "--", "--help"]) != run)
    }
}
