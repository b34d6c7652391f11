// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Runner
import Scenario
import SmartCard
import Trace
import Verbs

/// `taprig trace`: looks into trace files.
enum TraceCommand {
    private static let files = PositionalSpec("FILE", repeats: true, summary: "Trace file (JSON Lines).")

    static let showSpec = CommandSpec(
        path: ["trace", "show"],
        summary: "Prints traces for people: time, step, command, answer, meaning.",
        positionals: [files],
        examples: ["taprig trace show Reports/latest/traces/nbt.led/*.jsonl"]
    )

    static let statsSpec = CommandSpec(
        path: ["trace", "stats"],
        summary: "Prints the times of exchanges by command.",
        positionals: [files],
        options: [SharedOptions.json],
        examples: ["taprig trace stats --json Reports/latest/traces/nbt.led/*.jsonl"]
    )

    static func show(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        for path in command.positionals {
            var text = TraceText()
            try read(path) { header in
                text.namer = CommandNamer.of(header.target ?? "")
                let words = header.target.flatMap(Dictionaries.of)?.statusWords ?? [:]
                text.meaning = { words[StatusWord(rawValue: $0)] ?? TraceText.meaning(of: $0) }
                StandardStream.output.write(text.text(of: header))
            } record: { record in
                StandardStream.output.write(text.text(of: record))
            }
        }
        return .held
    }

    static func stats(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        var statistics = ExchangeStatistics()
        for path in command.positionals {
            var namer: ([UInt8]) -> String? = { _ in nil }
            try read(path) { header in
                namer = CommandNamer.of(header.target ?? "")
            } record: { record in
                if case .exchange(let exchange) = record { statistics.add(exchange, namer: namer) }
            }
        }
        StandardStream.output.write(command.flag("--json") ? statistics.json.prettyText : statistics.table)
        return .held
    }

    /// Reads a trace to its end; one that a killed run left is read as far as it goes, and a note says so.
    private static func read(
        _ path: String,
        header takeHeader: (TraceHeader) -> Void,
        record takeRecord: (TraceRecord) -> Void
    ) throws(CommandFailure) {
        do throws(TraceError) {
            let reader = try TraceReader(path: path)
            var isEmpty = true
            if let header = reader.header {
                isEmpty = false
                takeHeader(header)
            }
            while let record = try reader.next() {
                isEmpty = false
                takeRecord(record)
            }
            guard !isEmpty else {
                let reason = reader.isTorn ? "it has no whole line" : "it is empty"
                throw TraceError(
                    file: path,
                    line: 1,
                    message: "this is no trace, \(reason); name a file of the folder traces of a run"
                )
            }
            guard reader.isTorn else { return }
            Console.note(
                "\(VisibleText.escaped(path)): the last line is torn and left out; "
                    + "the run was killed while it wrote"
            )
        } catch {
            throw .usage("\(error)")
        }
    }
}
