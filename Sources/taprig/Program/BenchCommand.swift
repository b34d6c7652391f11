// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import CommandLineKit
import HostSystem
import JSONText
import PCSC
import Scenario

/// `taprig bench check`: proves the entries of a bench file on the bench itself.
enum BenchCommand {
    static let checkSpec = CommandSpec(
        path: ["bench", "check"],
        summary: "Proves each entry of a bench file: readers, cards, fields, programs, firmware.",
        discussion: """
            The programs of the bench run, fields go off and on, and the cards are asked for firmware and serial. Exit
            status: 0 all is as the file says, 2 the file is wrong and nothing was done, 3 something is otherwise.
            """,
        positionals: [PositionalSpec("FILE", summary: "The bench file.")],
        options: [
            OptionSpec(
                "--wait",
                value: "DURATION",
                summary: "How long to wait for a reader that is in use (0s)."
            ),
            SharedOptions.json,
        ],
        examples: ["taprig bench check bench.yaml", "taprig bench check --json bench.yaml"]
    )

    static func check(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let wait = try DeviceArguments.duration(command, "--wait") ?? .zero
        let patience = ReaderLock.Patience(
            limit: wait,
            onWait: { holder in
                let who = holder.map { "\($0)" } ?? "another program"
                Console.note("waiting up to \(DurationText.text(wait)) for a reader: it is in use by \(who)")
            }
        )
        let (bench, mistakes) = TestBench.read(command.positionals[0], isNamedOnCommandLine: true)
        let isJSON = command.flag("--json")
        guard let bench else {
            if isJSON {
                StandardStream.output.write(LintCommand.json(mistakes).prettyText)
            } else {
                ScenarioArguments.tell(mistakes) { Console.note($0) }
            }
            return .usage
        }
        let report = BenchCheck(
            bench,
            port: PCSCBenchPort(),
            holder: .current(command: "taprig bench check"),
            patience: patience
        ).run()
        if isJSON {
            StandardStream.output.write(report.json.prettyText)
        } else {
            for line in report.lines { Console.say(line) }
        }
        return report.holds ? .held : .rig
    }
}

/// The readers of the PC/SC service.
private final class PCSCBenchPort: BenchPort {
    private var known: [ReaderInfo]?

    func readers() throws(TransportFault) -> [SeenReader] {
        try current().map(Self.seen)
    }

    func readers(fitting identity: ReaderIdentity) throws(TransportFault) -> [SeenReader] {
        let selector: ReaderSelector
        do {
            selector = try ReaderSelector(identity.selector)
        } catch {
            throw TransportFault(.noReader, "\(error)")
        }
        return selector.candidates(in: try current()).map(Self.seen)
    }

    func connect(to reader: String, field: FieldClaim?) throws(TransportFault) -> any Connection {
        var options = PCSCConnection.Options()
        switch field {
        // The reader is asked whether it can: what the file says is to be proved.
        case .control, nil: options.fieldControl = .automatic
        case .unpower: options.fieldControl = .unpower
        case .some(.none): options.fieldControl = .none
        }
        return try PCSCConnection(readerName: reader, options: options)
    }

    private func current() throws(TransportFault) -> [ReaderInfo] {
        if let known { return known }
        do throws(TransportFault) {
            let readers = try ReaderList.current()
            known = readers
            return readers
        } catch {
            // A service without a reader is a fact.
            guard error.kind == .noReader else { throw error }
            known = []
            return []
        }
    }

    private static func seen(_ reader: ReaderInfo) -> SeenReader {
        SeenReader(
            name: reader.name.text,
            serial: reader.serial,
            usbPath: reader.usbPath,
            isInUse: reader.state == .inUse
        )
    }
}
