// SPDX-License-Identifier: MIT

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
    let cardTimeout: Duration
    let options: [String: String]
    let firmware: String?

    init(_ command: ParsedCommand) throws(CommandFailure) {
        via = command.value("--via") ?? "emulator"
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
        cardTimeout = try Self.duration(command, "--wait") ?? .zero
    }

    /// The way to the card.
    func route() throws(CommandFailure) -> any Route {
        do throws(RouteError) {
            return try RouteSpec.route(via, vpcd: vpcd, cardTimeout: cardTimeout)
        } catch {
            throw .usage("--via \(error)")
        }
    }

    /// Checks names and values of emulator options for a target.
    func checkOptions(for target: String) throws(CommandFailure) {
        let known = EmulatorCatalog.options(of: target)
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let option = known.first(where: { $0.name == name }) else {
                let hint =
                    Suggestion.nearest(to: name, among: known.map(\.name)).map { "; did you mean '\($0)'?" }
                    ?? ""
                throw .usage("the emulator of \(target) has no option '\(name)'\(hint)")
            }
            if let complaint = option.complaint(about: value) {
                throw .usage("--option \(name): \(complaint)")
            }
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
