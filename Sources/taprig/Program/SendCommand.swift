// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import HostSystem
import JSONText
import Routes
import Runner
import SmartCard
import Trace
import Wording

/// `taprig send`: sends commands, one after another.
enum SendCommand {
    static let spec = CommandSpec(
        path: ["send"],
        summary: "Sends command APDUs and prints the answers.",
        discussion: """
            Commands come from the arguments, from a file (-f FILE, one a line, # starts a comment) or from standard
            input (-). 61xx and 6Cxx are followed unless --raw. Never put a PIN into an argument: other users of the
            host can read it; use standard input.
            """,
        positionals: [
            PositionalSpec(
                "APDU",
                repeats: true,
                isRequired: false,
                summary: "Command in hex; - for standard input."
            )
        ],
        options: [
            SharedOptions.via, BenchArguments.deviceBench, BenchArguments.role,
            OptionSpec(
                "-f",
                value: "FILE",
                summary: "File with one command a line, or a script of another tool."
            ),
            OptionSpec("--repeat", value: "N", summary: "Send the whole list N times (1)."),
            OptionSpec("--stats", summary: "Print the times by command."),
            OptionSpec(
                "--raw",
                summary: "Send nothing that was not asked for: 61xx and 6Cxx are not followed."
            ),
            OptionSpec(
                "--target",
                value: "T",
                summary: "Device that --via emulator and virtual emulate: nbt, tangem, iso7816 (nbt)."
            ),
            SharedOptions.firmware, SharedOptions.option, SharedOptions.vpcd, SharedOptions.wait,
            SharedOptions.deadline,
            SharedOptions.showSecrets, SharedOptions.json,
        ],
        examples: [
            "taprig send 00A4040007D276000085010100 00A4000C02E1A2 00B0000001",
            "taprig send --via \"pcsc:ACR1252\" -f commands.txt --json",
            "taprig send --bench bench.yaml --role nbt 00A4040007D276000085010100",
            "taprig send --repeat 10000 --stats 00B0000002",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let device = try DeviceArguments(command)
        let choice = try BenchArguments.choice(command, device)
        let (route, target) = (choice.route, choice.target)
        let script = try CommandScript(command)
        for warning in script.warnings(isRaw: command.flag("--raw")) { Console.note("warning: \(warning)") }
        if route.isEmulated {
            guard EmulatorCatalog.targets.contains(target) else {
                let hint =
                    Suggestion.nearest(to: target, among: EmulatorCatalog.targets)
                    .map { "; did you mean '\($0)'?" } ?? ""
                throw .usage(
                    "--target '\(target)' has no emulator; "
                        + "there are \(EmulatorCatalog.targets.joined(separator: ", "))\(hint)"
                )
            }
            try device.checkOptions(for: [target])
            try device.checkEmulator(of: target)
        }
        let counters = try choice.counters()
        let interruption = Interruption()
        let setup = DeviceSetup(
            target: target,
            firmware: device.firmware,
            options: device.options,
            seed: 0,
            exchangeDeadline: try DeviceArguments.duration(command, "--deadline")
                ?? RunDefaults.exchangeDeadline
        )
        let sender = Sender(
            route: route,
            setup: setup,
            script: script,
            namedAs: choice.isNamed ? target : nil,
            repetitions: try SharedOptions.number(command, "--repeat", in: 1...100_000_000) ?? 1,
            isRaw: command.flag("--raw"),
            keepsAll: command.flag("--json"),
            ledger: counters.ledger,
            showsSecrets: command.flag("--show-secrets"),
            interruption: interruption
        )
        if sender.showsSecrets {
            Console.note("warning: secrets are shown in what follows; do not hand it out")
        }
        SignalWatch.start(interruption)
        // What is in the way stays there for the connect, which reports it command by command.
        try? route.prepare(isCancelled: { interruption.signal != nil }, tell: { Console.note($0) })
        let outcome = sender.run(LineBuffer(.output))
        route.close()
        for note in counters.notes { Console.note("warning: \(note)") }
        if command.flag("--json") {
            StandardStream.output.write(outcome.json(withStatistics: command.flag("--stats")).prettyText)
        } else if command.flag("--stats") {
            StandardStream.error.write(outcome.statistics.table)
        }
        if let code = interruption.exitCode {
            Console.complain("ended by \(interruption.signal ?? "a signal") before all was sent")
            return code
        }
        if let trouble = outcome.trouble {
            Console.complain("\(choice.words): \(trouble)")
            return .rig
        }
        return .held
    }
}
