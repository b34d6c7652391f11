// SPDX-License-Identifier: MIT

import Bench
import CommandLineKit
import HostSystem
import Routes
import Runner
import Scenario

/// The bench that a command line or a project names.
enum BenchArguments {
    static let bench = OptionSpec(
        "--bench",
        value: "FILE",
        summary: "Bench file: readers by role, programs, allowed samples; beside --via its ledger only."
    )
    static let deviceBench = OptionSpec(
        "--bench",
        value: "FILE",
        summary: "Bench file: take the reader of a role, in place of --via."
    )
    static let role = OptionSpec(
        "--role",
        value: "NAME",
        summary: "Role of the bench; --target's, or the only one."
    )

    /// One device: the reader of a bench's role, or what `--via` names.
    struct Choice {
        let route: any Route
        /// The words of the way, for messages.
        let words: String
        /// The device's word.
        let target: String
        /// Whether somebody said what the device is, or it is emulated; else the word is only the usual one.
        let isNamed: Bool
        /// The bench's file of retry counters; nil when none is named.
        var ledgerPath: String?

        /// The retry counters of the device, which all users of a host share.
        func counters() throws(CommandFailure) -> RetryCounters {
            try RetryCounters(isEmulated: route.isEmulated, named: ledgerPath)
        }
    }

    /// The device that a command line names.
    static func choice(
        _ command: ParsedCommand,
        _ device: DeviceArguments
    ) throws(CommandFailure) -> Choice {
        let usual = command.value("--target") ?? (device.options["card"] == nil ? "nbt" : "iso7816")
        guard let path = command.value("--bench") else {
            guard command.value("--role") == nil else {
                throw .usage("--role names a device of a bench; name the bench with --bench FILE")
            }
            let route = try device.route()
            return Choice(
                route: route,
                words: device.via,
                target: usual,
                isNamed: route.isEmulated || command.flag("--target")
            )
        }
        guard command.value("--via") == nil else {
            throw .usage("--via and --bench both name a reader; keep one of them")
        }
        let bench = try read(path, isNamedOnCommandLine: true)
        var role = command.value("--role")
        if role == nil, let target = command.value("--target"), bench.role(target) != nil { role = target }
        if role == nil, bench.roles.count == 1 { role = bench.roles.first?.name }
        let isDevice = role.map(EmulatorCatalog.targets.contains) ?? false
        let target = command.value("--target") ?? (isDevice ? role : nil) ?? usual
        do throws(RouteError) {
            let route = try RouteSpec.route(on: bench, role: role, access: device.access)
            return Choice(
                route: route,
                words: route.spec,
                target: target,
                isNamed: route.isEmulated || command.flag("--target") || isDevice,
                ledgerPath: bench.ledgerPath
            )
        } catch {
            throw .usage("\(error)")
        }
    }

    /// Reads the bench; nil when none is named.
    ///
    /// The programs of a bench that only the project's `taprig.yaml` names do not start.
    static func read(
        _ command: ParsedCommand,
        project: ProjectArguments
    ) throws(CommandFailure) -> TestBench? {
        if let path = command.value("--bench") { return try read(path, isNamedOnCommandLine: true) }
        // A way on the command line goes before the project's bench.
        guard command.value("--via") == nil, let path = project.bench else { return nil }
        let bench = try read(path, isNamedOnCommandLine: false)
        // Both files may come with any change to a project.
        if let folder = project.folder, ScenarioPlace.isInside(path, folder), let ledger = bench.ledgerPath,
            !ScenarioPlace.isInside(ledger, folder)
        {
            throw .usage(
                "the ledger \(ledger) of the project's bench leads out of the project; name a file in it, or name the bench "
                    + "with --bench"
            )
        }
        return bench
    }

    /// Reads a bench file, or tells its mistakes.
    static func read(
        _ path: String,
        isNamedOnCommandLine: Bool
    ) throws(CommandFailure) -> TestBench {
        let (bench, mistakes) = TestBench.read(path, isNamedOnCommandLine: isNamedOnCommandLine)
        guard let bench else {
            ScenarioArguments.tell(mistakes) { Console.note($0) }
            throw .usage("the bench \(path) is wrong: nothing was run; see `taprig bench check \(path)`")
        }
        return bench
    }
}
