// SPDX-License-Identifier: MIT

import HostSystem

/// Defaults of a project, from its `taprig.yaml`.
public struct ProjectSettings: Hashable, Sendable {
    /// The name of the file that makes a folder a project.
    public static let fileName = "taprig.yaml"

    /// A label that each run gets.
    public struct Label: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: String

        /// Makes a label.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The project's folder; nil when no file was found.
    public var folder: String?
    /// The bench file, as a whole path; nil when none is named.
    public var bench: String?
    /// The folder for output, as a whole path; nil when none is named.
    public var out: String?
    /// Labels of each run, in the order of the file.
    public var labels: [Label] = []

    /// Makes settings that say nothing.
    public init() {}

    /// Finds and reads the settings that hold for a folder: the nearest `taprig.yaml` upwards.
    ///
    /// - Parameter folder: Where the search starts.
    /// - Returns: The settings, and what is wrong with the file; settings that say nothing when there is no file.
    public static func find(from folder: String) -> (settings: ProjectSettings, mistakes: [ScenarioMistake]) {
        var candidate = HostFile.resolved(folder) ?? folder
        while true {
            let path = ScenarioPlace.joined(candidate, fileName)
            if HostFile.exists(path) { return read(path) }
            if candidate == "/" || candidate.isEmpty || candidate == "." { return (ProjectSettings(), []) }
            candidate = ScenarioPlace.parent(of: candidate)
        }
    }

    /// Reads a settings file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The settings, and what is wrong with the file.
    public static func read(_ path: String) -> (settings: ProjectSettings, mistakes: [ScenarioMistake]) {
        let collector = MistakeCollector()
        var settings = ProjectSettings()
        let folder = ScenarioPlace.parent(of: path)
        settings.folder = folder
        let start = SourcePosition(file: fileName, line: 1, column: 1)
        let bytes: [UInt8]
        do {
            bytes = try HostFile.read(path, limit: YAMLReader.largestFile)
        } catch {
            return (settings, [ScenarioMistake(start, "cannot read the file: \(error.reason)")])
        }
        // An empty settings file only marks the folder.
        guard bytes.contains(where: { $0 > 0x20 }) else { return (settings, []) }
        let outcome = YAMLReader.read(bytes, file: fileName, mistakes: collector)
        guard let root = outcome.root else { return (settings, collector.mistakes) }
        let vocabulary = Vocabulary(
            verbs: [],
            dictionaries: [],
            capabilities: [],
            faults: [],
            errorTypes: [],
            emulatorOptions: [:]
        )
        let context = ReadingContext(
            vocabulary: vocabulary,
            target: "",
            mistakes: collector
        )
        guard let entries = root.entries else {
            return (
                settings,
                [ScenarioMistake(start, "settings are a mapping with the keys bench, out and labels")]
            )
        }
        for entry in entries {
            switch entry.key {
            case "bench":
                settings.bench = context.word(entry.value, "'bench'").map { ScenarioPlace.joined(folder, $0) }
            case "out":
                guard let word = context.word(entry.value, "'out'") else { continue }
                let path = ScenarioPlace.joined(folder, word)
                // The file may come with any change to a project, and a run clears its folder of an earlier one.
                if ScenarioPlace.isInside(path, folder) {
                    settings.out = path
                } else {
                    context.mistakes.add(
                        entry.value.position,
                        "'out: \(word)' leads out of the project; name a folder in it, or give another one with --out"
                    )
                }
            case "labels":
                for label in context.mapping(entry, example: "line: 3") ?? [] {
                    guard let text = context.word(label.value, "the label '\(label.key)'") else { continue }
                    settings.labels.append(Label(key: label.key, value: text))
                }
            default:
                context.unknownKey(entry, in: "the project's settings", known: ["bench", "out", "labels"])
            }
        }
        return (settings, collector.mistakes)
    }
}
