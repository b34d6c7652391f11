// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

/// Reading of what cases and steps say about the bench, the issue tracker and the report.
extension ReadingContext {
    /// `known` of a case.
    func known(_ entry: YAMLNode.Entry) -> KnownFailure? {
        guard let entries = mapping(entry, example: "issue: \"why it fails\", until: 2027-01-31") else {
            return nil
        }
        var issue: String?
        var until: CalendarDate?
        for key in entries {
            switch key.key {
            case "issue": issue = word(key.value, "'issue'")
            case "until":
                until = parsed(key) { text throws(TextError) in try CalendarDate.parse(text) }
            default: unknownKey(key, in: "'known'", known: ["issue", "until"])
            }
        }
        for (need, what) in [("issue", "what is known"), ("until", "the last day on which it may fail")]
        where !entries.contains(where: { $0.key == need }) {
            mistakes.add(entry.keyPosition, "'known' needs '\(need)', \(what)")
        }
        guard let issue, let until else { return nil }
        return KnownFailure(issue: issue, until: until, position: entry.keyPosition)
    }

    /// `on` of a step: the name of another connection.
    func role(_ entry: YAMLNode.Entry) -> String? {
        guard let text = word(entry.value, "'\(entry.key)'") else { return nil }
        guard TextTemplate.isName(text) else {
            mistakes.add(
                entry.value.position,
                "'\(text)' is no role; a letter comes first, then letters, digits, '_' and '-'"
            )
            return nil
        }
        return text
    }

    /// `mask` of a step: paths and byte ranges.
    func masks(_ entry: YAMLNode.Entry) -> [String] {
        words(entry).compactMap { text, node in
            do throws(TextError) {
                try Self.checkMask(text, dictionary: dictionary)
                return text
            } catch {
                add(error, in: node)
                return nil
            }
        }
    }

    /// Refuses a mask that hides nothing: `data`, `data(2..6)`, `tlv.6F.84` and `6F.84` do.
    private static func checkMask(_ text: String, dictionary: DeviceDictionary?) throws(TextError) {
        let isPath = text == "data" || text.hasPrefix("data(") || text.hasPrefix("tlv.")
        guard isPath else {
            do throws(TextError) {
                _ = try TLVPath(ResultPath.tags(text), dictionary: dictionary)
            } catch {
                throw TextError(
                    "\(error.message); 'mask' takes data, data(2..6) or tags such as 6F.84",
                    column: error.column,
                    hint: error.hint ?? Suggestion.nearest(to: text, among: ["data"])
                )
            }
            return
        }
        let path = try ResultPath.parse(text)
        if case .tlv(let steps) = path.root, path.parts.isEmpty {
            _ = try TLVPath(steps, dictionary: dictionary)
            return
        }
        guard path.root == .data, path.parts.count <= 1, path.parts.allSatisfy(\.isRangeOfBytes) else {
            throw TextError(
                "'\(text)' is no place to hide; write data, data(2..6) or tags such as tlv.6F.84"
            )
        }
    }

    /// True when one argument of each group is given, and no second one beside one that excludes others.
    ///
    /// - Parameters:
    ///   - specs: The arguments that may be given.
    ///   - entries: Those that are.
    ///   - what: What takes them, for the sentence: `'check'`.
    ///   - position: Where the key that holds them stands.
    /// - Returns: False after a mistake.
    func choices(
        of specs: [ArgumentSpec],
        hold entries: [YAMLNode.Entry],
        in what: String,
        at position: SourcePosition
    ) -> Bool {
        var holds = true
        var seen: Set<ArgumentChoice> = []
        for spec in specs {
            guard let choice = spec.choice, seen.insert(choice).inserted else { continue }
            let names = specs.filter { $0.choice == choice }.map(\.name)
            let given = entries.filter { names.contains($0.key) }
            if given.isEmpty {
                guard choice.isNeeded else { continue }
                let list = names.map { "'\($0)'" }.joined(separator: names.count == 2 ? " or " : ", ")
                mistakes.add(position, "\(what) needs \(names.count > 2 ? "one of " : "")\(list)")
                holds = false
            } else if choice.isExclusive, given.count > 1 {
                mistakes.add(
                    given[1].keyPosition,
                    "'\(given[0].key)' and '\(given[1].key)' exclude each other; keep one"
                )
                holds = false
            }
        }
        // What the one that is missing would have beside it is no mistake of its own.
        return holds && neighbours(of: specs, hold: entries.map { ($0.key, $0.keyPosition) }, in: what)
    }

    /// True when each argument has beside it what it needs, and nothing that it excludes.
    func neighbours(
        of specs: [ArgumentSpec],
        hold given: [(name: String, position: SourcePosition)],
        in what: String
    ) -> Bool {
        var holds = true
        for spec in specs {
            guard let argument = given.first(where: { $0.name == spec.name }) else { continue }
            if !spec.beside.isEmpty, !given.contains(where: { spec.beside.contains($0.name) }) {
                let list = spec.beside.map { "'\($0)'" }.joined(separator: " or ")
                mistakes.add(argument.position, "'\(spec.name)' of \(what) needs \(list) beside it")
                holds = false
            }
            if let other = given.first(where: { spec.excludes.contains($0.name) }) {
                mistakes.add(
                    argument.position,
                    "'\(spec.name)' and '\(other.name)' exclude each other; keep one"
                )
                holds = false
            }
        }
        return holds
    }
}

extension ResultPath.Part {
    /// True for what takes some bytes out of bytes.
    fileprivate var isRangeOfBytes: Bool {
        switch self {
        case .index, .range: true
        case .key, .type: false
        }
    }
}
