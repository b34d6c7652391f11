// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import HostSystem
import JSONText
import PCSC
import Routes
import SmartCard

/// `taprig readers`: readers, cards in them, emulators.
enum ReadersCommand {
    static let spec = CommandSpec(
        path: ["readers"],
        summary: "Lists readers, the cards in them, debug probes, and emulators.",
        options: [SharedOptions.json],
        examples: ["taprig readers", "taprig readers --json"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        var readers: [ReaderInfo] = []
        var trouble: TransportFault?
        do throws(TransportFault) {
            readers = try ReaderList.current()
        } catch {
            trouble = error
        }
        // A service without a reader is a fact, not trouble.
        if trouble?.kind == .noReader { trouble = nil }
        if command.flag("--json") {
            StandardStream.output.write(json(readers).prettyText)
            if let trouble { Console.complain("\(trouble)") }
        } else {
            tell(readers, trouble)
        }
        return trouble == nil ? .held : .rig
    }

    private static func tell(_ readers: [ReaderInfo], _ trouble: TransportFault?) {
        if let trouble {
            Console.complain("\(trouble)")
        } else if readers.isEmpty {
            Console.say("no reader is plugged in")
        }
        for reader in readers {
            let card = reader.atr.isEmpty ? "" : "  ATR \(reader.atr.hex)"
            Console.say("\(reader.name.text)  \(reader.state.rawValue)\(card)")
            Console.say("  use it with: --via \"pcsc:\(reader.name.text)\"")
        }
        for probe in SeenProbe.all() { for line in probe.lines { Console.say(line) } }
        Console.say("emulators: \(EmulatorCatalog.targets.joined(separator: ", "))")
    }

    private static func json(_ readers: [ReaderInfo]) -> JSON {
        .object([
            "readers": .array(
                readers.map { reader in
                    .object([
                        "name": .string(reader.name.text), "via": .string("pcsc:\(reader.name.text)"),
                        "serial": .string(reader.serial), "atr": .string(reader.atr.hex),
                        "state": .string(reader.state.rawValue),
                    ])
                }
            ),
            "probes": .array(SeenProbe.all().map(\.json)),
            "emulators": .array(EmulatorCatalog.targets.map { .string($0) }),
        ])
    }
}
