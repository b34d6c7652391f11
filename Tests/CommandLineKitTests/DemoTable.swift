// SPDX-License-Identifier: MIT

import CommandLineKit
import Foundation

/// A program with one of everything: the subject of completion scripts and manual page.
enum Demo {
    static let table = CommandTable(
        program: "demo",
        version: "1.0",
        summary: "Tests cards and says what did not hold.",
        commands: [
            CommandSpec(
                path: ["send"],
                summary: "Sends commands to a card: one, or many.",
                discussion: """
                    Each command is sent as it stands; 'quoted' words, C:\\paths and [brackets] are nothing special.

                    .A dot at the beginning of a line is no request.
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
                        summary: "The order in which commands are sent."
                    ),
                    OptionSpec("--out", value: "DIR", summary: "Where results go: a folder [new]."),
                    OptionSpec("--via", value: "SPEC", summary: "Way to the card."),
                    OptionSpec("--label", value: "TEXT", summary: "A label; it's kept."),
                    OptionSpec(
                        "--set",
                        value: "NAME=VALUE",
                        summary: "A setting of the first command's card."
                    ),
                    OptionSpec("--stats", summary: "Prints times."),
                ],
                examples: ["demo send 00A4040000", "demo send -f select.txt"]
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
                    PositionalSpec("FILE", summary: "One trace."), PositionalSpec("MODE", summary: "How."),
                ]
            ),
        ],
        groups: [GroupSpec(path: ["trace"], summary: "Reads traces.")],
        globalOptions: [OptionSpec("--json", summary: "Prints one JSON document.")]
    )

    static let plan = CompletionPlan(
        table: table,
        values: [
            "SPEC": .asked("ways"), "MODE": .words(["strict", "loose"]),
            "NAME=VALUE": .askedOfArgument("settings"),
        ],
        askWith: "list"
    )

    /// A program that answers what the scripts ask for.
    static let program = """
        #!/bin/sh
        # demo list NAME [-- WORD]
        [ "$1" = list ] || exit 2
        case $2 in
        settings) [ "$3 $4" = '-- 00B0' ] && echo short || echo "all$3" ;;
        ways) printf '%s\\n' emulator 'pcsc:ACS ACR1252 00 00' 'pcsc:ACS ACR1252 01 00' pcsc:Identiv ;;
        esac

        """

    /// Compares a text with a file of the fixtures, or records it anew.
    static func isRecorded(_ text: String, as name: String) throws -> Bool {
        if let folder = ProcessInfo.processInfo.environment["TAPRIG_RECORD_FIXTURES"] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let known = try String(contentsOf: folder.appendingPathComponent("Fixtures/\(name)"), encoding: .utf8)
        return text == known
    }
}
