// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DevKit
import HostSystem
import Runner

/// `taprig kit button`: brings a button event about.
enum KitButtonCommand {
    static let spec = CommandSpec(
        path: ["kit", "button"],
        summary: "Presses the kit's button without a finger.",
        discussion: """
            By irq the probe raises the interrupt that the button's edge would raise; by reset the micro-controller starts
            anew, and the kit's firmware runs its loop once. The firmware reaches the chip only while no reader's field is on.
            """,
        options: KitArguments.shared + [
            OptionSpec(
                "--by",
                value: "HOW",
                choices: ButtonPress.allCases.map(\.rawValue),
                summary: "How it is brought about (irq)."
            )
        ],
        examples: ["taprig kit button", "taprig kit button --by reset"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let press = command.value("--by").flatMap(ButtonPress.init(rawValue:)) ?? .irq
        let setup = try KitArguments.setup(command)
        // A signal waits until the reset line is let go.
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let kit = try KitArguments.kit(setup)
        defer { kit.close() }
        try KitArguments.touching { () throws(TransportFault) in
            if let warning = try kit.warning() { Console.note("warning: \(warning)") }
            try kit.pressButton(by: press)
        }
        Console.note("the button was pressed by \(press.rawValue)")
        return interruption.exitCode ?? .held
    }
}

/// `taprig kit reset`: resets the kit's micro-controller.
enum KitResetCommand {
    static let spec = CommandSpec(
        path: ["kit", "reset"],
        summary: "Resets the kit's micro-controller by its reset line.",
        discussion: """
            The chip need not answer for that: a reset line that another program left low is let go too. A signal ends --hold
            early, and the line is let go.
            """,
        options: KitArguments.shared + [
            OptionSpec("--hold", value: "DURATION", summary: "How long the line is pulled (10ms).")
        ],
        examples: ["taprig kit reset", "taprig kit reset --hold 2s"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let hold = try DeviceArguments.duration(command, "--hold")
        let setup = try KitArguments.setup(command)
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let kit = try KitArguments.kit(setup)
        defer { kit.close() }
        // A chip that does not answer may be the one that hangs in reset, which this command is for.
        if let warning = (try? kit.warning()) ?? nil { Console.note("warning: \(warning)") }
        try KitArguments.touching { () throws(TransportFault) in
            guard let hold else { return try kit.reset() }
            try kit.holdReset(true)
            Console.note("the reset line is held; Ctrl-C lets it go")
            let end = MonotonicTime.now + hold
            while interruption.signal == nil, MonotonicTime.now < end {
                MonotonicTime.sleep(max(.zero, min(.milliseconds(20), end - MonotonicTime.now)))
            }
            try kit.holdReset(false)
        }
        Console.note("the micro-controller was reset")
        return interruption.exitCode ?? .held
    }
}
