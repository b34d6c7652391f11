// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Scenario

/// What the `taprig.yaml` of a project says where the command line says nothing.
struct ProjectArguments {
    /// The bench file; nil when none is named.
    let bench: String?
    /// The run folder, from the working folder where it lies in it; nil when none is named.
    let out: String?
    /// The folder of the project; nil without a settings file.
    let folder: String?
    private let labels: [ProjectSettings.Label]

    /// Reads the settings that hold for the first path of a command line.
    init(_ command: ParsedCommand) throws(CommandFailure) {
        let found = command.positionals.first.map(ProjectSettings.find(from:))
        if let mistakes = found?.mistakes, !mistakes.isEmpty {
            ScenarioArguments.tell(mistakes) { Console.note($0) }
            throw .usage("the settings of the project are wrong: nothing was run")
        }
        folder = found?.settings.folder
        bench = found?.settings.bench
        out = found?.settings.out.map(Self.shortened)
        labels = found?.settings.labels ?? []
    }

    /// The project's labels, but for those that the command line gives another value, then the command line's.
    func labels(with given: [(key: String, value: String)]) -> [(key: String, value: String)] {
        labels.filter { label in !given.contains { $0.key == label.key } }.map { ($0.key, $0.value) } + given
    }

    /// Attachments are named from the working folder, as CI systems want them.
    private static func shortened(_ path: String) -> String {
        let working = (HostFile.resolved(HostFile.workingFolder) ?? HostFile.workingFolder) + "/"
        return path.hasPrefix(working) ? String(path.dropFirst(working.count)) : path
    }
}
