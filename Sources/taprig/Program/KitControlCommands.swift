// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DevKit
import HostSystem

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
        let kit = try KitArguments.kit(try KitArguments.setup(command))
        defer { kit.close() }
        try KitArguments.touching { () throws(TransportFault) in try kit.pressButton(by: press) }
        Console.note("the button was pressed by \(press.rawValue)")
        return .held
    }
}

/// `taprig kit reset`: resets the kit's micro-controller.
enum KitResetCommand {
    static let spec = CommandSpec(
        path: ["kit", "reset"],
        summary: "Resets the kit's micro-controller by its reset line.",
        options: KitArguments.shared + [
            OptionSpec("--hold", value: "DURATION", summary: "How long the line is pulled (10ms).")
        ],
        examples: ["taprig kit reset", "taprig kit reset --hold 2s"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let hold = try DeviceArguments.duration(command, "--hold")
        let kit = try KitArguments.kit(try KitArguments.setup(command))
        defer { kit.close() }
        try KitArguments.touching { () throws(TransportFault) in
            guard let hold else { return try kit.reset() }
            try kit.holdReset(true)
            MonotonicTime.sleep(hold)
            try kit.holdReset(false)
        }
        Console.note("the micro-controller was reset")
        return .held
    }
}
