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
        discussion: """
            Without an option the run is told again on standard output. Nothing is judged: the status is 0 when the
            reports are written, whatever the run's outcome.
            """,
        positionals: [PositionalSpec("RUN.json", summary: "Outcome of a run.")],
        options: [
            OptionSpec("--junit", value: "F", summary: "Write JUnit XML here; - for standard output."),
            RunReports.junitFlavor,
            RunReports.junitSplit,
            OptionSpec(
                "--html",
                value: "F",
                summary: "Write a page here (- as above); traces are read from beside RUN.json."
            ),
            OptionSpec(
                "--markdown",
                value: "F",
                summary: "Write a short Markdown summary here (- as above)."
            ),
            OptionSpec(
                "--attachments",
                value: "DIR",
                summary: "Folder that JUnit names as the traces' own, from the workspace (that of RUN.json)."
            ),
        ],
        examples: [
            "taprig report Reports/latest/run.json --junit junit.xml",
            "taprig report Reports/latest/run.json --html page.html --markdown summary.md",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let path = command.positionals[0]
        let record = try RunSelection.read(path)
        let (junit, html, markdown) = (
            command.value("--junit"), command.value("--html"), command.value("--markdown")
        )
        if [junit, html, markdown].filter({ $0 == "-" }).count > 1 {
            throw .usage("only one report can go to standard output")
        }
        guard junit != nil || html != nil || markdown != nil else {
            tell(record, folder: parent(of: path))
            return .held
        }
        let attachments = Workspace.relative(command.value("--attachments") ?? parent(of: path))
        let request = RunReports.JUnitRequest(command)
        if junit == "-", RunReports.hasManyFiles(record, as: request) {
            throw .usage("there is one JUnit file for each suite; name a folder for them with --junit DIR/")
        }
        do throws(FileError) {
            for page in [junit, html, markdown] {
                if let page, page != "-" { try RunReports.makePlace(for: page) }
            }
            if let junit { try writeJUnit(record, to: junit, as: request, attachments: attachments) }
            if let html { try writePage(record, of: path, to: html) }
            if let markdown { try write(MarkdownWriter().text(record), to: markdown) }
        } catch {
            throw .rig("\(error)")
        }
        return .held
    }

    private static func writeJUnit(
        _ record: RunRecord,
        to path: String,
        as request: RunReports.JUnitRequest,
        attachments: String?
    ) throws(FileError) {
        guard path == "-" else {
            return try RunReports.writeJUnit(record, to: path, as: request, runFolder: attachments)
        }
        let writer = JUnitWriter(options: JUnitOptions(runFolder: attachments, flavor: request.flavor))
        StandardStream.output.write(writer.text(record))
    }

    private static func writePage(_ record: RunRecord, of run: String, to path: String) throws(FileError) {
        let source = parent(of: run)
        let folder = path == "-" ? "" : parent(of: path)
        let options = HTMLOptions(
            runFolder: source,
            linkPrefix: relativePath(to: source, from: folder),
            words: DeviceWords.words
        )
        let writer = HTMLWriter(options: options)
        guard path != "-" else { return StandardStream.output.write(writer.text(record)) }
        try writer.write(record, toFile: path)
    }

    private static func write(_ text: String, to path: String) throws(FileError) {
        guard path != "-" else { return StandardStream.output.write(text) }
        try HostFile.write(text, to: path)
    }

    /// The way from one folder to another for links of a page; nil when one of them is not there.
    private static func relativePath(to target: String, from folder: String) -> String? {
        guard let target = HostFile.resolved(target.isEmpty ? "." : target),
            let folder = HostFile.resolved(folder.isEmpty ? "." : folder)
        else { return nil }
        let (there, here) = (target.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(there, here).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: here.count - common)
        return (up + there.dropFirst(common).map(String.init)).joined(separator: "/")
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

    /// The folder of a file; empty for the working folder.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
