// SPDX-License-Identifier: MIT

import Wording

/// Reads a scenario's tree into a checked suite.
struct SuiteReader {
    /// The keys of a scenario, in their usual order.
    static let keys = [
        "rig", "suite", "title", "target", "tags", "needs", "limits", "options", "include", "vars", "secrets",
        "raw",
        "setup", "cases", "teardown",
    ]

    let place: ScenarioPlace
    let context: ReadingContext
    /// Nil when the target is unknown, so that no word of a step can be judged.
    let words: VerbWords?
    let shelf: LibraryShelf
    /// Names that have a value from outside.
    let externalNames: Set<String>
    private let entries: [String: YAMLNode.Entry]
    private let root: YAMLNode
    private let included = Included()

    private final class Included {
        var files: [LibraryShelf.File] = []
    }

    /// The files that the suite includes, once it has been read.
    var includedFiles: [LibraryShelf.File] { included.files }

    /// Prepares to read a tree; nil when it is no mapping.
    init?(
        _ root: YAMLNode,
        place: ScenarioPlace,
        vocabulary: Vocabulary,
        externalNames: Set<String>,
        shelf: LibraryShelf,
        mistakes: MistakeCollector,
        hexPlaces: HexPlaces? = nil
    ) {
        guard let list = root.entries else {
            mistakes.add(
                root.position,
                "a scenario is a mapping that starts with 'rig: 1', not \(root.kindName)"
            )
            return nil
        }
        self.root = root
        self.place = place
        self.shelf = shelf
        self.externalNames = externalNames
        entries = Dictionary(list.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let targets = vocabulary.dictionaries.keys.sorted()
        let given = entries["target"]?.value.text ?? ""
        let target = targets.contains(given) ? given : Suggestion.nearest(to: given, among: targets)
        context = ReadingContext(
            vocabulary: vocabulary,
            target: target ?? "",
            mistakes: mistakes,
            hexPlaces: hexPlaces
        )
        words = target.map { VerbWords(vocabulary, target: $0) }
    }

    /// Reads the suite; what is wrong goes to the collector, and the caller drops the suite then.
    ///
    /// - Parameter sha256: The digest of the file, lower-case hex.
    /// - Returns: The suite, which only counts when nothing was wrong.
    func read(sha256: String) -> Suite {
        for entry in root.entries ?? [] where !Self.keys.contains(entry.key) {
            context.unknownKey(entry, in: "a scenario", known: Self.keys)
        }
        readVersion()
        var suite = Suite(
            name: readName() ?? "",
            target: readTarget(),
            file: place.shown,
            position: entries["suite"]?.value.position ?? root.position,
            sha256: sha256
        )
        suite.title = entries["title"].flatMap { context.word($0.value, "'title'") } ?? ""
        suite.tags = entries["tags"].map(context.tags) ?? []
        suite.needs = entries["needs"].map(context.needs) ?? []
        suite.limits =
            entries["limits"].map {
                context.limits($0, in: "'limits'", keys: ["apdu", "case", "teardown"])
            } ?? Limits()
        suite.options = entries["options"].map(readOptions) ?? [:]
        for item in entries["options"]?.value.entries ?? [] {
            suite.optionPlaces[item.key] = item.value.position
        }
        suite.isRaw = entries["raw"].flatMap(context.boolean) ?? false
        let variables = VariableReader(context: context, place: place)
        suite.secrets = entries["secrets"].map(variables.secrets) ?? []
        // The names stand, also of secrets that are told to be wrong.
        let secretNames = Set(suite.secrets.map(\.name))
            .union(entries["secrets"]?.value.entries?.map(\.key) ?? [])
        suite.variables =
            entries["vars"].map { variables.variables($0, known: externalNames.union(secretNames)) } ?? []
        for entry in entries["vars"]?.value.entries ?? [] where secretNames.contains(entry.key) {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' is a secret already; remove it from 'vars'"
            )
        }
        let visible = readIncludes()
        if entries["cases"] == nil { missing("cases", "a suite has at least one case") }
        if words != nil { readBlocks(into: &suite, secretNames: secretNames, library: visible) }
        return suite
    }

    // MARK: Header

    private func missing(_ key: String, _ advice: String) {
        context.mistakes.add(root.position, "the key '\(key)' is missing; \(advice)")
    }

    private func readVersion() {
        guard let entry = entries["rig"] else { return missing("rig", "a scenario starts with 'rig: 1'") }
        guard let text = context.word(entry.value, "'rig'"), text != "1" else { return }
        context.mistakes.add(
            entry.value.position,
            "version '\(text)' of the scenario language is not known; write 'rig: 1'"
        )
    }

