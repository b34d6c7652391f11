// SPDX-License-Identifier: MIT

import HostSystem

/// The included files of a load: each is read once, whoever includes it.
final class LibraryShelf {
    /// An included file.
    final class File {
        let place: ScenarioPlace
        /// What is wrong with it, whoever includes it.
        let mistakes = MistakeCollector()
        /// The steps that it defines, under their names.
        fileprivate(set) var own: [String: YAMLNode.Entry] = [:]
        /// The names of the files that it includes.
        ///
        /// Its own are not among them: an item holds its file, and a file that held itself would never go.
        fileprivate var included: [String: Item] = [:]
        /// The files that it includes, at any depth.
        fileprivate(set) var below: [File] = []

        private var paths: Set<String> = []

        init(place: ScenarioPlace) {
            self.place = place
        }

        /// The names that it defines and those of the files that it includes; made anew at each call.
        func visible() -> [String: Item] {
            included.merging(own.mapValues { Item(file: self, entry: $0) }) { _, own in own }
        }

        /// Adds an included file and those below it, each once.
        fileprivate func include(_ other: File) {
            for file in [other] + other.below where paths.insert(file.place.path).inserted {
                below.append(file)
            }
        }
    }

    /// Steps under a name, not yet read.
    struct Item {
        /// The file that defines them.
        let file: File
        /// The name and its steps.
        let entry: YAMLNode.Entry
    }

    private static let deepestInclude = 32

    private let vocabulary: Vocabulary
    private var files: [String: File] = [:]

    /// Makes an empty shelf.
    init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// The names that included files make visible; one that two files define is a mistake.
    func visible(of files: [File], at position: SourcePosition, in context: ReadingContext) -> [String: Item]
    {
        var out: [String: Item] = [:]
        for file in files {
            for (name, item) in file.visible().sorted(by: { $0.key < $1.key }) {
                if let other = out[name], other.file !== item.file {
                    context.mistakes.add(
                        position,
                        "the steps '\(name)' stand in \(other.file.place.shown) and in "
                            + "\(item.file.place.shown); rename one"
                    )
                }
                out[name] = item
            }
        }
        return out
    }

    /// The files of an `include`.
    ///
    /// - Parameters:
    ///   - entry: The key with its list of paths.
    ///   - place: The file that includes.
    ///   - chain: The files on the way here, this one last.
    ///   - context: Where mistakes of the including file go.
    /// - Returns: The files, those already on the shelf too.
    func include(
        _ entry: YAMLNode.Entry,
        from place: ScenarioPlace,
        chain: [ScenarioPlace],
        in context: ReadingContext
    ) -> [File] {
        context.words(entry).compactMap { text, node in
            guard let path = place.file(text, node: node, mustExist: true, in: context) else { return nil }
            if let first = chain.firstIndex(where: { $0.path == path }) {
                let names = chain[first...].map(\.shown) + [chain[first].shown]
                context.mistakes.add(
                    node.position,
                    "the file includes itself: \(names.joined(separator: " > "))"
                )
                return nil
            }
            guard chain.count <= Self.deepestInclude else {
                context.mistakes.add(
                    node.position,
                    "files include each other deeper than \(Self.deepestInclude) levels here"
                )
                return nil
            }
            return file(at: path, text: text, node: node, from: place, chain: chain, in: context)
        }
    }

    private func file(
        at path: String,
        text: String,
        node: YAMLNode,
        from place: ScenarioPlace,
        chain: [ScenarioPlace],
        in context: ReadingContext
    ) -> File? {
        if let file = files[path] { return file }
        let file = File(place: ScenarioPlace(path, resolved: path, project: place.project))
        let bytes: [UInt8]
        do {
            bytes = try HostFile.read(path, limit: YAMLReader.largestFile + 1)
        } catch {
            context.mistakes.add(node.position, "cannot read '\(text)': \(error.reason)")
            return nil
        }
        files[path] = file
        let outcome = YAMLReader.read(bytes, file: file.place.shown, mistakes: file.mistakes)
        if let root = outcome.root { read(root, into: file, chain: chain) }
        return file
    }

    /// Puts a file on the shelf that was named by itself, not by an `include`.
    func add(_ root: YAMLNode, place: ScenarioPlace) -> File {
        if let file = files[place.path] { return file }
        let file = File(place: place)
        files[place.path] = file
        read(root, into: file, chain: [])
        return file
    }

    private func read(_ root: YAMLNode, into file: File, chain: [ScenarioPlace]) {
        let context = ReadingContext(
            vocabulary: vocabulary,
            target: "",
            mistakes: file.mistakes
        )
        guard let entries = root.entries else {
            context.mistakes.add(
                root.position,
                "an included file is a mapping with 'steps', not \(root.kindName)"
            )
            return
        }
        for entry in entries {
            switch entry.key {
            case "steps":
                for item in context.mapping(entry, example: "name: [...]") ?? [] {
                    file.own[item.key] = item
                }
            case "include":
                let chain = chain + [file.place]
                for other in include(entry, from: file.place, chain: chain, in: context) {
                    file.include(other)
                    file.included.merge(other.visible()) { first, _ in first }
                }
            default: context.unknownKey(entry, in: "an included file", known: ["steps", "include"])
            }
        }
        if !entries.contains(where: { $0.key == "steps" || $0.key == "include" }) {
            context.mistakes.add(
                root.position,
                "the key 'steps' is missing; an included file maps names to steps"
            )
        }
    }

    /// The mistakes of the files that a list of names came from, each file once.
    func mistakes(of files: [File]) -> [ScenarioMistake] {
        var seen: Set<String> = []
        return files.flatMap { [$0] + $0.below }
            .filter { seen.insert($0.place.path).inserted }
            .flatMap(\.mistakes.mistakes)
    }
}
