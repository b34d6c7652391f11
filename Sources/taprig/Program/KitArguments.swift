// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import CommandLineKit
import DebugProbe
import DevKit

/// The kit that a command line names: by a probe's address, or by a role of a bench.
enum KitArguments {
    static let probe = OptionSpec(
        "--probe",
        value: "ADDRESS",
        summary: "The debug probe: \(ProbeAddress.forms) (the only one on the USB)."
    )
    static let board = OptionSpec(
        "--board",
        value: "NAME",
        summary: "The board: \(BoardProfile.known.map(\.name).joined(separator: ", ")) (the first)."
    )
    static let uart = OptionSpec(
        "--uart",
        value: "DEVICE",
        summary: "The serial device of the debug UART, or none (the probe's own)."
    )
    static let shared = [probe, board]

    /// Reads the set-up of the kit.
    ///
    /// - Parameters:
    ///   - command: The command line.
    ///   - readsUART: Whether the command listens to the kit.
    /// - Returns: The set-up.
    /// - Throws: A wrong command line.
    static func setup(_ command: ParsedCommand, readsUART: Bool = false) throws(CommandFailure) -> KitSetup {
        var setup = KitSetup(uart: readsUART ? .ofProbe : .none)
        if let text = command.value("--probe") {
            do throws(ProbeError) {
                setup.probe = try ProbeAddress(text)
            } catch {
                throw .usage("--probe: \(error)")
            }
        }
        if let name = command.value("--board") {
            guard let board = BoardProfile.named(name) else {
                let known = BoardProfile.known.map(\.name).joined(separator: ", ")
                throw .usage(
                    "--board: there is no board '\(name)'; there are \(known), and a bench file may describe others"
                )
            }
            setup.board = board
        }
        if readsUART, let path = command.value("--uart") { setup.uart = path == "none" ? .none : .path(path) }
        return setup
    }

    /// Makes the kit; nothing is opened but its UART.
    static func kit(_ setup: KitSetup) throws(CommandFailure) -> ProbedKit {
        try touching { () throws(TransportFault) in try setup.makeKit(name: "kit at \(setup.probe)") }
    }

    /// The LED that `--led` names; without it the kit's own.
    static func led(_ command: ParsedCommand, of board: BoardProfile) throws(CommandFailure) -> BoardLED {
        let name = command.value("--led") ?? "user"
        guard let led = board.led(named: name) else {
            let known = board.ledNames.joined(separator: ", ")
            throw .usage("--led: the \(board.name) has no LED '\(name)'; it has \(known)")
        }
        return led
    }

    /// Turns a fault of the kit into the end of the command.
    static func touching<Result>(
        _ body: () throws(TransportFault) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(TransportFault) {
            return try body()
        } catch {
            throw .rig("\(error)")
        }
    }
}
