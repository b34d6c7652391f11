// SPDX-License-Identifier: MIT

import CommandLineKit
import Testing

@Suite("Help")
struct HelpTests {
    private static let table = CommandTable(
        program: "demo",
        version: "1.0",
        summary: "Tests cards and says what did not hold.",
        commands: [
            CommandSpec(
                path: ["send"],
                summary: "Sends commands to a card.",
                discussion: """
                    Each command is sent as it stands, and each answer is printed on a line of its own, with the time it took.

                    A dash reads commands from standard input.
                    """,
                positionals: [
                    PositionalSpec("APDU", repeats: true, isRequired: false, summary: "Commands in hex text.")
                ],
                options: [
                    OptionSpec("-f", "--file", value: "FILE", summary: "Reads commands from a file."),
                    OptionSpec(
                        "--order",
                        value: "ORDER",
                        repeats: true,
                        choices: ["given", "reverse"],
                        summary: "The order in which commands are sent when there are many of them."
                    ),
                    OptionSpec(
                        "--a-very-long-name-of-an-option",
                        value: "X",
                        summary: "Has a line of its own."
                    ),
                ],
                examples: ["demo send 00A4040000", "demo send -f select.txt"]
            ),
            CommandSpec(path: ["trace", "show"], summary: "Prints a trace."),
            CommandSpec(path: ["trace", "diff"], summary: "Compares two traces."),
            CommandSpec(path: ["lab", "list"], summary: "Lists benches."),
        ],
        groups: [GroupSpec(path: ["trace"], summary: "Reads traces.")],
        globalOptions: [OptionSpec("--json", summary: "Prints one JSON document.")]
    )

    @Test("a command shows its usage, arguments, options and examples")
    func command() {
        #expect(
            Self.table.help(for: ["send"], width: 72) == """
                Usage: demo send [OPTION...] [APDU...]

                Sends commands to a card.

                Each command is sent as it stands, and each answer is printed on a line
                of its own, with the time it took.

                A dash reads commands from standard input.

                Arguments:
                  APDU...  Commands in hex text.

                Options:
                  -f, --file FILE  Reads commands from a file.
                  --order ORDER    The order in which commands are sent when there are
                                   many of them. One of given, reverse. May be repeated.
                  --a-very-long-name-of-an-option X
                                   Has a line of its own.

                Options of every command:
                  --json      Prints one JSON document.
                  -h, --help  Show this help.

                Examples:
                  demo send 00A4040000
                  demo send -f select.txt

                """
        )
    }

    @Test("the program shows its commands, groups on one line")
    func program() {
        #expect(
            Self.table.help() == """
                Usage: demo COMMAND ...

                Tests cards and says what did not hold.

                Commands:
                  send   Sends commands to a card.
                  trace  Reads traces. (show, diff)
                  lab    list

                Options:
                  --json      Prints one JSON document.
                  -h, --help  Show this help.
                  --version   Show the version.

                'demo help COMMAND' tells more.

                """
        )
    }

    @Test("a group shows its commands")
    func group() {
        #expect(
            Self.table.help(for: ["trace"]) == """
                Usage: demo trace show|diff ...

                Reads traces.

                Commands:
                  show  Prints a trace.
                  diff  Compares two traces.

                Options:
                  --json      Prints one JSON document.
                  -h, --help  Show this help.

                'demo help trace COMMAND' tells more.

                """
        )
    }

    @Test(
        "no line is wider than asked, but for words and examples that cannot be broken",
        arguments: [40, 60, 80, 120]
    )
    func width(_ width: Int) {
        for path in [[], ["send"], ["trace"]] {
            let lines = Self.table.help(for: path, width: width).split(separator: "\n")
            #expect(lines.filter { $0.count > width && !$0.contains("very-long") }.isEmpty)
        }
        #expect(Self.table.help(for: ["send"], width: 1).contains("--order ORDER"))
    }

    @Test("a word for a value is explained once, where an option takes it")
    func values() {
        let table = CommandTable(
            program: "demo",
            version: "1.0",
            summary: "Waits.",
            commands: [
                CommandSpec(
                    path: ["wait"],
                    summary: "Waits.",
                    options: [
                        OptionSpec("--for", value: "DURATION", summary: "How long."),
                        OptionSpec("--up-to", value: "DURATION", summary: "How long at most."),
                    ]
                ),
                CommandSpec(path: ["go"], summary: "Goes."),
            ],
            valueNotes: [ValueNote("DURATION", "A number and its unit."), ValueNote("GLOB", "A pattern.")]
        )
        let help = table.help(for: ["wait"])
        #expect(help.contains("\n\nValues:\n  DURATION  A number and its unit.\n\n"))
        #expect(!help.contains("GLOB"))
        #expect(!table.help(for: ["go"]).contains("Values"))
    }
}
