// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Report
import RunRecord
import Scenario

/// The files that a run leaves beside its traces, and the same files made later.
enum RunReports {
    static let junitFlavor = OptionSpec(
        "--junit-flavor",
        value: "FLAVOR",
        choices: JUnitFlavor.allCases.map(\.rawValue),
        summary: "Dialect of the JUnit XML (rich)."
    )
    static let junitSplit = OptionSpec(
        "--junit-split",
        summary: "One JUnit file a suite: F without .xml, then -<suite>.xml."
    )

    /// Refuses what elsewhere means standard output, which tells the run.
    static func checkPlace(_ command: ParsedCommand) throws(CommandFailure) {
        guard command.value("--junit") == "-" else { return }
        throw .usage(
            "--junit - : standard output tells the run; name a file, or make the report afterwards with "
                + "`taprig report RUN.json --junit -`"
        )
    }

    /// How the JUnit XML is asked for.
    struct JUnitRequest {
        let flavor: JUnitFlavor
        let isSplit: Bool

        init(_ command: ParsedCommand) {
            flavor = command.value("--junit-flavor").flatMap(JUnitFlavor.init) ?? .rich
            isSplit = command.flag("--junit-split")
        }
    }

    /// Writes `run.json`, `junit.xml` and `report.html`, the JUnit file of `--junit`, and the summary of a CI job.
    static func write(
        _ record: RunRecord,
        folder: RunFolder,
        junit path: String?,
        as request: JUnitRequest
    ) throws(FileError) {
        try HostFile.write(record.jsonText, to: folder.shown("run.json"))
        // The folder always has one file of the whole run, so for Surefire it is in the rich dialect.
        let own: JUnitFlavor = request.flavor == .surefire ? .rich : request.flavor
        let writer = JUnitWriter(options: JUnitOptions(runFolder: folder.attachmentPrefix, flavor: own))
        let summary = try writer.write(record, toFile: folder.shown("junit.xml"))
        if own == .rich { try writer.writeOutputs(record, folder: folder.path) }
        if path == nil, !request.isSplit, let warning = summary.warning {
            Console.note("warning: \(warning)")
        }
        let options = HTMLOptions(runFolder: folder.path, linkPrefix: "", words: DeviceWords.words)
        try HTMLWriter(options: options).write(record, toFile: folder.shown("report.html"))
        if let path {
            try writeJUnit(record, to: path, as: request, runFolder: folder.attachmentPrefix)
        } else if request.isSplit || request.flavor == .surefire {
            let parts = folder.shown("junit/")
            try writeJUnit(record, to: parts, as: request, runFolder: folder.attachmentPrefix)
        }
        if let path = HostEnvironment.value("GITHUB_STEP_SUMMARY"), !path.isEmpty {
            appendSummary(record, to: path)
        }
    }

    /// Makes the folder that a report goes into; a report that cannot be written is better known before the run.
    ///
    /// - Parameter path: The file, or a folder that ends in a slash.
    /// - Throws: ``FileError`` when nothing can be written there.
    static func makePlace(for path: String) throws(FileError) {
        // What stands behind a name in /dev is somebody's open file.
        guard !path.hasPrefix("/dev/"),
            !HostFile.exists(path) || HostFile.isPlainFile(path) || HostFile.isFolder(path)
        else { return }
        let isFolder = path.hasSuffix("/") || HostFile.isFolder(path)
        let folder = isFolder ? path : ScenarioPlace.parent(of: HostFile.resolved(path) ?? path)
        try HostFile.makeFolder(folder)
        try HostFile.checkWritable(folder: folder)
    }

    /// True when a run does not go into one file as it is asked for.
    static func hasManyFiles(_ record: RunRecord, as request: JUnitRequest) -> Bool {
        request.isSplit || JUnitWriter(options: JUnitOptions(flavor: request.flavor)).needsSplit(record)
    }

    /// Writes the JUnit XML into a file, or into one for each suite.
    ///
    /// - Parameters:
    ///   - record: The outcome.
    ///   - path: The file; a folder, or a name that ends in a slash, takes a file for each suite.
    ///   - request: The dialect, and whether it is split.
    ///   - runFolder: The run folder relative to the workspace; nil when it lies elsewhere.
    /// - Throws: ``FileError`` when a file cannot be written.
    static func writeJUnit(
        _ record: RunRecord,
        to path: String,
        as request: JUnitRequest,
        runFolder: String?
    ) throws(FileError) {
        try makePlace(for: path)
        let writer = JUnitWriter(options: JUnitOptions(runFolder: runFolder, flavor: request.flavor))
        let isFolder = path.hasSuffix("/") || HostFile.isFolder(path)
        guard isFolder || hasManyFiles(record, as: request) else {
            if let warning = try writer.write(record, toFile: path).warning {
                Console.note("warning: \(warning)")
            }
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = isFolder ? "junit" : String(parts.last ?? "junit")
        let folder = isFolder ? path : parts.dropLast().joined(separator: "/")
        if isFolder, request.flavor == .rich { try writer.writeOutputs(record, folder: path) }
        let stem = name.hasSuffix(".xml") ? String(name.dropLast(4)) : name
        let files = try writer.writeSplit(record, folder: folder, stem: stem)
        for file in files {
            if let warning = file.summary.warning { Console.note("warning: \(file.path): \(warning)") }
        }
        let first = files.first.map { ", the first is \($0.path)" } ?? ""
        Console.note("JUnit: \(files.count) \(files.count == 1 ? "file" : "files")\(first)")
    }

    /// Adds the outcome to the summary page of a CI job; trouble with it costs no run.
    private static func appendSummary(_ record: RunRecord, to path: String) {
        do {
            // The server takes so much of the whole file, whoever wrote it.
            let limit = MarkdownWriter.serverLimit
            let used = HostFile.exists(path) ? try HostFile.read(path, limit: limit).count : 0
            let room = limit - used - 1000
            guard room > 4000 else {
                Console.note("note: the job's summary is full; the outcome was not added to it")
                return
            }
            let text = MarkdownWriter(byteLimit: min(room, 900_000)).text(record)
            let file = try OutputFile(appendingTo: path)
            try file.write(Array(text.utf8))
            try file.finish()
        } catch {
            Console.note("note: the outcome was not added to the job's summary: \(error)")
        }
    }
}
