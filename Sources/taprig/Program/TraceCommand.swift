// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Trace

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
            do {
                let reader = try TraceReader(path: path)
                var text = TraceText()
                var hasRecords = false
                if let header = reader.header { StandardStream.output.write(text.text(of: header)) }
                while let record = try reader.next() {
                    hasRecords = true
                    StandardStream.output.write(text.text(of: record))
                }
                if reader.header == nil, !hasRecords {
                    if reader.isTorn {
                        throw CommandFailure.usage("\(path) is no trace: it has no whole line")
                    }
                    Console.note("\(path): the trace is empty")
                }
                if reader.isTorn {
                    Console.note("\(path): the last line is torn; the run was killed while it wrote")
                }
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw .usage("\(error)")
            }
        }
        return .held
    }

    static func stats(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        var statistics = ExchangeStatistics()
        for path in command.positionals {
            do {
                let reader = try TraceReader(path: path)
                while let record = try reader.next() {
                    if case .exchange(let exchange) = record { statistics.add(exchange) }
                }
            } catch {
                throw .usage("\(error)")
            }
        }
        StandardStream.output.write(command.flag("--json") ? statistics.json.prettyText : statistics.table)
        return .held
    }
}
