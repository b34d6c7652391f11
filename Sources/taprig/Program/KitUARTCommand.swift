// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DebugProbe
import DevKit
import HostSystem
import Runner

/// `taprig kit uart`: shows the log of a kit's firmware, or waits for a line of it.
enum KitUARTCommand {
    static let spec = CommandSpec(
        path: ["kit", "uart"],
        summary: "Shows the log of the kit's firmware, or waits for a line of it.",
        discussion: """
            The serial device is found by the serial number of the debug probe. With --expect the command ends at the first
            line that holds the text, or with exit status 1 when the time is over.
            """,
        options: KitArguments.shared + [
            KitArguments.uart,
            OptionSpec("--expect", value: "TEXT", summary: "Wait for a line that holds this text."),
            OptionSpec("--within", value: "DURATION", summary: "How long to wait for it (5s)."),
        ],
        examples: ["taprig kit uart", "taprig kit uart --expect \"LED turned ON\" --within 2s"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let within = try DeviceArguments.duration(command, "--within")
        let wanted = command.value("--expect")
        if wanted == nil, within != nil {
            throw .usage("--within says how long to wait for a line; add --expect TEXT")
        }
        if wanted == "" { throw .usage("--expect: any line holds an empty text; write what to wait for") }
        let setup = try KitArguments.setup(command, readsUART: true)
        let path = try serialDevice(setup)
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let log: UARTLog
        do throws(SerialPortError) {
            log = try UARTLog(path: path, speed: setup.board.uartSpeed)
        } catch {
            throw .rig("\(error)")
        }
        defer { log.close() }
        Console.note("reading \(path)" + (wanted == nil ? "; Ctrl-C ends it" : ""))
        return try listen(
            to: log,
            for: wanted,
            until: MonotonicTime.now + (within ?? .seconds(5)),
            interruption
        )
    }

    /// The serial device to listen to.
    private static func serialDevice(_ setup: KitSetup) throws(CommandFailure) -> String {
        switch setup.uart {
        case .none:
            throw .usage("--uart none leaves nothing to listen to; name a serial device, or leave it out")
        case .path(let path): return path
        case .ofProbe:
            let found: String?
            do throws(ProbeError) {
                found = try setup.findUART()
            } catch {
                throw .rig("\(error); a serial device can be named with --uart")
            }
            guard let found else {
                throw .rig(
                    "the probe \(setup.probe) has no serial device; name the one of the kit with --uart"
                )
            }
            return found
        }
    }

    /// A line as it may be shown: on a terminal, control characters of the firmware do nothing.
    private static func shown(_ line: UARTLine) -> String {
        StandardStream.output.isTerminal ? VisibleText.escaped(line.line, keeping: ["\t"]) : line.line
    }

    private static func listen(
        to log: UARTLog,
        for wanted: String?,
        until end: Duration,
        _ interruption: Interruption
    ) throws(CommandFailure) -> ExitCode {
        var count = 0
        while interruption.signal == nil, !StandardStream.output.isLost {
            // Before the lines: what came until the end is shown.
            let ending = log.ending
            let came = log.lineCount
            let lines = log.lines(since: count)
            // More than the lines that are here when the output stood still for long and old ones were dropped.
            count = max(count + lines.count, came)
            for line in lines {
                Console.say(shown(line))
                if let wanted, line.line.contains(wanted) { return .held }
            }
            if wanted != nil, MonotonicTime.now >= end {
                Console.complain(
                    "no line of the kit's log holds '\(VisibleText.escaped(wanted ?? ""))'; \(count) other lines came"
                )
                return .notHeld
            }
            if let ending { throw .rig("\(log.path) cannot be read any more: \(ending)") }
            MonotonicTime.sleep(.milliseconds(20))
        }
        return interruption.exitCode ?? .held
    }
}
