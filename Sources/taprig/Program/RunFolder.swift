// SPDX-License-Identifier: MIT

import HostSystem

/// Where a run leaves its files.
struct RunFolder {
    /// The folder, as file calls take it.
    let path: String
    /// What attachments are relative to: the path from the working folder, or nothing when the folder lies elsewhere.
    let attachmentPrefix: String
    private let isDefault: Bool

    /// The folder of `--out`, or the default `Reports/<UTC time>-<first suite>`.
    init(_ out: String?, firstSuite: String) {
        if let out {
            path = out.count > 1 && out.hasSuffix("/") ? String(out.dropLast()) : out
            attachmentPrefix =
                path.hasPrefix("/") || path.split(separator: "/").contains("..") ? "" : "\(path)/"
            isDefault = false
        } else {
            path = "Reports/\(WallTime.now.compact)-\(firstSuite)"
            // The link has the same name in every run, so reports of equal runs are equal.
            attachmentPrefix = "Reports/latest/"
            isDefault = true
        }
    }

    /// Makes the folder, and for a default one the link `Reports/latest`.
    func make() throws(FileError) {
        try HostFile.makeFolder(path)
        guard isDefault, let name = path.split(separator: "/").last else { return }
        try HostFile.link("Reports/latest", to: String(name))
    }

    /// A file of the folder, as people are told of it.
    func shown(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
}
