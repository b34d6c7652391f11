// SPDX-License-Identifier: MIT

import HostSystem
import Report
import RunRecord

/// The files that a run leaves beside its traces.
enum RunReports {
    /// Writes `run.json` and `junit.xml`, and the JUnit file of `--junit`.
    static func write(_ record: RunRecord, folder: RunFolder, junit: String?) throws(FileError) {
        try HostFile.write(record.jsonText, to: folder.shown("run.json"))
        let writer = JUnitWriter(options: JUnitOptions(runFolder: folder.attachmentPrefix))
        if let warning = try writer.write(record, toFile: folder.shown("junit.xml")).warning {
            Console.note("warning: \(warning)")
        }
        if let junit { _ = try writer.write(record, toFile: junit) }
    }
}
