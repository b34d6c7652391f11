// SPDX-License-Identifier: MIT

import Foundation

@testable import Scenario

/// The files of the reading tests, and short ways to read texts.
enum ReadingFixtures {
    /// The folder of the fixtures in the test bundle.
    static var folder: String {
        (Bundle.module.resourceURL?.path ?? "") + "/Fixtures/reading"
    }

    /// The same folder in the sources, for recording.
    static var sourceFolder: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
            + "/Fixtures/reading"
    }

    /// A text file.
    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    /// Loads files of a fixture folder, which is their project.
    static func load(_ names: [String], in part: String, externalNames: Set<String> = []) -> LoadedSuites {
        SuiteLoader(
            vocabulary: ReadingVocabulary.shared,
            projectFolder: "\(folder)/\(part)",
            externalNames: externalNames
        )
        .load(paths: names.map { "\(folder)/\(part)/\($0)" })
    }

    /// Reads a text as the scenario `t.yaml` and returns its mistakes, `t.yaml:` left out.
    static func mistakes(_ text: String) -> [String] {
        mistakes(Array(text.utf8))
    }

    /// Reads bytes as the scenario `t.yaml` and returns its mistakes, `t.yaml:` left out.
    static func mistakes(_ bytes: [UInt8]) -> [String] {
        read(bytes).mistakes.map { String($0.description.dropFirst("t.yaml:".count)) }
    }

    /// Reads bytes as the scenario `t.yaml`.
    static func read(_ bytes: [UInt8]) -> (suite: Suite?, mistakes: [ScenarioMistake]) {
        let collector = MistakeCollector()
        let outcome = YAMLReader.read(bytes, file: "t.yaml", mistakes: collector)
        guard let root = outcome.root else { return (nil, collector.mistakes) }
        let meaning = MistakeCollector()
        let place = ScenarioPlace("t.yaml", resolved: "\(folder)/t.yaml", project: folder)
        let reader = SuiteReader(
            root,
            place: ScenarioPlace("t.yaml", resolved: "\(folder)/t.yaml", project: place.project),
            vocabulary: ReadingVocabulary.shared,
            externalNames: [],
            shelf: LibraryShelf(vocabulary: ReadingVocabulary.shared),
            mistakes: meaning
        )
        let suite = reader?.read(sha256: "")
        let own = meaning.mistakes.filter { !outcome.spoiled.contains($0.position) }
        let all = (collector.mistakes + own).sorted {
            ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
        }
        return (all.isEmpty ? suite : nil, all)
    }

    /// A suite with these steps in its only case; the first step stands in line 7.
    static func mistakes(ofSteps steps: String, target: String = "nbt") -> [String] {
        let lines = steps.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
        return mistakes(
            "rig: 1\nsuite: t\ntarget: \(target)\ncases:\n  - name: a\n    steps:\n"
                + lines.joined(separator: "\n")
        )
    }
}
