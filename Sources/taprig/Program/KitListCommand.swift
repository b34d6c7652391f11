// SPDX-License-Identifier: MIT

import CommandLineKit
import DebugProbe
import DevKit
import HostSystem
import JSONText
import USB

/// `taprig kit list`: debug probes on the USB, the ones that cannot be used included.
enum KitListCommand {
    static let spec = CommandSpec(
        path: ["kit", "list"],
        summary: "Lists debug probes on the USB, with what keeps them from being used.",
        options: [SharedOptions.json],
        examples: ["taprig kit list", "taprig kit list --json"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let probes = SeenProbe.all()
        if command.flag("--json") {
            let document = JSON.object(["probes": .array(probes.map(\.json))])
            StandardStream.output.write(document.prettyText)
            return .held
        }
        if probes.isEmpty {
            Console.say(
                "no debug probe is plugged in; an emulated kit has one too: taprig kit emulate --help"
            )
        }
        for probe in probes { for line in probe.lines { Console.say(line) } }
        return .held
    }
}

/// A debug probe as lists show it.
struct SeenProbe: Sendable {
    let probe: ProbeInfo
    /// The words that address it among those that are plugged in.
    let address: ProbeAddress
    let state: ProbeInfo.State
    /// The serial device of its debug UART; nil when there is none.
    let uart: String?

    /// All probes on the USB; none where there is no USB.
    static func all() -> [SeenProbe] {
        guard let finder = try? ProbeFinder() else { return [] }
        let probes = finder.probes()
        return probes.map { probe in
            SeenProbe(
                probe: probe,
                address: probe.address(among: probes),
                state: finder.state(of: probe),
                uart: UARTFinder().port(ofProbe: probe.serial, at: probe.portPath)?.path
            )
        }
    }

    /// What keeps it from being used, and the way out; nil when nothing does.
    var objection: String? {
        switch state {
        case .ready: nil
        case .busy: "in use by another program"
        case .notPermitted:
            "this user may not open it; add to /etc/udev/rules.d/60-taprig.rules: \(probe.rule)"
        case .unsupported: probe.objection
        }
    }

    var lines: [String] {
        var out = [
            "\(probe.name)  \(state.rawValue)  USB \(probe.portPath)" + (uart.map { "  UART \($0)" } ?? "")
        ]
        out.append(objection.map { "  \($0)" } ?? "  use it with: --probe \(address)")
        return out
    }

    var json: JSON {
        .object([
            "name": .string(probe.name), "address": .string(address.description),
            "serial": .string(probe.serial), "usb": .string(probe.portPath),
            "identity": .string(probe.device.identity.description), "state": .string(state.rawValue),
            "uart": uart.map { .string($0) } ?? .null,
            "rule": state == .notPermitted ? .string(probe.rule) : nil,
            "detail": objection.map { .string($0) },
        ])
    }
}
