// SPDX-License-Identifier: MIT

/// The steps that a suite's `use` may name, read for its target at their first use.
final class SuiteLibrary: StepLibrary {
    private static let deepestCall = 32

    private let visible: [String: LibraryShelf.Item]
    private let cache: Cache
    /// The names on the way here, for the sentence about a call of itself.
    private let chain: [String]

    private final class Cache {
        var read: [String: LibrarySteps?] = [:]
        var open: [String] = []
        private var visible: [String: [String: LibraryShelf.Item]] = [:]

        /// The names that a file sees, put together once for all of its steps.
        func names(of file: LibraryShelf.File) -> [String: LibraryShelf.Item] {
            if let names = visible[file.place.path] { return names }
            let names = file.visible()
            visible[file.place.path] = names
            return names
        }
    }

    /// Takes the names that are visible.
    convenience init(visible: [String: LibraryShelf.Item]) {
        self.init(visible: visible, cache: Cache(), chain: [])
    }

    private init(visible: [String: LibraryShelf.Item], cache: Cache, chain: [String]) {
        self.visible = visible
        self.cache = cache
        self.chain = chain
    }

    func find(
        _ name: String,
        usedAt position: SourcePosition,
        words: VerbWords,
        in context: ReadingContext
    ) -> LibrarySteps? {
        guard let item = visible[name] else {
            let advice = visible.isEmpty ? "; 'include' names the files with steps" : ""
            context.mistakes.add(
                position,
                "there are no steps '\(name)'\(advice)",
                hint: context.hint(name, visible.keys.sorted())
            )
            return nil
        }
        let key = "\(item.file.place.path)\n\(name)"
        if let first = cache.open.firstIndex(of: key) {
            let names = chain[first...] + [name]
            context.mistakes.add(
                position,
                "the steps '\(name)' use themselves: \(names.joined(separator: " > "))"
            )
            return nil
        }
        guard cache.open.count < Self.deepestCall else {
            context.mistakes.add(
                position,
                "calls of 'use' are nested deeper than \(Self.deepestCall) levels here"
            )
            return nil
        }
        if let steps = cache.read[key] { return steps }
        cache.open.append(key)
        let steps = read(item, name: name, words: words, in: context)
        cache.open.removeLast()
        cache.read[key] = .some(steps)
        return steps
    }

    private func read(
        _ item: LibraryShelf.Item,
        name: String,
        words: VerbWords,
        in context: ReadingContext
    ) -> LibrarySteps? {
        var list = item.entry
        var arguments: [String] = []
        if let entries = item.entry.value.entries {
            guard let steps = entries.first(where: { $0.key == "steps" }) else {
                context.mistakes.add(item.entry.keyPosition, "the steps '\(name)' need the key 'steps'")
                return nil
            }
            list = steps
            for entry in entries where entry.key != "steps" {
                guard entry.key == "args" else {
                    context.unknownKey(entry, in: "the steps '\(name)'", known: ["args", "steps"])
                    continue
                }
                for (text, node) in context.words(entry) {
                    if !TextTemplate.isName(text) {
                        context.mistakes.add(
                            node.position,
                            "'\(text)' is no name for an argument; use letters, digits and '_'"
                        )
                    } else if arguments.contains(text) {
                        context.mistakes.add(node.position, "the argument '\(text)' is named twice")
                    } else {
                        arguments.append(text)
                    }
                }
            }
        }
        let inner = SuiteLibrary(visible: cache.names(of: item.file), cache: cache, chain: chain + [name])
        let reader = StepReader(context: context, words: words, secretNames: nil, library: inner)
        let flow = NameFlow()
        let steps = reader.steps(list, flow: flow)
        let open = flow.openReferences(arguments: Set(arguments), mistakes: context.mistakes)
        return LibrarySteps(
            arguments: arguments,
            steps: steps,
            openReferences: open,
            stepCount: flow.stepCount,
            guards: reader.guards
        )
    }
}
