// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import CommandLineKit
import Routes
import Runner
import Scenario
import Wording

/// The device that a command line names: way, target, firmware, options.
struct DeviceArguments {
    let via: String
    let vpcd: VPCDAddress
    let access: ReaderAccess
    let options: [String: String]
    let firmware: String?

    /// The device at the end of `--via`.
    init(_ command: ParsedCommand) throws(CommandFailure) {
        try self.init(
            command,
            via: command.value("--via") ?? "emulator",
            access: ReaderAccess(
                wait: Self.duration(command, "--wait") ?? .zero,
                command: "taprig \(command.name)"
            )
        )
    }

    /// The device that a command itself puts into the virtual reader.
    init(emulatedBy command: ParsedCommand) throws(CommandFailure) {
        try self.init(command, via: "virtual", access: ReaderAccess())
    }

    private init(_ command: ParsedCommand, via: String, access: ReaderAccess) throws(CommandFailure) {
        self.via = via
        self.access = access
        firmware = command.value("--firmware")
        options = Dictionary(
            try SharedOptions.pairs(command.values("--option"), option: "--option").map {
                ($0.key, $0.value)
            },
            uniquingKeysWith: { _, last in last }
        )
        do throws(RouteError) {
            vpcd = try command.value("--vpcd").map(VPCDAddress.init) ?? VPCDAddress()
        } catch {
            throw .usage("--vpcd \(error)")
        }
    }

    /// The way to the card.
    func route() throws(CommandFailure) -> any Route {
        do throws(RouteError) {
            return try RouteSpec.route(via, vpcd: vpcd, access: access)
        } catch {
            throw .usage("--via \(error)")
        }
    }

    /// The ways to cards, one for each worker.
    func routes(_ command: ParsedCommand) throws(CommandFailure) -> RouteSet {
        let jobs = try SharedOptions.number(command, "--jobs", in: 1...256)
        do throws(RouteError) {
            return try RouteSpec.routes(
                command.values("--via"),
                jobs: jobs,
                vpcd: vpcd,
                access: access
            )
        } catch {
            throw .usage("--via \(error)")
        }
    }

    /// The ways to the devices of a bench.
    ///
    /// - Parameters:
    ///   - bench: The bench.
    ///   - targets: The targets of the suites.
    ///   - command: The command line.
    /// - Returns: One way for each role that the suites need.
    /// - Throws: A usage failure when the bench does not have them.
    func routes(on bench: TestBench, targets: [String], _ command: ParsedCommand) throws(CommandFailure)
        -> RouteSet
    {
        let jobs = try SharedOptions.number(command, "--jobs", in: 1...256)
        do throws(RouteError) {
            return try RouteSpec.routes(on: bench, targets: targets, jobs: jobs, access: access)
        } catch {
            throw .usage("\(error)")
        }
    }

    /// Checks names and values of emulator options; each must belong to one of the targets.
    ///
    /// - Parameters:
    ///   - targets: The targets; without one nothing is checked.
    ///   - more: Options that the command knows beside those.
    /// - Throws: A usage failure for a name that nobody knows or a value of the wrong kind.
    func checkOptions(
        for targets: [String],
        beside more: [EmulatorOption] = []
    ) throws(CommandFailure) {
        guard !targets.isEmpty else { return }
        let known = targets.flatMap { EmulatorCatalog.options(of: $0) } + more
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let option = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name)
                let hint =
                    Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
                    ?? "; possible are \(Set(names).sorted().joined(separator: ", "))"
                throw .usage(
                    "the emulator of \(targets.joined(separator: ", ")) has no option '\(name)'\(hint)"
                )
            }
            if let wanted = option.complaint(about: value) {
                throw .usage("--option \(name)=\(value): the value must be \(wanted)")
            }
        }
    }

    /// Makes the emulator once, so that a wrong file is told before anything is sent.
    func checkEmulator(of target: String) throws(CommandFailure) {
        do throws(EmulatorOptionError) {
            _ = try EmulatorCatalog.make(
                target: target,
                firmware: firmware,
                options: options,
                seed: 0,
                clock: ModelClock()
            )
        } catch {
            throw .usage("\(error)")
        }
    }

    /// A time of an option; nil when it was not given.
    static func duration(_ command: ParsedCommand, _ option: String) throws(CommandFailure) -> Duration? {
        guard let text = command.value(option) else { return nil }
        do {
            return try DurationText.parse(text)
        } catch {
            throw .usage("\(option) '\(text)': \(error)")
        }
    }
}
