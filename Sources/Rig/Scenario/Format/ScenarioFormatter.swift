// SPDX-License-Identifier: MIT

import HostSystem

/// Writes scenarios in their canonical form; comments stay, and so does the meaning.
public struct ScenarioFormatter: Sendable {
    /// What came of a file.
    public enum Outcome: Sendable {
        /// The file in the canonical form.
        case formatted([UInt8])
        /// The file is no YAML that scenarios may have.
        case refused([ScenarioMistake])
    }

    private let vocabulary: Vocabulary

    /// Makes a formatter; the vocabulary tells which values are hex.
    public init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// The files below a folder that are scenarios or libraries of steps, sorted.
    ///
    /// Hidden files, the project's settings and YAML that is neither are left out.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: Paths that begin with the folder's.
    /// - Throws: ``FileError`` when a folder cannot be listed.
    public static func scenarios(below folder: String) throws -> [String] {
        var seen: Set<String> = []
        return try scenarios(below: folder, seen: &seen)
    }

    private static func scenarios(below folder: String, seen: inout Set<String>) throws -> [String] {
        guard let resolved = HostFile.resolved(folder), seen.insert(resolved).inserted else { return [] }
        var out: [String] = []
        for name in try HostFile.names(in: folder) where !name.hasPrefix(".") {
            let path = ScenarioPlace.joined(folder, name)
            if HostFile.isFolder(path) {
                out += try scenarios(below: path, seen: &seen)
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml"), name != ProjectSettings.fileName,
                isScenario(path)
            {
                out.append(path)
            }
        }
        return out
    }

    private static func isScenario(_ path: String) -> Bool {
        // What cannot be read is told by the one who formats it.
        guard let bytes = try? HostFile.read(path, limit: YAMLReader.largestFile + 1) else { return true }
        let root = YAMLReader.read(bytes, file: path, mistakes: MistakeCollector()).root
        guard let root else { return true }
        let known = ["rig", "suite", "target", "cases", "setup", "teardown", "steps", "include"]
        return root.entries?.contains { known.contains($0.key) } ?? false
    }

    /// Formats a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - path: Where it lies, for messages and for what it includes.
    /// - Returns: The canonical form, or what is wrong with the file.
    public func format(_ bytes: [UInt8], path: String) -> Outcome {
        let collector = MistakeCollector()
        let place = ScenarioPlace(
            path,
            resolved: HostFile.resolved(path) ?? ScenarioPlace.joined(HostFile.workingFolder, path),
            project: nil
        )
        let outcome = YAMLReader.read(bytes, file: path, mistakes: collector)
        guard let root = outcome.root, collector.mistakes.isEmpty else { return .refused(collector.mistakes) }
        guard root.text == nil, let document = FormatReader.read(bytes) else {
            return .refused([
                ScenarioMistake(root.position, "a scenario is a mapping, not \(root.kindName)")
            ])
        }
        let hexPlaces = hexPlaces(of: root, in: path, place: place)
        let text = Array(FormatWriter.text(of: document, hexPlaces: hexPlaces).utf8)
        let start = SourcePosition(file: path, line: 1, column: 1)
        guard text.count <= YAMLReader.largestFile else {
            return .refused([
                ScenarioMistake(
                    start,
                    "the canonical form would be longer than 1 MiB; split the file into several suites"
                )
            ])
        }
        guard Self.isSame(root, document, as: text) else {
            return .refused([
                ScenarioMistake(
                    start,
                    "the file cannot be written in the canonical form without a change of its meaning; "
                        + "write its long keys and texts in a simpler way"
                )
            ])
        }
        return .formatted(text)
    }

    /// True when a text has the same tree and the same comments.
    private static func isSame(_ root: YAMLNode, _ document: FormatDocument, as text: [UInt8]) -> Bool {
        let collector = MistakeCollector()
        guard let other = YAMLReader.read(text, file: "", mistakes: collector).root,
            collector.mistakes.isEmpty, let written = FormatReader.read(text)
        else { return false }
        return root.says(other) && document.comments.map(\.text) == written.comments.map(\.text)
    }

    /// Where the file has hex: it is read as a suite, or as a library for each target.
    private func hexPlaces(of root: YAMLNode, in file: String, place: ScenarioPlace) -> HexPlaces {
        // Mistakes of meaning are for `lint`; what could be read tells where hex is.
        let mistakes = MistakeCollector()
        let places = HexPlaces(file: file)
        let shelf = LibraryShelf(vocabulary: vocabulary)
        let keys = Set(root.entries?.map(\.key) ?? [])
        guard keys.isDisjoint(with: ["rig", "suite", "target", "cases", "setup", "teardown"]) else {
            let reader = SuiteReader(
                root,
                place: place,
                vocabulary: vocabulary,
                externalNames: [],
                shelf: shelf,
                mistakes: mistakes,
                hexPlaces: places
            )
            _ = reader?.read(sha256: "")
            return places
        }
        guard keys.contains("steps") else { return places }
        let library = shelf.add(root, place: place)
        for target in vocabulary.dictionaries.keys {
            let context = ReadingContext(
                vocabulary: vocabulary,
                target: target,
                mistakes: mistakes,
                hexPlaces: places
            )
            let words = VerbWords(vocabulary, target: target)
            let visible = SuiteLibrary(visible: library.visible())
            for (name, entry) in library.own {
                _ = visible.find(name, usedAt: entry.keyPosition, words: words, in: context)
            }
        }
        return places
    }
}

extension YAMLNode {
    /// True when another tree has the same keys and texts in the same order; quotes count only around nothing.
    fileprivate func says(_ other: YAMLNode) -> Bool {
        switch (content, other.content) {
        case (.scalar(let text, let isQuoted), .scalar(let second, let isSecondQuoted)):
            return text == second && (!text.isEmpty || isQuoted == isSecondQuoted)
        case (.sequence(let nodes), .sequence(let others)):
            return nodes.count == others.count && zip(nodes, others).allSatisfy { $0.says($1) }
        case (.mapping(let entries), .mapping(let others)):
            return entries.count == others.count
                && zip(entries, others).allSatisfy { $0.key == $1.key && $0.value.says($1.value) }
        default: return false
        }
    }
}
