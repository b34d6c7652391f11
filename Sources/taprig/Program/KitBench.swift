// SPDX-License-Identifier: MIT

import Bench
import CommandLineKit
import DevKit
import Wording

/// The probes and boards of the bench that `taprig kit ... --bench FILE` names.
struct KitBench {
    private let bench: TestBench
    private let file: String

    /// Reads the bench of a command line; nil when none is named.
    init?(_ command: ParsedCommand) throws(CommandFailure) {
        guard let file = command.value("--bench") else {
            guard command.value("--role") == nil else {
                throw .usage("--role names a device of a bench; name the bench with --bench FILE")
            }
            return nil
        }
        guard command.value("--role") == nil || command.value("--probe") == nil else {
            throw .usage("--role and --probe both name a probe; keep one of them")
        }
        self.file = file
        bench = try BenchArguments.read(file, isNamedOnCommandLine: true)
    }

    /// A probe of the bench; nil when it has none of that name.
    func probe(named name: String) -> BenchProbe? { bench.probes.first { $0.name == name } }

    /// The names of its probes, for messages.
    var probeNames: String {
        bench.probes.isEmpty ? "no probes" : bench.probes.map(\.name).joined(separator: ", ")
    }

    /// The names of the boards that its probes are wired to and that the program does not know by itself.
    var ownBoards: [String] {
        bench.probes.compactMap(\.board).filter { BoardProfile.named($0) == nil }
    }

    /// A board that a probe of the bench describes.
    func board(named name: String) -> BoardProfile? {
        bench.probes.first { $0.board == name }?.kitSetup?.board
    }

    /// The kit that is meant: that of the role, of the probe, of the board, else the only one.
    func setup(_ command: ParsedCommand) throws(CommandFailure) -> KitSetup {
        if let name = command.value("--role") { return try setup(ofRole: name) }
        if let name = command.value("--probe") {
            // An address needs nothing of the bench but, perhaps, a board.
            return try probe(named: name).map { probe throws(CommandFailure) in try setup(of: probe) }
                ?? KitSetup()
        }
        var probes = bench.probes.filter { $0.kitSetup != nil }
        if let board = command.value("--board") {
            let wired = probes.filter { $0.board == board }
            if !wired.isEmpty { probes = wired }
        }
        guard let only = probes.first else {
            throw .usage("the bench \(file) has no debug probe of kind \(BenchProbe.debugProbe)")
        }
        guard probes.count == 1 else {
            let names = probes.map(\.name).joined(separator: ", ")
            throw .usage("the bench \(file) has several debug probes: \(names); choose one with --probe NAME")
        }
        return try setup(of: only)
    }

    private func setup(ofRole name: String) throws(CommandFailure) -> KitSetup {
        guard let role = bench.role(name) else {
            let names = bench.roles.map(\.name)
            let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
            throw .usage(
                "--role: the bench \(file) has no role '\(name)'; it has \(names.joined(separator: ", "))\(hint)"
            )
        }
        guard let probe = role.probe.flatMap(probe(named:)) else {
            throw .usage(
                "the role '\(name)' of the bench \(file) has no probe; give it one with 'probe: NAME'"
            )
        }
        return try setup(of: probe)
    }

    private func setup(of probe: BenchProbe) throws(CommandFailure) -> KitSetup {
        guard let setup = probe.kitSetup else {
            throw .usage(
                "the probe '\(probe.name)' of the bench \(file) is of kind '\(probe.kind)'; "
                    + "a kit is seen through one of kind \(BenchProbe.debugProbe)"
            )
        }
        return setup
    }
}
