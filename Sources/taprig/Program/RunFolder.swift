// SPDX-License-Identifier: MIT

import HostSystem
import Report

/// Where a run leaves its files.
struct RunFolder {
    /// The folder, as file calls take it; a default one has its final name when it is made.
    private(set) var path: String
    /// What attachments are relative to: the path from the workspace; nil when the folder lies elsewhere.
    private(set) var attachmentPrefix: String?
    private let isDefault: Bool
    private let project: String?
    /// Held as long as the folder is used.
    private var lock: FolderLock?

    private static let base = "Reports"

    /// The folder of `--out`, or the default `Reports/<UTC time>-<first suite>`.
    ///
    /// - Parameters:
    ///   - out: The folder that was asked for; nil takes the default.
    ///   - firstSuite: What the default is named after.
    ///   - project: The folder of the project; nil when there is none.
    init(_ out: String?, firstSuite: String, project: String? = nil) {
        self.project = project
        isDefault = out == nil
        if let out {
            path = out.count > 1 && out.hasSuffix("/") ? String(out.dropLast()) : out
        } else {
            path = "\(Self.base)/\(WallTime.now.compact)-\(firstSuite)"
        }
    }

    /// Makes the folder for this run alone, and for a default one the link `Reports/latest`.
    ///
    /// What an earlier run left in a folder of `--out` is removed, so that no report mixes two runs.
    ///
    /// - Throws: ``FileError`` when it cannot be made, or when another run is writing into it.
    mutating func make() throws(FileError) {
        if isDefault {
            try makeDefault()
            lock = try FolderLock.take(path)
            try HostFile.link("\(Self.base)/latest", to: String(path.dropFirst(Self.base.count + 1)))
            // The link has the same name in every run, so reports of equal runs are equal.
            attachmentPrefix = Workspace.relative("\(Self.base)/latest", project: project)
        } else {
            try HostFile.makeFolder(path)
            lock = try FolderLock.take(path)
            try HostFile.checkWritable(folder: path)
            attachmentPrefix = Workspace.relative(path, project: project)
            try clear()
        }
    }

    /// A file of the folder, as people are told of it.
    func shown(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

    /// Runs that begin in the same second get folders of their own.
    private mutating func makeDefault() throws(FileError) {
        try HostFile.makeFolder(Self.base)
        let first = path
        var number = 2
        while try !HostFile.makeNewFolder(path) {
            path = "\(first).\(number)"
            number += 1
        }
    }

    // MARK: What an earlier run left

    /// Removes the reports and traces of an earlier run, and nothing else.
    private func clear() throws(FileError) {
        // What the outputs of suites are called stands only in the outcome.
        if HostFile.exists(shown("run.json")), let earlier = try? RunSelection.read(shown("run.json")) {
            for name in JUnitWriter.outputNames(of: earlier) {
                for place in ["", "junit/"] { try HostFile.remove(shown(place + name)) }
            }
        }
        for name in names(in: "junit")
        where ["junit-", "TEST-"].contains(where: name.hasPrefix) && name.hasSuffix(".xml") {
            try HostFile.remove(shown("junit/\(name)"))
        }
        for suite in names(in: "traces") {
            for name in names(in: "traces/\(suite)") where isTrace("traces/\(suite)/\(name)") {
                try HostFile.remove(shown("traces/\(suite)/\(name)"))
            }
            HostFile.removeEmptyFolder(shown("traces/\(suite)"))
        }
        for folder in ["traces", "junit"] { HostFile.removeEmptyFolder(shown(folder)) }
        for name in ["junit.xml", "report.html", "run.json"] where HostFile.isPlainFile(shown(name)) {
            try HostFile.remove(shown(name))
        }
    }

    private func names(in folder: String) -> [String] { (try? HostFile.names(in: shown(folder))) ?? [] }

    /// True for a trace by its first record, of which a killed run may have written nothing yet; other files are somebody
    /// else's, whatever they are called.
    private func isTrace(_ name: String) -> Bool {
        let head = Array(#"{"trace":"#.utf8)
        guard name.hasSuffix(".jsonl"), let start = HostFile.start(of: shown(name), count: head.count) else {
            return false
        }
        return head.starts(with: start)
    }
}