    private func readName() -> String? {
        guard let entry = entries["suite"] else {
            missing("suite", "write a dotted name such as 'suite: nbt.led'")
            return nil
        }
        guard let name = context.word(entry.value, "'suite'") else { return nil }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isDotted = parts.allSatisfy { part in
            guard let first = part.utf8.first, first.isLetter || first.isDigit else { return false }
            return part.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }
        }
        if !isDotted {
            context.mistakes.add(
                entry.value.position,
                "'\(name)' is no name of a suite; write words of letters, digits and '-' joined by "
                    + "dots, such as nbt.led"
            )
        }
        return name
    }

    private func readTarget() -> String {
        let targets = context.vocabulary.dictionaries.keys.sorted()
        let list = targets.joined(separator: ", ")
        guard let entry = entries["target"] else {
            missing("target", "write the device: \(list)")
            return ""
        }
        guard let text = context.word(entry.value, "'target'") else { return "" }
        if !targets.contains(text) {
            context.mistakes.add(
                entry.value.position,
                "unknown target '\(text)'; possible are \(list)",
                hint: Suggestion.nearest(to: text, among: targets)
            )
        }
        return text
    }

    private func readOptions(_ entry: YAMLNode.Entry) -> [String: String] {
        let known = context.vocabulary.emulatorOptions[context.target] ?? [:]
        let files = context.vocabulary.fileOptions[context.target] ?? []
        var out: [String: String] = [:]
        for item in context.mapping(entry, example: "name: value") ?? [] {
            guard !context.target.isEmpty else { break }
            guard let check = known[item.key] else {
                context.mistakes.add(
                    item.keyPosition,
                    "the emulator of '\(context.target)' has no option '\(item.key)'",
                    hint: context.hint(item.key, known.keys.sorted())
                )
                continue
            }
            guard let text = context.word(item.value, "the option '\(item.key)'") else { continue }
            if files.contains(item.key) {
                out[item.key] = place.file(text, node: item.value, mustExist: true, in: context)
            } else if let problem = check(text) {
                context.mistakes.add(item.value.position, "option '\(item.key)': \(problem)")
            } else {
                out[item.key] = text
            }
        }
        return out
    }

    private func readIncludes() -> SuiteLibrary {
        guard let entry = entries["include"] else { return SuiteLibrary(visible: [:]) }
        let files = shelf.include(entry, from: place, chain: [place], in: context)
        included.files = files
        return SuiteLibrary(visible: shelf.visible(of: files, at: entry.keyPosition, in: context))
    }

    // MARK: Blocks

    private func readBlocks(into suite: inout Suite, secretNames: Set<String>, library: SuiteLibrary) {
        guard let words else { return }
        let steps = StepReader(context: context, words: words, secretNames: secretNames, library: library)
        let setup = NameFlow()
        suite.setup = entries["setup"].map { steps.steps($0, flow: setup) } ?? []
        var drafts: [CaseReader.Draft] = []
        if let entry = entries["cases"] {
            drafts = CaseReader(context: context, steps: steps, suite: suite.name).cases(entry)
        }
        suite.cases = drafts.compactMap(\.testCase)
        let teardown = NameFlow()
        suite.teardown = entries["teardown"].map { steps.steps($0, flow: teardown) } ?? []
        let start = secretNames.union(entries["vars"]?.value.entries?.map(\.key) ?? [])
        checkNames(setup: setup, drafts: drafts, teardown: teardown, start: start)
    }

    /// Set-up knows the keys that all matrices share, a case its own and what set-up captured, the teardown what
    /// set-up and each case captured.
    private func checkNames(
        setup: NameFlow,
        drafts: [CaseReader.Draft],
        teardown: NameFlow,
        start: Set<String>
    ) {
        let checker = NameChecker(outside: start, external: externalNames, context: context)
        let common = common(drafts.map(\.keys))
        let prepared = checker.follow(setup, before: common).subtracting(common)
        let frame = setup.mentioned.union(teardown.mentioned)
        var captured: [Set<String>] = []
        for draft in drafts {
            for key in draft.allKeys where start.contains(key.name) && !draft.configuring.contains(key.name) {
                context.mistakes.add(
                    key.position,
                    "the matrix key '\(key.name)' is a variable of the suite already"
                )
            }
            checker.follow(draft.flow, before: prepared.union(draft.keys), partial: draft.partial)
            captured.append(Set(draft.flow.captured))
            let used = frame.union(draft.flow.mentioned).union(draft.namesInTitle)
            for key in draft.allKeys where !used.contains(key.name) && !draft.configuring.contains(key.name) {
                context.mistakes.add(key.position, "the matrix key '\(key.name)' is not used in its case")
            }
        }
        checker.follow(teardown, before: prepared.union(common).union(self.common(captured)))
    }

    private func common(_ sets: [Set<String>]) -> Set<String> {
        guard var out = sets.first else { return [] }
        for set in sets.dropFirst() { out.formIntersection(set) }
        return out
    }
}

extension ReadingContext {
    /// `tags`: words without blanks and commas.
    func tags(_ entry: YAMLNode.Entry) -> [String] {
        words(entry).compactMap { text, node in
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
            guard !isPlain, text.contains(where: { $0 == " " || $0 == "," || $0.isNewline }) else {
                return text
            }
            mistakes.add(node.position, "'\(text)' is no tag; a tag has no blanks and no commas")
            return nil
        }
    }
}
