// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import CommandLineKit
import DebugProbe
import DevKit
import Wording

/// The kit that a command line names: by a probe's address, or by a role of a bench.
enum KitArguments {
    static let probe = OptionSpec(
        "--probe",
        value: "ADDRESS",
        summary:
            "The debug probe: \(ProbeAddress.forms); with --bench also a name of the bench (the only one)."
    )
    static let board = OptionSpec(
        "--board",
        value: "NAME",
        summary:
            "The board: \(BoardProfile.known.map(\.name).joined(separator: ", ")), or one that the bench "
            + "describes (the probe's, else the first)."
    )
    static let bench = OptionSpec(
        "--bench",
        value: "FILE",
        summary: "Bench file: its probes and boards can be named, and its only probe is taken."
    )
    static let role = OptionSpec(
        "--role",
        value: "NAME",
        summary: "Role of the bench: take the probe that is wired to it."
    )
    static let uart = OptionSpec(
        "--uart",
        value: "DEVICE",
        summary: "The serial device of the debug UART, or none (the probe's own)."
    )
    static let shared = [probe, board, bench, role]

    /// Reads the set-up of the kit.
    ///
    /// - Parameters:
    ///   - command: The command line.
    ///   - readsUART: Whether the command listens to the kit.
    /// - Returns: The set-up.
    /// - Throws: A wrong command line.
    static func setup(_ command: ParsedCommand, readsUART: Bool = false) throws(CommandFailure) -> KitSetup {
        let bench = try KitBench(command)
        var setup = try bench?.setup(command) ?? KitSetup()
        if !readsUART { setup.uart = .none }
        if let text = command.value("--probe"), bench?.probe(named: text) == nil {
            do throws(ProbeError) {
                setup.probe = try ProbeAddress(text)
            } catch {
                let names = bench.map { "; on the bench there are \($0.probeNames)" } ?? ""
                throw .usage("--probe: \(error)\(names)")
            }
        }
        if let name = command.value("--board") {
            guard let board = BoardProfile.named(name) ?? bench?.board(named: name) else {
                let known = BoardProfile.known.map(\.name) + (bench?.ownBoards ?? [])
                let hint = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
                let more = bench == nil ? "; a bench file describes others, name it with --bench FILE" : ""
                throw .usage(
                    "--board: there is no board '\(name)'; there are \(known.joined(separator: ", "))"
                        + (hint ?? more)
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
