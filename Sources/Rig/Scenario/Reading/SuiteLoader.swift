// SPDX-License-Identifier: MIT

import Cryptography
import HostSystem
import SmartCard

/// Reads scenario files and folders of them.
public struct SuiteLoader: Sendable {
    private let vocabulary: Vocabulary
    private let projectFolder: String?
    private let externalNames: Set<String>
    private let tellsPathsAsGiven: Bool

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - vocabulary: What scenarios may name.
    ///   - projectFolder: The project's folder; nil finds it for each file.
    ///   - externalNames: Variables that get their value at the run, by `--var` or the environment.
    ///   - tellsPathsAsGiven: Whether mistakes name files as the user did, so that they can be followed from the
    ///     working folder; else as reports do, relative to the project, which is the same everywhere.
    public init(
        vocabulary: Vocabulary,
        projectFolder: String? = nil,
        externalNames: Set<String> = [],
        tellsPathsAsGiven: Bool = false
    ) {
        self.vocabulary = vocabulary
        self.projectFolder = projectFolder
        self.externalNames = externalNames
        self.tellsPathsAsGiven = tellsPathsAsGiven
    }

    /// Reads files, and folders with all that is below them.
    ///
    /// - Parameter paths: Files and folders, in the order that the suites are to have.
    /// - Returns: The suites, and all mistakes of all files.
    public func load(paths: [String]) -> LoadedSuites {
        var load = Load(
            vocabulary: vocabulary,
            projectFolder: projectFolder,
            externalNames: externalNames,
            tellsPathsAsGiven: tellsPathsAsGiven
        )
        for path in paths { load.add(path) }
        return load.result
    }
}

/// One load while it runs.
private struct Load {
    let vocabulary: Vocabulary
    let projectFolder: String?
    let externalNames: Set<String>
    let tellsPathsAsGiven: Bool
    let shelf: LibraryShelf
    var result = LoadedSuites()
    private var seenFiles: Set<String> = []
    private var seenFolders: Set<String> = []
    private var told: Set<ScenarioMistake> = []
    /// Scenarios met so far, those met again too.
    private var scenarioCount = 0

    init(
        vocabulary: Vocabulary,
        projectFolder: String?,
        externalNames: Set<String>,
        tellsPathsAsGiven: Bool
    ) {
        self.vocabulary = vocabulary
        self.projectFolder = projectFolder
        self.externalNames = externalNames
        self.tellsPathsAsGiven = tellsPathsAsGiven
        shelf = LibraryShelf(vocabulary: vocabulary)
    }

    mutating func add(_ path: String) {
        // A pipe that the shell passes has a name that leads nowhere, and can be read all the same.
        guard let resolved = HostFile.resolved(path) ?? (HostFile.exists(path) ? path : nil) else {
            let hint = path == "-" ? "; for standard input write /dev/stdin" : ""
            let shown = tellsPathsAsGiven ? path : ScenarioPlace.plain(path)
            fail(shown.isEmpty ? path : shown, "there is no such file or folder\(hint)")
            return
        }
        guard HostFile.isFolder(resolved) else {
            addFile(path, resolved: resolved, isNamed: true)
            return
        }
        guard !seenFolders.contains(resolved) else { return }
        let before = scenarioCount
        addFolder(path)
        if scenarioCount == before {
            fail(
                path,
                "there is no scenario in this folder; scenarios end with .yaml and start with 'rig: 1'"
            )
        }
    }

    private mutating func addFolder(_ path: String) {
        guard let resolved = HostFile.resolved(path), seenFolders.insert(resolved).inserted else { return }
        let names: [String]
        do {
            names = try HostFile.names(in: path)
        } catch {
            fail(path, "cannot list the folder: \(error.reason)")
            return
        }
        for name in names where !name.hasPrefix(".") {
            let child = ScenarioPlace.joined(path, name)
            if HostFile.isFolder(child) {
                addFolder(child)
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml"), name != ProjectSettings.fileName {
                guard let resolved = HostFile.resolved(child) else {
                    fail(child, "the link leads nowhere")
                    continue
                }
                // A pipe without a writer would be waited for without end.
                guard HostFile.isPlainFile(child) else {
                    fail(child, "this is no plain file; name it by itself to have it read")
                    continue
                }
                addFile(child, resolved: resolved, isNamed: false)
            }
        }
    }

