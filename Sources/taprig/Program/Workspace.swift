// SPDX-License-Identifier: MIT

import HostSystem
import RunRecord
import Scenario

/// The folder that servers take paths in reports from.
enum Workspace {
    /// Where servers tell the top of their checkout: GitLab, GitHub, Jenkins.
    private static let variables = ["CI_PROJECT_DIR", "GITHUB_WORKSPACE", "WORKSPACE"]

    /// A folder's path from the workspace.
    ///
    /// The workspace is what the server says it is; without one that holds the folder, the working folder, the
    /// project's folder, or the top of the checkout, whichever holds it first.
    ///
    /// - Parameters:
    ///   - path: The folder, relative to the working folder or whole.
    ///   - project: The folder of the project; nil when there is none.
    /// - Returns: The path; empty for the workspace itself, nil when the folder lies outside of it.
    static func relative(_ path: String, project: String? = nil) -> String? {
        let working = HostFile.workingFolder
        let whole = ScenarioPlace.joined(working, path.isEmpty ? "." : path)
        // The way as it was written keeps links such as `Reports/latest`; behind a link `..` means another folder.
        let hasUpwards = whole.split(separator: "/").contains("..")
        let places =
            (hasUpwards ? [] : [ScenarioPlace.plain(whole)]) + [HostFile.resolved(whole)].compactMap { $0 }
        let roots =
            variables.compactMap { HostEnvironment.value($0) }.filter { $0.hasPrefix("/") } + [working]
            + [project, checkout(above: working)].compactMap { $0 }
        for root in roots {
            for root in [ScenarioPlace.plain(root), HostFile.resolved(root)].compactMap({ $0 }) {
                for place in places {
                    if place == root { return "" }
                    if let found = ScenarioPlace.relative(place, to: root) { return found }
                }
            }
        }
        return nil
    }

    /// Notes where in the workspace the projects lie whose files a record names.
    static func place(_ record: inout RunRecord, of loaded: LoadedSuites) {
        var folders: [[String]: String] = [:]
        let files =
            loaded.suites.map { ($0.file, $0.name, $0.givenPath) }
            + loaded.broken.map { ($0.file, $0.suiteName, $0.givenPath) }
        for (file, name, given) in files {
            guard let whole = HostFile.resolved(given), whole.hasSuffix("/\(file)") else { continue }
            folders[[file, name]] = relative(String(whole.dropLast(file.count + 1)))
        }
        for index in record.suites.indices {
            let suite = record.suites[index]
            record.suites[index].folder = folders[[suite.file, suite.name]] ?? ""
        }
    }

    /// The nearest folder upwards that is a checkout of git.
    private static func checkout(above folder: String) -> String? {
        var candidate = folder
        while !HostFile.exists(ScenarioPlace.joined(candidate, ".git")) {
            guard candidate.hasPrefix("/"), candidate != "/" else { return nil }
            candidate = ScenarioPlace.parent(of: candidate)
        }
        return candidate
    }
}
