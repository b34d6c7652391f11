// SPDX-License-Identifier: MIT

/// Which steps of a library a `use` stands for: the same for each call of them in a suite.
struct LibraryBody: Hashable {
    private let name: String
    private let first: SourcePosition?
    private let count: Int

    /// Tells the steps of a call from those of other ones.
    init(_ name: String, _ steps: [Step]) {
        self.name = name
        first = steps.first?.position
        count = steps.count
    }
}

/// The names that the steps of libraries look at, found once for each library.
struct LibraryNames {
    private var known: [LibraryBody: Set<String>] = [:]

    /// All names that steps look at, those of the libraries that they use included.
    mutating func mentioned(in steps: [Step], of body: LibraryBody) -> Set<String> {
        if let names = known[body] { return names }
        let names = mentioned(in: steps)
        known[body] = names
        return names
    }

    private mutating func mentioned(in steps: [Step]) -> Set<String> {
        var names: Set<String> = []
        for step in steps {
            if let name = step.condition?.guardedName { names.insert(name) }
            var references = step.condition?.references ?? []
            switch step.action {
            case .verb(_, let arguments):
                for template in arguments.values { references += template.references }
            case .use(let name, let inner, let bindings):
                for template in bindings.values { references += template.references }
                names.formUnion(mentioned(in: inner, of: LibraryBody(name, inner)))
            }
            references += step.expectation?.references ?? []
            references += step.statistics?.references ?? []
            if let poll = step.poll {
                references += poll.goal.expectation.references
                names.formUnion(mentioned(in: poll.between))
            }
            names.formUnion(references.map(\.name))
        }
        return names
    }
}