    private mutating func addFile(_ path: String, resolved: String, isNamed: Bool) {
        guard seenFiles.insert(resolved).inserted else {
            scenarioCount += 1
            return
        }
        let place = ScenarioPlace(path, resolved: resolved, project: projectFolder)
        let bytes: [UInt8]
        do {
            bytes = try HostFile.read(resolved, limit: YAMLReader.largestFile + 1)
        } catch {
            let start = SourcePosition(file: place.shown, line: 1, column: 1)
            let reason =
                error.reason.hasPrefix("it is longer") ? tooLong : "cannot read the file: \(error.reason)"
            finish(place, name: nil, suite: nil, mistakes: [ScenarioMistake(start, reason)])
            return
        }
        let collector = MistakeCollector()
        let outcome = YAMLReader.read(bytes, file: place.shown, mistakes: collector)
        let yamlMistakes = collector.mistakes
        guard let root = outcome.root else {
            finish(place, name: nil, suite: nil, mistakes: yamlMistakes)
            return
        }
        let keys = Set(root.entries?.map(\.key) ?? [])
        if root.entries != nil,
            keys.isDisjoint(with: ["rig", "suite", "target", "cases", "setup", "teardown"])
        {
            if keys.contains("steps") || keys.contains("include") {
                if isNamed { checkLibrary(root, place: place, yamlMistakes: yamlMistakes) }
                return
            }
            // A folder holds other YAML too: benches, the settings of a CI.
            if !isNamed, yamlMistakes.isEmpty { return }
        }
        let meaning = MistakeCollector()
        let reader = SuiteReader(
            root,
            place: place,
            vocabulary: vocabulary,
            externalNames: externalNames,
            shelf: shelf,
            mistakes: meaning
        )
        let digest = SHA256.digest(bytes).hex.lowercased()
        let suite = reader?.read(sha256: digest)
        let own = meaning.mistakes.filter { !outcome.spoiled.contains($0.position) }
        let included = reader.map { shelf.mistakes(of: $0.includedFiles) } ?? []
        finish(place, name: suite?.name, suite: suite, mistakes: yamlMistakes + own + included)
    }

    private var tooLong: String {
        "the file is longer than 1 MiB (\(YAMLReader.largestFile) bytes); split it into several suites"
    }

    /// A library that was named by itself is checked for the target that it suits best.
    private mutating func checkLibrary(
        _ root: YAMLNode,
        place: ScenarioPlace,
        yamlMistakes: [ScenarioMistake]
    ) {
        let file = shelf.add(root, place: place)
        var best: [ScenarioMistake]?
        for target in vocabulary.dictionaries.keys.sorted() {
            let collector = MistakeCollector()
            let context = ReadingContext(
                vocabulary: vocabulary,
                target: target,
                mistakes: collector
            )
            let words = VerbWords(vocabulary, target: target)
            let library = SuiteLibrary(visible: file.visible())
            for (name, entry) in file.own.sorted(by: { $0.key < $1.key }) {
                _ = library.find(name, usedAt: entry.keyPosition, words: words, in: context)
            }
            // Of two that suit equally badly, the one that knows what was meant is nearer.
            let found = collector.mistakes
            func weight(_ list: [ScenarioMistake]) -> Int { list.count * 2 - list.count { $0.hint != nil } }
            if best.map({ weight(found) < weight($0) }) ?? true { best = found }
        }
        result.libraries.append(place.given)
        let all = yamlMistakes + shelf.mistakes(of: [file]) + (best ?? [])
        note(sorted(all, first: place.shown), in: place)
    }

    private mutating func fail(_ path: String, _ message: String) {
        scenarioCount += 1
        let mistake = ScenarioMistake(SourcePosition(file: path, line: 1, column: 1), message)
        result.broken.append(
            LoadedSuites.BrokenSuite(file: path, suiteName: stem(path), mistakes: [mistake])
        )
        note([mistake])
    }

    private mutating func finish(
        _ place: ScenarioPlace,
        name: String?,
        suite: Suite?,
        mistakes: [ScenarioMistake]
    ) {
        scenarioCount += 1
        if mistakes.isEmpty, var suite {
            if tellsPathsAsGiven { suite.givenPath = place.given }
            result.suites.append(suite)
            return
        }
        var seen: Set<ScenarioMistake> = []
        let list = sorted(mistakes, first: place.shown).filter { seen.insert($0).inserted }
        let known = name.flatMap { $0.isEmpty ? nil : $0 }
        var broken = LoadedSuites.BrokenSuite(
            file: place.shown,
            suiteName: known ?? stem(place.shown),
            mistakes: list
        )
        if tellsPathsAsGiven { broken.givenPath = place.given }
        result.broken.append(broken)
        note(list, in: place)
    }

    private mutating func note(_ mistakes: [ScenarioMistake], in place: ScenarioPlace? = nil) {
        for mistake in mistakes {
            let mistake = tellsPathsAsGiven ? place?.asGiven(mistake) ?? mistake : mistake
            if told.insert(mistake).inserted { result.mistakes.append(mistake) }
        }
    }

    /// The scenario's own file first, then its libraries in the order of their first mistake; lines in order.
    private func sorted(_ mistakes: [ScenarioMistake], first: String) -> [ScenarioMistake] {
        var ranks = [first: 0]
        for mistake in mistakes where ranks[mistake.position.file] == nil {
            ranks[mistake.position.file] = ranks.count
        }
        return mistakes.enumerated()
            .sorted { left, right in
                let (a, b) = (left.element.position, right.element.position)
                return (ranks[a.file] ?? 0, a.line, a.column, left.offset) < (
                    ranks[b.file] ?? 0, b.line, b.column, right.offset
                )
            }
            .map(\.element)
    }

    private func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
