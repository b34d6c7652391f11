// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Report
import RunRecord

/// `taprig report`: makes reports from a kept `run.json`.
enum ReportCommand {
    static let spec = CommandSpec(
        path: ["report"],
        summary: "Makes reports from the run.json of an earlier run.",
        positionals: [PositionalSpec("RUN.json", summary: "Outcome of a run.")],
        options: [
            OptionSpec("--junit", value: "F", summary: "Write JUnit XML here; - for standard output."),
            OptionSpec(
                "--attachments",
                value: "DIR",
                summary: "Folder that holds the traces, relative to the workspace."
            ),
        ],
        examples: ["taprig report Reports/latest/run.json --junit junit.xml"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let path = command.positionals[0]
        let record: RunRecord
        do {
            record = try RunRecord(json: HostFile.read(path))
        } catch let error as FileError {
            throw .usage("\(error)")
        } catch {
            throw .usage("\(path) is no outcome of a run: \(error)")
        }
        guard let junit = command.value("--junit") else {
            tell(record, folder: parent(of: path))
            return .held
        }
        let folder = command.value("--attachments") ?? parent(of: path)
        let writer = JUnitWriter(options: JUnitOptions(runFolder: folder.hasPrefix("/") ? "" : folder))
        do throws(FileError) {
            if junit == "-" {
                StandardStream.output.write(writer.text(record))
            } else {
                if let warning = try writer.write(record, toFile: junit).warning {
                    Console.note("warning: \(warning)")
                }
            }
        } catch {
            throw .rig("\(error)")
        }
        return .held
    }

    /// Tells the run again, as it was told when it ran.
    private static func tell(_ record: RunRecord, folder: String) {
        var style = TerminalStyle.of(.output, environment: HostEnvironment.all)
        style.rewritesLine = false
        let reporter = TerminalReporter(style: style) { StandardStream.output.write($0) }
        reporter.runFolder = folder
        reporter.observe(.runStarted(record, cases: record.suites.reduce(0) { $0 + $1.cases.count }))
        for suite in record.suites {
            for item in suite.cases { reporter.observe(.caseEnded(suite: suite.name, item)) }
        }
        reporter.observe(.runEnded(record))
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
