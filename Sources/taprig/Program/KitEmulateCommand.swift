// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DevKitEmulator
import HostSystem
import Routes
import Runner
import VirtualReader

/// `taprig kit emulate`: an emulated kit, its probe behind TCP ports and its chip in the virtual reader.
enum KitEmulateCommand {
    static let spec = CommandSpec(
        path: ["kit", "emulate"],
        summary: "Offers an emulated kit: its debug probe over TCP, its chip in the virtual reader.",
        discussion: """
            Each port speaks OpenOCD's cmsis-dap protocol and elaphureLink; the first byte of a client tells which. The
            places to connect to go to standard output, one a line. With --nfc the chip of the same kit dials the virtual
            reader of vpcd, so that a run over PC/SC and a probe see one device.
            Lines on standard input are orders: press, reset, unplug, and with --nfc field off and field on.
            `taprig kit emulate --options` explains the settings of kit and probe.
            """,
        options: [
            OptionSpec(
                "--tcp",
                value: "HOST:PORT",
                repeats: true,
                summary: "Where the probe listens; port 0 takes a free one (localhost:4441)."
            ),
            OptionSpec("--nfc", summary: "Put the kit's chip into the virtual reader."),
            SharedOptions.vpcd,
            OptionSpec("--firmware", value: "V", summary: "Version that the chip tells of itself."),
            OptionSpec(
                "--option",
                value: "NAME=VALUE",
                repeats: true,
                summary: "Setting of kit, chip or probe; --options explains all."
            ),
            OptionSpec("--uart", summary: "Offer the debug UART as a serial device."),
            OptionSpec("--options", summary: "Explain the settings and end."),
        ],
        examples: [
            "taprig kit emulate --tcp localhost:4441 --tcp localhost:3240",
            "taprig kit emulate --nfc --option led=stuck-dark --option probe-wait=2",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        if command.flag("--options") {
            for option in EmulatorCatalog.options(of: "nbt") + EmulatedProbe.options {
                Console.say(option.line)
            }
            return .held
        }
        if command.value("--vpcd") != nil, !command.flag("--nfc") {
            throw .usage("--vpcd says where the chip goes; add --nfc to put it there")
        }
        let device = try DeviceArguments(emulatedBy: command)
        let probeNames = Set(EmulatedProbe.options.map(\.name))
        try device.checkOptions(for: ["nbt"], beside: EmulatedProbe.options)
        let endpoints = try self.endpoints(command)
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let made: EmulatorCatalog.Device
        let probe: EmulatedProbe
        do throws(EmulatorOptionError) {
            made = try EmulatorCatalog.make(
                target: "nbt",
                firmware: device.firmware,
                options: device.options.filter { !probeNames.contains($0.key) },
                seed: 0,
                clock: SystemClock()
            )
            guard let kit = made.kit as? EmulatedKit else {
                throw EmulatorOptionError("this emulator has no board with a debug probe")
            }
            probe = try EmulatedProbe(
                kit: kit,
                options: device.options.filter { probeNames.contains($0.key) }
            )
        } catch {
            throw .usage("\(error)")
        }
        let server: ProbeServer
        let terminal: KitTerminal?
        do throws(ProbeServerError) {
            server = try ProbeServer(probe: probe, endpoints: endpoints)
            terminal = command.flag("--uart") ? try KitTerminal(kit: probe.kit) : nil
        } catch {
            throw .rig("\(error)")
        }
        let client = command.flag("--nfc") ? card(of: made, at: device.vpcd) : nil
        client?.start()
        announce(server, terminal, probe)
        if let loss = StandardStream.outputLoss {
            // Nobody would ever learn where it listens.
            client?.stop()
            throw .rig("\(loss)")
        }
        serve(server, interruption, terminal, KitEmulateOrders(probe: probe, client: client), client)
        client?.stop()
        let disturbances = probe.kit.disturbances.count
        if disturbances > 0 {
            Console.note("a debugger has stopped or reset a core: \(disturbances) such writes")
        }
        Console.note(
            "ended by \(interruption.signal ?? "a signal"): \(probe.packetCount) packets"
                + (client.map { ", \($0.state.exchangeCount) exchanges" } ?? "")
        )
        return interruption.exitCode ?? .held
    }

    private static func card(
        of device: EmulatorCatalog.Device,
        at address: VPCDAddress
    ) -> VirtualCardClient {
        Console.note("\(device.sample): dialling the virtual reader at \(address.host):\(address.port)")
        let client = VirtualCardClient(card: device.card, host: address.host, port: address.port)
        client.patience = VirtualCardWatch.silence
        return client
    }

    private static func announce(_ server: ProbeServer, _ terminal: KitTerminal?, _ probe: EmulatedProbe) {
        Console.note("\(probe.kit.boardName) with probe \(probe.serial); Ctrl-C ends it")
        for address in server.addresses { Console.say("tcp:\(address)") }
        if let terminal { Console.say("uart:\(terminal.path)") }
    }

    private static func serve(
        _ server: ProbeServer,
        _ interruption: Interruption,
        _ terminal: KitTerminal?,
        _ orders: KitEmulateOrders,
        _ client: VirtualCardClient?
    ) {
        var orders = orders
        var wasTaken = false
        server.run(
            tick: {
                terminal?.send()
                orders.takeWaiting()
                if let state = client?.state, state.isTaken != wasTaken {
                    wasTaken.toggle()
                    Console.note("chip \(state.place)")
                }
                return interruption.signal == nil
            },
            note: { Console.note($0) }
        )
    }

    /// Where the probe is to listen: `HOST:PORT`, `HOST`, `:PORT` or `[ADDRESS]:PORT`.
    private static func endpoints(
        _ command: ParsedCommand
    ) throws(CommandFailure) -> [(host: String, port: UInt16)] {
        let texts = command.values("--tcp")
        guard !texts.isEmpty else { return [("localhost", usualPort)] }
        var out: [(host: String, port: UInt16)] = []
        for text in texts {
            var host = text
            var port = usualPort
            // A colon inside brackets belongs to an address.
            if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
                let digits = text[text.index(after: colon)...]
                guard let number = UInt16(digits) else {
                    let what = digits.isEmpty ? "the port is missing" : "'\(digits)' is no TCP port"
                    throw .usage("--tcp '\(text)': \(what); write HOST:PORT, for example localhost:4441")
                }
                port = number
                host = String(text[..<colon])
            }
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            out.append((host.isEmpty ? "localhost" : host, port))
        }
        return out
    }

    /// The port of OpenOCD's cmsis-dap protocol.
    private static let usualPort: UInt16 = 4441
}
