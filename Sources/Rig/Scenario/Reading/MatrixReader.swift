// SPDX-License-Identifier: MIT

/// Reads the matrix of a case: lists multiplied, rows taken out, rows put in.
struct MatrixReader {
    /// The most rows of the cases of a suite together.
    static let mostRows = 200_000
    /// The most keys of a matrix.
    static let mostKeys = 32

    let context: ReadingContext
    /// Rows that the suite may still have.
    let rowsLeft: Int

    /// A matrix, with the places of its keys.
    struct Outcome {
        /// The rows.
        var rows: [MatrixRow] = []
        /// Where each key stands first, in the order of the file.
        var keys: [(name: String, position: SourcePosition)] = []
        /// The keys that each row has.
        var shared: Set<String> = []

        /// The keys that only some rows have.
        var partial: Set<String> { Set(keys.map(\.name)).subtracting(shared) }
    }

    /// Rows times exclusions that are compared.
    private static let mostComparisons = 10_000_000

    private struct Axis {
        let key: YAMLNode.Entry
        let values: [String]
    }

    private typealias Pairs = [(key: String, text: String)]

    /// Reads a matrix; nil when it is too wrong to make rows of.
    func read(_ entry: YAMLNode.Entry) -> Outcome? {
        guard let entries = context.mapping(entry, example: "curve: [ed25519, secp256k1]") else { return nil }
        guard !entries.isEmpty else {
            context.mistakes.add(entry.keyPosition, "'matrix' is empty; remove it or give it keys with lists")
            return nil
        }
        let before = context.mistakes.mistakes.count
        var axes: [Axis] = []
        var included: [(cells: Pairs, node: YAMLNode)] = []
        var excluded: [(cells: Pairs, node: YAMLNode)] = []
        var outcome = Outcome()
        for key in entries {
            switch key.key {
            case "include": included = rows(of: key)
            case "exclude": excluded = rows(of: key)
            default:
                if let axis = axis(key) { axes.append(axis) }
                outcome.keys.append((key.key, key.keyPosition))
            }
        }
        for row in included where outcome.keys.count <= Self.mostKeys { note(row.node, in: &outcome) }
        if outcome.keys.count > Self.mostKeys {
            context.mistakes.add(
                entry.keyPosition,
                "a matrix has at most \(Self.mostKeys) keys; make several cases of it"
            )
        }
        guard context.mistakes.mistakes.count == before else { return nil }
        guard fits(axes, and: included.count, at: entry) else { return nil }
        let product = product(axes)
        guard product.count * excluded.count <= Self.mostComparisons else {
            context.mistakes.add(
                entry.keyPosition,
                "the matrix is too large to take so many rows out; write the others under 'include'"
            )
            return nil
        }
        var isLeft = [Bool](repeating: true, count: product.count)
        for row in excluded where checkExclusion(row, axes: axes) {
            let found = product.indices.filter { matches(product[$0], row.cells) }
            for index in found { isLeft[index] = false }
            if found.isEmpty {
                context.mistakes.add(row.node.position, "this row of 'exclude' matches no row of the matrix")
            }
        }
        let rows = product.indices.filter { isLeft[$0] }.map { product[$0] }
        outcome.rows =
            rows
            + included.map { row in MatrixRow(values: row.cells.map { .init(key: $0.key, text: $0.text) }) }
        guard !outcome.rows.isEmpty else {
            context.mistakes.add(
                entry.keyPosition,
                "the matrix has no rows; its 'exclude' takes all of them out"
            )
            return nil
        }
        outcome.shared = Set(outcome.keys.map(\.name))
        for row in outcome.rows { outcome.shared.formIntersection(row.values.map(\.key)) }
        checkOptions(axes: axes, included: included)
        return outcome
    }

    private func note(_ row: YAMLNode, in outcome: inout Outcome) {
        for cell in row.entries ?? [] where !outcome.keys.contains(where: { $0.name == cell.key }) {
            outcome.keys.append((cell.key, cell.keyPosition))
        }
    }

