// SPDX-License-Identifier: MIT

/// Reads the cases of a suite.
struct CaseReader {
    /// The keys of a case, in their usual order.
    static let keys = [
        "name", "id", "tags", "needs", "links", "known", "matrix", "limits", "retry", "fault", "steps",
    ]

    let context: ReadingContext
    let steps: StepReader
    let suite: String

    /// A case, and what must still be checked of its names.
    struct Draft {
        /// The case; nil when it has no name.
        var testCase: TestCase?
        /// What its steps do with names.
        let flow = NameFlow()
        /// Keys of the matrix that each row has.
        var keys: Set<String> = []
        /// Keys of the matrix that only some rows have.
        var partial: Set<String> = []
        /// All keys of the matrix, with their places.
        var allKeys: [(name: String, position: SourcePosition)] = []
        /// Keys that configure the emulator.
        var configuring: Set<String> = []
        /// Keys that the name of the case or what is known of it uses.
        var namesInTitle: Set<String> = []
    }

    /// What the cases read so far have taken.
    private struct Tally {
        var names: [String: SourcePosition] = [:]
        var ids: [String: SourcePosition] = [:]
        var rows = 0
    }

    /// Reads `cases`.
    func cases(_ entry: YAMLNode.Entry) -> [Draft] {
        guard let nodes = entry.value.elements else {
            let isEmpty = entry.value.isEmptyScalar
            context.mistakes.add(
                isEmpty ? entry.keyPosition : entry.value.position,
                isEmpty
                    ? "'cases' is empty; a suite has at least one case"
                    : "'cases' is a list, not \(entry.value.kindName); each case starts with '- name:'"
            )
            return []
        }
        guard !nodes.isEmpty else {
            context.mistakes.add(entry.keyPosition, "'cases' is empty; a suite has at least one case")
            return []
        }
        var tally = Tally()
        return nodes.compactMap { node in
            guard let entries = node.entries else {
                context.mistakes.add(
                    node.position,
                    "a case is a mapping with 'name' and 'steps', not \(node.kindName)"
                )
                return nil
            }
            return read(entries, at: node.position, tally: &tally)
        }
    }

    private func read(
        _ entries: [YAMLNode.Entry],
        at position: SourcePosition,
        tally: inout Tally
    ) -> Draft {
        var draft = Draft()
        var testCase = TestCase(name: "", position: position, steps: [])
        var nameNode: YAMLNode?
        var issueNode: YAMLNode?
        var faultEntry: YAMLNode.Entry?
        var hasMatrix = true
        for entry in entries {
            switch entry.key {
            case "name":
                testCase.name = context.word(entry.value, "the name of a case") ?? ""
                nameNode = entry.value
            case "id":
                testCase.id = context.word(entry.value, "'id'")
                if let id = testCase.id { notice(id, "id", at: entry.value.position, in: &tally.ids) }
            case "tags": testCase.tags = context.tags(entry)
            case "needs": testCase.needs = context.needs(entry)
            case "links": testCase.links = context.words(entry).map(\.text)
            case "known":
                testCase.known = context.known(entry)
                issueNode = entry.value.entries?.first { $0.key == "issue" }?.value
            case "matrix":
                hasMatrix = readMatrix(
                    entry,
                    rowsLeft: MatrixReader.mostRows - tally.rows,
                    testCase: &testCase,
                    draft: &draft
                )
                tally.rows += hasMatrix ? testCase.rows.count : 0
            case "limits":
                testCase.limits = context.limits(
                    entry,
                    in: "the limits of a case",
                    keys: ["apdu", "case", "teardown"]
                )
            case "retry": testCase.retry = context.retry(entry)
            case "fault":
                testCase.fault = context.fault(entry, isOfStep: false)
                faultEntry = entry
            case "steps": testCase.steps = readSteps(entry, flow: draft.flow)
            default: context.unknownKey(entry, in: "a case", known: Self.keys)
            }
        }
        if !entries.contains(where: { $0.key == "steps" }) {
            let name = testCase.name.isEmpty ? "the case" : "the case '\(testCase.name)'"
            context.mistakes.add(position, "\(name) has no 'steps'")
        }
        if let faultEntry { checkTrigger(&testCase, entry: faultEntry) }
        if let issueNode, hasMatrix { _ = readTitle(issueNode, "'issue' of 'known'", draft: &draft) }
        if let nameNode {
            if hasMatrix { readName(nameNode, testCase: testCase, draft: &draft, names: &tally.names) }
        } else {
            context.mistakes.add(position, "a case needs a 'name'")
        }
        draft.testCase = testCase
        return draft
    }

