// SPDX-License-Identifier: MIT

/// Reads `vars` and `secrets`.
struct VariableReader {
    let context: ReadingContext
    /// The folder of the scenario and its project.
    let place: ScenarioPlace

    private static let sources = ["random", "count", "sha256", "file"]

    /// Reads `vars`.
    ///
    /// - Parameters:
    ///   - entry: The key with its value.
    ///   - known: Names that have a value besides those of the same block.
    /// - Returns: The variables, in the order of the file.
    func variables(_ entry: YAMLNode.Entry, known: Set<String>) -> [Variable] {
        guard let entries = context.mapping(entry, example: "name: value") else { return [] }
        let flow = NameFlow()
        var earlier: Set<String> = []
        var out: [Variable] = []
        let checker = NameChecker(outside: known, context: context)
        for item in entries {
            checkName(item)
            guard let (source, references) = source(item) else {
                earlier.insert(item.key)
                continue
            }
            flow.refer(to: references)
            let own = NameFlow()
            own.refer(to: references)
            checker.follow(own, before: earlier)
            earlier.insert(item.key)
            out.append(Variable(name: item.key, source: source, position: item.keyPosition))
        }
        return out
    }

    private func source(
        _ item: YAMLNode.Entry
    ) -> (Variable.Source, [(name: String, position: SourcePosition)])? {
        if item.value.isEmptyScalar {
            context.mistakes.add(
                item.keyPosition,
                "the variable '\(item.key)' has no value; write \"\" for an empty text"
            )
            return nil
        }
        guard let keys = item.value.entries else {
            guard let template = Template.read(item.value, as: .any, in: context) else { return nil }
            return (.template(template), template.references)
        }
        for key in keys where !Self.sources.contains(key.key) {
            context.mistakes.add(
                key.keyPosition,
                "a variable has no source '\(key.key)'; possible are random, sha256 and file",
                hint: context.hint(key.key, Self.sources)
            )
        }
        let named = keys.filter { Self.sources.contains($0.key) && $0.key != "count" }
        guard named.count <= 1 else {
            context.mistakes.add(named[1].keyPosition, "the variable '\(item.key)' has two sources; keep one")
            return nil
        }
        guard let first = named.first else {
            if keys.allSatisfy({ $0.key == "count" }) {
                context.mistakes.add(
                    item.keyPosition,
                    "the variable '\(item.key)' has no source; write it like {random: 32}"
                )
            }
            return nil
        }
        let count = keys.first { $0.key == "count" }
        if let count, first.key != "random" {
            context.mistakes.add(count.keyPosition, "'count' belongs to 'random', not to '\(first.key)'")
            return nil
        }
        switch first.key {
        case "random":
            guard let length = context.number(first, in: 1...65_535) else { return nil }
            let number = count.map { context.number($0, in: 1...1_000_000) }
            if case .some(nil) = number { return nil }
            return (.random(length: length, count: number ?? nil), [])
        case "sha256":
            guard context.word(first.value, "'sha256'") != nil,
                let template = Template.read(first.value, as: .text, in: context)
            else { return nil }
            return (.sha256(template), template.references)
        default:
            guard let path = context.word(first.value, "'file'"),
                let found = place.file(path, node: first.value, mustExist: true, in: context)
            else { return nil }
            return (.file(path: found), [])
        }
    }

    /// Reads `secrets`: a list of names, or names with `{file: path}`.
    func secrets(_ entry: YAMLNode.Entry) -> [Variable] {
        if entry.value.entries == nil {
            var seen: Set<String> = []
            return context.words(entry).compactMap { name, node in
                checkName(name, at: node.position)
                guard seen.insert(name).inserted else {
                    context.mistakes.add(node.position, "the secret '\(name)' is named twice")
                    return nil
                }
                return Variable(name: name, source: .environment, position: node.position)
            }
        }
        return (entry.value.entries ?? []).compactMap { item in
            checkName(item)
            if item.value.isEmptyScalar {
                return Variable(name: item.key, source: .environment, position: item.keyPosition)
            }
            guard let keys = item.value.entries, keys.count == 1, keys[0].key == "file" else {
                context.mistakes.add(
                    item.value.position,
                    "the secret '\(item.key)' cannot stand in a scenario; leave the value out for "
                        + "\(Self.environmentName(item.key)), or write {file: path}"
                )
                return Variable(name: item.key, source: .environment, position: item.keyPosition)
            }
            guard let path = context.word(keys[0].value, "'file'"),
                let found = place.file(path, node: keys[0].value, mustExist: false, in: context)
            else { return nil }
            return Variable(name: item.key, source: .file(path: found), position: item.keyPosition)
        }
    }

    /// The environment variable of a name: capitals, and `_` for `-`.
    static func environmentName(_ name: String) -> String {
        "RIG_VAR_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    private func checkName(_ entry: YAMLNode.Entry) {
        checkName(entry.key, at: entry.keyPosition)
    }

    private func checkName(_ name: String, at position: SourcePosition) {
        guard !TextTemplate.isName(name) else { return }
        context.mistakes.add(position, "'\(name)' is no name for a variable; use letters, digits and '_'")
    }
}