    private func axis(_ entry: YAMLNode.Entry) -> Axis? {
        checkName(entry)
        guard let nodes = entry.value.elements else {
            let kind = entry.value.isEmptyScalar ? "nothing" : entry.value.kindName
            context.mistakes.add(
                entry.value.isEmptyScalar ? entry.keyPosition : entry.value.position,
                "the matrix key '\(entry.key)' has a list of values, not \(kind)"
            )
            return nil
        }
        guard !nodes.isEmpty else {
            context.mistakes.add(entry.value.position, "the list of the matrix key '\(entry.key)' is empty")
            return nil
        }
        var seen: Set<String> = []
        let values = nodes.compactMap { node -> String? in
            guard let text = cell(node, of: entry.key) else { return nil }
            guard seen.insert(text).inserted else {
                context.mistakes.add(
                    node.position,
                    "the matrix key '\(entry.key)' has the value '\(text)' twice"
                )
                return nil
            }
            return text
        }
        return Axis(key: entry, values: values)
    }

    private func cell(_ node: YAMLNode, of key: String) -> String? {
        guard let text = context.word(node, "a value of the matrix key '\(key)'") else { return nil }
        guard text.range(ofFirst: "${") == nil else {
            context.mistakes.add(node.position, "a value of a matrix cannot hold ${...}; write it out")
            return nil
        }
        return text
    }

    private func rows(of entry: YAMLNode.Entry) -> [(cells: Pairs, node: YAMLNode)] {
        guard let nodes = entry.value.elements, !nodes.isEmpty else {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' of a matrix is a list of rows such as - {key: value}"
            )
            return []
        }
        return nodes.compactMap { node in
            guard let cells = node.entries, !cells.isEmpty else {
                context.mistakes.add(node.position, "a row of '\(entry.key)' is a mapping of keys and values")
                return nil
            }
            var pairs: Pairs = []
            for item in cells {
                if entry.key == "include" { checkName(item) }
                if let text = cell(item.value, of: item.key) { pairs.append((item.key, text)) }
            }
            return (pairs, node)
        }
    }

    private func checkName(_ entry: YAMLNode.Entry) {
        guard !TextTemplate.isName(entry.key) else { return }
        context.mistakes.add(
            entry.keyPosition,
            "'\(entry.key)' is no name for a matrix key; use letters, digits, '_' and '-'"
        )
    }

    private func fits(_ axes: [Axis], and included: Int, at entry: YAMLNode.Entry) -> Bool {
        var count = axes.isEmpty ? 0 : 1
        for axis in axes where count <= rowsLeft { count *= axis.values.count }
        guard count + included > rowsLeft else { return true }
        context.mistakes.add(
            entry.keyPosition,
            "the rows of all matrices are more than \(Self.mostRows); lists are multiplied"
        )
        return false
    }

    private func product(_ axes: [Axis]) -> [MatrixRow] {
        guard !axes.isEmpty else { return [] }
        var rows: [[MatrixRow.Cell]] = [[]]
        for axis in axes {
            rows = rows.flatMap { row in axis.values.map { row + [.init(key: axis.key.key, text: $0)] } }
        }
        return rows.map { MatrixRow(values: $0) }
    }

    private func matches(_ row: MatrixRow, _ cells: Pairs) -> Bool {
        cells.allSatisfy { cell in row.values.contains { $0.key == cell.key && $0.text == cell.text } }
    }

    private func checkExclusion(_ row: (cells: Pairs, node: YAMLNode), axes: [Axis]) -> Bool {
        let names = axes.map(\.key.key)
        let strangers = (row.node.entries ?? []).filter { !names.contains($0.key) }
        for cell in strangers {
            context.mistakes.add(
                cell.keyPosition,
                "the matrix has no list '\(cell.key)' to exclude from",
                hint: context.hint(cell.key, names)
            )
        }
        return strangers.isEmpty
    }

    /// Values of keys that configure the emulator are checked as its options are.
    private func checkOptions(axes: [Axis], included: [(cells: Pairs, node: YAMLNode)]) {
        let options = context.vocabulary.emulatorOptions[context.target] ?? [:]
        func check(_ name: String, _ text: String, _ position: SourcePosition) {
            if let problem = options[name]?(text) {
                context.mistakes.add(
                    position,
                    "the matrix key '\(name)' sets the emulator's option of this name: \(problem); give values of "
                        + "your own another key"
                )
            }
        }
        for axis in axes {
            for node in axis.key.value.elements ?? [] { check(axis.key.key, node.text ?? "", node.position) }
        }
        for row in included {
            for cell in row.node.entries ?? [] { check(cell.key, cell.value.text ?? "", cell.value.position) }
        }
    }
}
