// SPDX-License-Identifier: MIT

import HostSystem

/// Where a scenario lies: its file, its folder, its project.
package struct ScenarioPlace {
    /// The file, links resolved.
    let path: String
    /// The file as it is shown to people.
    let shown: String
    /// The project's folder, links resolved.
    let project: String

    /// The file as the user named it, or as it was found below a folder that the user named.
    let given: String

    /// The file's folder.
    var folder: String { Self.parent(of: path) }

    /// Finds the place of a file.
    ///
    /// - Parameters:
    ///   - path: The file as it was given.
    ///   - resolved: The same, links resolved.
    ///   - project: The project's folder; nil looks for it.
    init(_ path: String, resolved: String, project: String?) {
        self.path = resolved
        given = path
        let folder = project.map { HostFile.resolved($0) ?? $0 } ?? Self.project(of: resolved)
        self.project = folder
        shown = Self.relative(resolved, to: folder) ?? path
    }

    /// A mistake in this file, or in one that it includes, with the file's name as a user can follow it from the
    /// working folder; reports keep to the project, which is the same wherever they are made.
    func asGiven(_ mistake: ScenarioMistake) -> ScenarioMistake {
        let file = mistake.position.file
        let name = file == shown ? given : Self.fromWorkingFolder(Self.joined(project, file))
        guard name != file else { return mistake }
        return ScenarioMistake(mistake.position.named(name), mistake.message, hint: mistake.hint)
    }

    /// A whole path, shortened where it lies in the working folder.
    private static func fromWorkingFolder(_ path: String) -> String {
        let working = HostFile.resolved(HostFile.workingFolder) ?? HostFile.workingFolder
        return relative(path, to: working) ?? path
    }

    /// The path below a folder, or nil when it lies elsewhere.
    package static func relative(_ path: String, to folder: String) -> String? {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        guard path.hasPrefix(prefix) else { return nil }
        return String(path.dropFirst(prefix.count))
    }

    /// The nearest folder upwards with `taprig.yaml`, else with `.git`, else the working folder.
    ///
    /// A file that lies outside the working folder too is its own project: the file's folder.
    static func project(of path: String) -> String {
        let folder = parent(of: path)
        for marker in [ProjectSettings.fileName, ".git"] {
            var candidate = folder
            while true {
                if HostFile.exists(joined(candidate, marker)) { return candidate }
                if candidate == "/" || candidate.isEmpty { break }
                candidate = parent(of: candidate)
            }
        }
        let working = HostFile.resolved(HostFile.workingFolder) ?? HostFile.workingFolder
        return relative(path, to: working) == nil ? folder : working
    }

    /// The folder that holds a path.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path below a folder; an absolute one stays.
    package static func joined(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// The path without `.` and `..`, as text only.
    package static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// True when something that may not be there yet lies in another one, links resolved.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        // What is not there yet has no links: it lies where the nearest folder above it does.
        var known = path
        var rest: [Substring] = []
        while HostFile.resolved(known) == nil {
            guard known.contains("/"), known != "/" else { return false }
            rest.insert(known[known.index(after: known.lastIndex(of: "/") ?? known.startIndex)...], at: 0)
            known = parent(of: known)
        }
        let whole = plain(
            ([HostFile.resolved(known) ?? known] + rest.map(String.init)).joined(separator: "/")
        )
        let project = HostFile.resolved(folder) ?? folder
        return whole == project || relative(whole, to: project) != nil
    }

    /// A file that the scenario names, inside the project; nil after a mistake.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the scenario's folder.
    ///   - node: Where it stands.
    ///   - mustExist: Whether it has to be there now.
    ///   - context: Where mistakes go.
    /// - Returns: The path with links resolved.
    func file(_ path: String, node: YAMLNode, mustExist: Bool, in context: ReadingContext) -> String? {
        switch locate(path, mustExist: mustExist) {
        case .success(let found): return found
        case .failure(let problem):
            context.mistakes.add(node.position, problem.message)
            return nil
        }
    }

    /// A file that the scenario names, or what is wrong with it.
    func locate(_ path: String, mustExist: Bool) -> Result<String, TextError> {
        let whole = Self.joined(folder, path)
        let resolved = HostFile.resolved(whole)
        let found = resolved ?? Self.plain(whole)
        guard Self.relative(found, to: project) != nil else {
            return .failure(
                TextError(
                    "'\(path)' leads out of the project; files of a scenario lie in the folder of its project"
                )
            )
        }
        if mustExist, resolved == nil || HostFile.isFolder(found) {
            let reason =
                resolved == nil ? "is not there; paths count from the scenario's folder" : "is a folder"
            return .failure(TextError("the file '\(path)' \(reason)"))
        }
        return .success(found)
    }
}
