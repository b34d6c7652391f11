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
        positionals: [PositionalSpec("RUN.json", summary: "outcome of a run")],
        options: [
            OptionSpec("--junit", value: "F", summary: "write JUnit XML here; - for standard output"),
            OptionSpec(
                "--attachments",
                value: "DIR",
                summary: "folder that holds the traces, relative to the workspace"
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
            let reporter = TerminalReporter(style: .detected()) { StandardStream.output.write($0) }
            reporter.observe(.runEnded(record))
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

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
