// SPDX-License-Identifier: MIT

import CommandLineKit
import Routes

/// The subcommands: one table for parsing and help, and what each of them calls.
enum Commands {
    typealias Action = @Sendable (ParsedCommand) throws(CommandFailure) -> ExitCode

    /// The whole command line.
    static let table = CommandTable(
        program: "taprig",
        version: Program.version,
        summary: "A hardware-in-the-loop test rig for NFC and smart-card products.",
        commands: all.map(\.spec),
        groups: [
            GroupSpec(path: ["trace"], summary: "Looks into trace files."),
            GroupSpec(path: ["bench"], summary: "Looks after a test bench."),
            GroupSpec(path: ["kit"], summary: "Looks at a dev kit through its debug probe, and works it."),
        ],
        valueNotes: [
            ValueNote("DURATION", "A number and its unit, ns, us, ms, s, min or h: 500ms, 1.5s, 10min."),
            ValueNote(
                "GLOB",
                "The whole name, with * for any characters and ? for one; of a reader, a part will do."
            ),
            ValueNote("K=V", "A name and its value: count=3."),
            ValueNote(
                "SPEC",
                "emulator: in this process (the default). virtual: that emulator behind the PC/SC service. "
                    + "pcsc:...: a reader by a part of its name, or by serial, card or port."
            ),
        ]
    )

    /// What a subcommand does.
    static func action(of path: [String]) throws(CommandFailure) -> Action {
        guard let found = all.first(where: { $0.spec.path == path }) else {
            throw .usage("there is no command '\(path.joined(separator: " "))'")
        }
        return found.action
    }

    private static let all: [(spec: CommandSpec, action: Action)] = [
        (RunCommand.spec, RunCommand.run),
        (LintCommand.spec, LintCommand.run),
        (FmtCommand.spec, FmtCommand.run),
        (ListCommand.spec, ListCommand.run),
        (VerbsCommand.spec, VerbsCommand.run),
        (SchemaCommand.spec, SchemaCommand.run),
        (ReadersCommand.spec, ReadersCommand.run),
        (SendCommand.spec, SendCommand.run),
        (EmulateCommand.spec, EmulateCommand.run),
        (TraceCommand.showSpec, TraceCommand.show),
        (TraceCommand.statsSpec, TraceCommand.stats),
        (ReportCommand.spec, ReportCommand.run),
        (MergeCommand.spec, MergeCommand.run),
        (BenchCommand.checkSpec, BenchCommand.check),
        (KitListCommand.spec, KitListCommand.run),
        (KitLEDCommand.spec, KitLEDCommand.run),
        (KitWatchCommand.spec, KitWatchCommand.run),
        (KitButtonCommand.spec, KitButtonCommand.run),
        (KitResetCommand.spec, KitResetCommand.run),
        (KitUARTCommand.spec, KitUARTCommand.run),
        (KitEmulateCommand.spec, KitEmulateCommand.run),
        (ShellCommand.spec, ShellCommand.run),
        (DoctorCommand.spec, DoctorCommand.run),
        (CompletionsCommand.spec, CompletionsCommand.run),
        (ManCommand.spec, ManCommand.run),
    ]
}

/// Options that several subcommands share.
enum SharedOptions {
    static let via = OptionSpec("--via", value: "SPEC", summary: "Way to the card: \(RouteSpec.forms).")
    static let vias = OptionSpec(
        "--via",
        value: "SPEC",
        repeats: true,
        summary: "Way to the card, several for several readers: \(RouteSpec.forms)."
    )
    static let firmware = OptionSpec(
        "--firmware",
        value: "V",
        summary: "Firmware of the emulator: a version of nbt (1.10), a profile of tangem (6.33d)."
    )
    static let option = OptionSpec(
        "--option",
        value: "NAME=VALUE",
        repeats: true,
        summary: "Setting of the emulator; `taprig emulate DEVICE --options` explains all."
    )
    static let vpcd = OptionSpec(
        "--vpcd",
        value: "HOST:PORT",
        summary: "Where the virtual reader listens (localhost:35963)."
    )
    static let json = OptionSpec("--json", summary: "Print one JSON document.")
    static let showSecrets = OptionSpec(
        "--show-secrets",
        summary: "Do not mask secrets; warns, and marks every file."
    )
    static let variable = OptionSpec(
        "--var",
        value: "K=V",
        repeats: true,
        summary: "Value of a variable; never of a secret."
    )
    static let wait = OptionSpec(
        "--wait",
        value: "DURATION",
        summary: "How long to wait for a card, and for a reader in use (0s)."
    )
    static let deadline = OptionSpec(
        "--deadline",
        value: "DURATION",
        summary: "Longest time of one exchange (30s)."
    )

    /// `NAME=VALUE` pairs, each name once.
    static func pairs(_ texts: [String], option: String) throws(CommandFailure) -> [(
        key: String, value: String
    )] {
        var out: [(key: String, value: String)] = []
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw .usage("\(option) '\(text)' has no value; write \(option) NAME=VALUE")
            }
            let (key, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
            if let other = out.first(where: { $0.key == key }) {
                throw .usage(
                    "\(option) \(key) is given twice, as '\(other.value)' and as '\(value)'; write it once"
                )
            }
            out.append((key, value))
        }
        return out
    }

    /// A whole number of an option; nil when it was not given.
    static func number(_ command: ParsedCommand, _ option: String, in range: ClosedRange<Int>)
        throws(CommandFailure)
        -> Int?
    {
        guard let text = command.value(option) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .usage("\(option) '\(text)' is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
