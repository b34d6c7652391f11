// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import HostSystem
import Routes
import Runner
import Wording

/// `taprig shell`: talks to a card line by line.
enum ShellCommand {
    static let spec = CommandSpec(
        path: ["shell"],
        summary: "Talks to a card line by line: commands in hex, verbs, and a few words of its own.",
        discussion: """
            A line of hex is sent as it is. A line that begins with a verb of scenarios does what it does there:
            `select FILE_2`, `read {file: FILE_2, length: 1}`. A line that begins with a colon is for the shell itself;
            `:help` lists them.

            On a terminal there are editing keys, completion by Tab, and a history, in which lines with PINs,
            passwords or keys are never kept. Otherwise lines are read as they come: a wrong one ends the
            shell with status 2, a fault makes it end with status 3 after the last line.
            """,
        options: [
            SharedOptions.via, BenchArguments.deviceBench, BenchArguments.role,
            OptionSpec(
                "--target",
                value: "T",
                summary: "Device whose verbs and names are known, and that emulators emulate (nbt)."
            ),
            SharedOptions.firmware, SharedOptions.option, SharedOptions.vpcd, SharedOptions.wait,
            SharedOptions.deadline, SharedOptions.showSecrets,
        ],
        examples: [
            "taprig shell", "taprig shell --via \"pcsc:ACR1252\"",
            "taprig shell --bench bench.yaml --role nbt",
            "printf 'select D2760000850101\\nread FILE_2\\n' | taprig shell",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let device = try DeviceArguments(command)
        let choice = try BenchArguments.choice(command, device)
        let (route, target) = (choice.route, choice.target)
        try check(target, device, route)
        let setup = DeviceSetup(
            target: target,
            firmware: device.firmware,
            options: device.options,
            seed: 0,
            exchangeDeadline: try DeviceArguments.duration(command, "--deadline")
                ?? RunDefaults.exchangeDeadline
        )
        let showsSecrets = command.flag("--show-secrets")
        if showsSecrets {
            Console.note("warning: secrets are shown in what follows; do not hand it out")
        }
        let counters = try choice.counters()
        let signals = ShellSignals()
        SignalWatch.start(Interruption()) { signals.note($0) }
        let desk = ShellDesk(
            route: route,
            setup: setup,
            showsSecrets: showsSecrets,
            ledger: counters.ledger,
            signals: signals
        )
        defer {
            route.close()
            for note in counters.notes { Console.note("warning: \(note)") }
        }
        // What is in the way stays there for the connect, which reports it.
        try? route.prepare(isCancelled: { signals.isRaised }, tell: { Console.note($0) })
        return supervise(desk, signals, route)
    }

    /// Lets a worker read lines and talk to the card, and a new one take over when that one hangs in an exchange.
    private static func supervise(
        _ desk: ShellDesk,
        _ signals: ShellSignals,
        _ route: any Route
    ) -> ExitCode {
        while true {
            let ending = SupervisedWorker.perform({ watch in desk.work(watch) }) {
                guard desk.isBusy else { return .goOn }
                if signals.takesInterrupt() || signals.isOverdue {
                    return .abandon(TransportFault(.timeout, "given up before the answer came"))
                }
                return .goOn
            }
            switch ending {
            case .finished(let code): return code
            case .abandoned(let fault):
                desk.isBusy = false
                desk.noteFault(fault)
                // Taking the emulated card off its link is what frees a reader that waits for its answer.
                route.close()
                if let code = signals.ending(isInteractive: desk.isInteractive) { return code }
            }
        }
    }

    private static func check(
        _ target: String,
        _ device: DeviceArguments,
        _ route: any Route
    ) throws(CommandFailure) {
        guard EmulatorCatalog.targets.contains(target) else {
            let hint =
                Suggestion.nearest(to: target, among: EmulatorCatalog.targets)
                .map { "; did you mean '\($0)'?" } ?? ""
            throw .usage(
                "--target '\(target)' is not known; "
                    + "there are \(EmulatorCatalog.targets.joined(separator: ", "))\(hint)"
            )
        }
        guard route.isEmulated else { return }
        try device.checkOptions(for: [target])
        try device.checkEmulator(of: target)
    }
}