    private func readSteps(_ entry: YAMLNode.Entry, flow: NameFlow) -> [Step] {
        if let nodes = entry.value.elements, nodes.isEmpty {
            context.mistakes.add(entry.keyPosition, "'steps' is empty; a case has at least one step")
            return []
        }
        return steps.steps(entry, flow: flow)
    }

    private func readMatrix(
        _ entry: YAMLNode.Entry,
        rowsLeft: Int,
        testCase: inout TestCase,
        draft: inout Draft
    ) -> Bool {
        guard let matrix = MatrixReader(context: context, rowsLeft: rowsLeft).read(entry) else {
            // The keys count as known, so that one mistake does not cause others.
            draft.keys = Set((entry.value.entries ?? []).map(\.key))
            for row in entry.value.entries?.first(where: { $0.key == "include" })?.value.elements ?? [] {
                draft.keys.formUnion(row.entries?.map(\.key) ?? [])
            }
            return false
        }
        testCase.rows = matrix.rows
        draft.keys = matrix.shared
        draft.partial = matrix.partial
        draft.allKeys = matrix.keys
        let options = context.vocabulary.emulatorOptions[context.target] ?? [:]
        draft.configuring = Set(matrix.keys.map(\.name).filter { $0 == "firmware" || options[$0] != nil })
        return true
    }

    /// Fills the keys of the matrix into the name and looks for a case of the same full name.
    private func readName(
        _ node: YAMLNode,
        testCase: TestCase,
        draft: inout Draft,
        names: inout [String: SourcePosition]
    ) {
        guard !testCase.name.isEmpty, let template = readTitle(node, "the name of a case", draft: &draft)
        else {
            return
        }
        var pieces: [TextPiece] = [.literal(testCase.name)]
        if case .text(let found, _, _) = template { pieces = found }
        for row in testCase.rows {
            var full = ""
            for piece in pieces {
                switch piece {
                case .literal(let text): full += text
                case .reference(let name, _): full += row.values.first { $0.key == name }?.text ?? ""
                }
            }
            if !row.values.isEmpty { full += " [\(row.label)]" }
            guard notice(full, "name", at: node.position, in: &names) else { return }
        }
    }

    /// Reads a text that is filled before the case begins, when only its row has values.
    private func readTitle(_ node: YAMLNode, _ what: String, draft: inout Draft) -> Template? {
        guard node.text != nil, let template = Template.read(node, as: .text, in: context) else { return nil }
        for (name, place) in template.references {
            draft.namesInTitle.insert(name)
            guard !draft.keys.contains(name) else { continue }
            context.mistakes.add(
                place,
                "\(what) may use keys of the matrix only, and '\(name)' is none in each row",
                hint: context.hint(name, draft.keys.sorted())
            )
        }
        return template
    }

    @discardableResult
    private func notice(
        _ word: String,
        _ what: String,
        at position: SourcePosition,
        in seen: inout [String: SourcePosition]
    ) -> Bool {
        if let earlier = seen[word] {
            context.mistakes.add(
                position,
                "the \(what) '\(word)' is taken by the case in line \(earlier.line); each case has its own"
            )
            return false
        }
        seen[word] = position
        return true
    }

    /// A fault strikes at a number, or at a step that the case has.
    private func checkTrigger(_ testCase: inout TestCase, entry: YAMLNode.Entry) {
        guard let fault = testCase.fault, case .step(let word) = fault.trigger else { return }
        var names: Set<String> = []
        var verbs: Set<String> = []
        collect(testCase.steps, names: &names, verbs: &verbs)
        if names.contains(word) || verbs.contains(word) { return }
        if let verb = steps.words[word], verbs.contains(verb.name) {
            testCase.fault?.trigger = .step(verb.name)
            return
        }
        let place = entry.value.entries?.first { $0.key == "at" }?.value.position ?? entry.keyPosition
        let short = steps.words.table.filter { verbs.contains($0.value.name) }.map(\.key)
        context.mistakes.add(
            place,
            "the case has no step '\(word)' at which the fault could strike",
            hint: context.hint(word, names.union(verbs).union(short).sorted())
        )
    }

    private func collect(_ list: [Step], names: inout Set<String>, verbs: inout Set<String>) {
        for step in list {
            if let name = step.name { names.insert(name) }
            switch step.action {
            case .verb(let verb, _): verbs.insert(verb.name)
            case .use(let name, let inner, _):
                verbs.insert(name)
                collect(inner, names: &names, verbs: &verbs)
            }
            if let poll = step.poll { collect(poll.between, names: &names, verbs: &verbs) }
        }
    }
}
