// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DevKit
import HostSystem
import JSONText

/// `taprig kit led`: looks at a LED of a kit, or judges it.
enum KitLEDCommand {
    static let spec = CommandSpec(
        path: ["kit", "led"],
        summary: "Looks at a LED of the kit through its debug probe, or judges it.",
        discussion: """
            Prints lit or dark. With --is or --blink the LED is judged over a time, and the exit status tells: 0 it did so,
            1 it did not, 3 it could not be seen. --is alone waits for the state, beside --for it has to hold from now on; with
            --was or --within too, it first has to come to the state.
            The probe reads what the firmware commands, and halts nothing. It does not see light.
            """,
        options: KitArguments.shared + [
            OptionSpec("--led", value: "NAME", summary: "Which LED of the board (user)."),
            OptionSpec(
                "--was",
                value: "STATE",
                choices: ["lit", "dark"],
                summary: "The state before the change."
            ),
            OptionSpec(
                "--is",
                value: "STATE",
                choices: ["lit", "dark"],
                summary: "The state that is expected."
            ),
            OptionSpec(
                "--within",
                value: "DURATION",
                summary: "How long the change may take (1s; 60ms at least)."
            ),
            OptionSpec(
                "--for",
                value: "DURATION",
                summary: "How long it must stay so (60ms at least), or blink."
            ),
            OptionSpec("--blink", value: "DURATION", summary: "Expect it to blink with this period."),
            SharedOptions.json,
        ],
        examples: [
            "taprig kit led", "taprig kit led --was dark --is lit --within 500ms",
            "taprig kit led --probe tcp:localhost:4441 --is dark --for 2s",
            "taprig kit led --bench bench.yaml --role nbt",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let within = try DeviceArguments.duration(command, "--within")
        let hold = try DeviceArguments.duration(command, "--for")
        let blink = try DeviceArguments.duration(command, "--blink")
        let expectation = LEDExpectation(
            was: command.value("--was").flatMap(LEDState.init(rawValue:)),
            is: command.value("--is").flatMap(LEDState.init(rawValue:)),
            within: within,
            for: hold,
            blink: blink
        )
        let isJudged = expectation != LEDExpectation()
        if isJudged, let objection = expectation.objection({ "--\($0)" }) {
            throw .usage("--\(objection.part): \(objection.text)")
        }
        let setup = try KitArguments.setup(command)
        let led = try KitArguments.led(command, of: setup.board)
        let kit = try KitArguments.kit(setup)
        defer { kit.close() }
        return try KitArguments.touching { () throws(TransportFault) in
            if let warning = try kit.warning() { Console.note("warning: \(warning)") }
            let look = { () throws(TransportFault) in try kit.look(at: led) }
            guard isJudged else { return try tell(look(), command) }
            return tell(try LEDJudge(clock: SystemClock()).watch(expectation, look: look), command)
        }
    }

    private static func tell(_ look: LEDLook, _ command: ParsedCommand) throws(TransportFault) -> ExitCode {
        if let doubt = look.doubt { throw TransportFault(.probe, "cannot judge the LED: \(doubt)") }
        let state = look.samples.last ?? .dark
        let isSteady = look.steady != nil
        if command.flag("--json") {
            let document = JSON.object([
                "state": .string(state.rawValue), "steady": .boolean(isSteady),
                "samples": .integer(look.samples.count),
            ])
            StandardStream.output.write(document.prettyText)
        } else {
            Console.say(state.rawValue + (isSteady ? "" : " (it changed while it was looked at)"))
        }
        return .held
    }

    private static func tell(_ verdict: LEDVerdict, _ command: ParsedCommand) -> ExitCode {
        if command.flag("--json") {
            let document = JSON.object([
                "holds": .boolean(verdict.holds), "verdict": .string(verdict.text),
                "looks": .integer(verdict.sampleCount),
                "period_us": verdict.period.map { .integer(Int($0 / .microseconds(1))) },
            ])
            StandardStream.output.write(document.prettyText)
        } else {
            Console.say(verdict.text)
        }
        return verdict.holds ? .held : .notHeld
    }
}
