// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

extension Expectation {
    /// Reads what must hold of a step.
    ///
    /// - Parameters:
    ///   - node: The mapping as the file has it.
    ///   - verb: The step's verb; its result fields are keys.
    ///   - context: Names, and where mistakes go.
    /// - Returns: The expectation, or nil when a mistake was noted.
    public static func read(_ node: YAMLNode, verb: VerbSpec, in context: ReadingContext) -> Expectation? {
        read(node, verb: verb, isPart: false, in: context)
    }

    /// The variables that it refers to, each with its place.
    public var references: [(name: String, position: SourcePosition)] {
        items.flatMap { item -> [(name: String, position: SourcePosition)] in
            switch item.subject {
            case .wire(let expectations): expectations.flatMap(\.references)
            case .every(let inner), .not(let inner): inner.references
            default: item.check.references
            }
        }
    }

    /// Reads an expectation; a part speaks of single exchanges only.
    fileprivate static func read(
        _ node: YAMLNode,
        verb: VerbSpec,
        isPart: Bool,
        in context: ReadingContext
    ) -> Expectation? {
        guard let entries = node.entries else {
            context.mistakes.add(
                node.position,
                "\(node.text == "" ? "nothing" : node.kindName) stands where a mapping is wanted; write { sw: 9000 }, say"
            )
            return nil
        }
        guard !entries.isEmpty else {
            context.mistakes.add(
                node.position,
                "nothing is expected here; name what must hold, such as { sw: 9000 }"
            )
            return nil
        }
        var reader = ExpectationReader(verb: verb, isPart: isPart, context: context, position: node.position)
        for entry in entries { reader.read(entry) }
        return reader.isWhole ? reader.out : nil
    }
}

/// Reads the keys of one expectation.
private struct ExpectationReader {
    let verb: VerbSpec
    let isPart: Bool
    let context: ReadingContext
    var out: Expectation
    var isWhole = true

    init(verb: VerbSpec, isPart: Bool, context: ReadingContext, position: SourcePosition) {
        self.verb = verb
        self.isPart = isPart
        self.context = context
        out = Expectation(position: position)
    }

    private static let exchangeKeys = ["sw", "data", "len", "ascii", "tlv", "time"]
    private static let stepExchangeKeys = ["exchanges", "wire", "every"]

    /// The keys that may stand here, for messages.
    private var known: [String] {
        let results = isPart ? [] : verb.results.map(\.name)
        let exchange = verb.exchanges ? Self.exchangeKeys + (isPart ? [] : Self.stepExchangeKeys) : []
        return exchange + (isPart ? [] : stepKeys) + ["not"] + results
    }

    private var stepKeys: [String] {
        ["total"] + (verb.waits ? ["within"] : []) + ["fault"] + (verb.errors.isEmpty ? [] : ["error"])
    }

    /// True for the language's own keys that may stand here.
    private func isKnown(_ key: String) -> Bool {
        switch key {
        case "not": true
        case "total", "fault", "error": !isPart
        case "within": !isPart && verb.waits
        case "exchanges", "wire", "every": verb.exchanges && !isPart
        case "sw", "data", "len", "ascii", "tlv", "time": verb.exchanges
        default: false
        }
    }

    mutating func read(_ entry: YAMLNode.Entry) {
        if !isPart, let result = verb.results.first(where: { $0.name == entry.key }) {
            if result.name == "ndef" {
                add(.ndef, NDEFCheck.read(entry.value, in: context), entry)
            } else {
                add(
                    .field(result.name),
                    ValueCheck.read(entry.value, as: .value(result.type), in: context),
                    entry
                )
            }
            return
        }
        guard isKnown(entry.key) else { return addUnknown(entry) }
        switch entry.key {
        case "sw": add(.status, check(entry, .status), entry, .unexpectedStatus)
        case "data": add(.data, check(entry, .value(.bytes)), entry, .unexpectedData)
        case "len": add(.length, check(entry, .count), entry, .unexpectedData)
        case "ascii": add(.ascii, check(entry, .value(.text)), entry, .unexpectedData)
        case "time": add(.time, check(entry, .time), entry, .timingExceeded)
        case "total": add(.total, check(entry, .time), entry, .timingExceeded)
        case "exchanges": add(.exchanges, check(entry, .count), entry, .unexpectedData)
        case "tlv": readTags(entry)
        case "wire": readWire(entry)
        case "every":
            let inner = Expectation.read(entry.value, verb: verb, isPart: true, in: context)
            add(inner.map { .every($0) } ?? .data, inner == nil ? nil : .present, entry)
        case "not":
            let inner = Expectation.read(entry.value, verb: verb, isPart: isPart, in: context)
            add(inner.map { .not($0) } ?? .data, inner == nil ? nil : .present, entry)
        case "within":
            if let time: Duration = context.writtenOut(
                entry,
                as: .duration,
                { value in
                    guard case .duration(let time) = value else { return nil }
                    return time
                }
            ) {
                out.within = time
            } else {
                isWhole = false
            }
        case "fault": out.expectedFaults = words(entry, known: context.vocabulary.faults)
        default: readErrors(entry)
        }
    }

    private func check(_ entry: YAMLNode.Entry, _ form: CheckForm) -> ValueCheck? {
        ValueCheck.read(entry.value, as: form, in: context)
    }

    /// The kind of problem that a wrong result field of the verb is.
    private var kind: Mismatch.Kind {
        if verb.name.hasPrefix("kit.") { return .probeMismatch }
        return ["check", "equals", "differs", "increases"].contains(verb.name)
            ? .checkFailed : .unexpectedData
    }

    private mutating func add(
        _ subject: ExpectationItem.Subject,
        _ check: ValueCheck?,
        _ entry: YAMLNode.Entry,
        _ kind: Mismatch.Kind? = nil
    ) {
        guard let check else {
            isWhole = false
            return
        }
        out.items.append(
            ExpectationItem(
                subject: subject,
                check: check,
                kind: kind ?? self.kind,
                position: entry.keyPosition
            )
        )
    }

    private mutating func addUnknown(_ entry: YAMLNode.Entry) {
        isWhole = false
        if entry.key == "within" {
            context.mistakes.add(
                entry.keyPosition,
                "'\(verb.name)' does not wait for a change, so 'within' says nothing here; "
                    + "'total' limits its time, 'poll' tries again"
            )
            return
        }
        let isOfExchange = (Self.exchangeKeys + Self.stepExchangeKeys).contains(entry.key)
        if isOfExchange, !verb.exchanges {
            context.mistakes.add(
                entry.keyPosition,
                "'\(verb.name)' sends no command, so '\(entry.key)' says nothing here"
            )
        } else if entry.key == "ndef" {
            context.mistakes.add(
                entry.keyPosition,
                "'\(verb.name)' gives no NDEF message; expect 'ndef' of a verb that reads one"
            )
        } else {
            context.addUnknownKey(
                entry,
                of: isPart ? "an exchange" : "what '\(verb.name)' gives",
                known: known
            )
        }
    }

    private mutating func readTags(_ entry: YAMLNode.Entry) {
        guard let entries = entry.value.entries, !entries.isEmpty else {
            isWhole = false
            context.mistakes.add(
                entry.value.position,
                "'tlv' takes a mapping of tags to what is expected, such as { 6F.84: A000000003 }"
            )
            return
        }
        for tag in entries {
            let path: TLVPath?
            context.hexPlaces?.note(tag.keyPosition)
            do {
                path = try TLVPath(ResultPath.tags(tag.key), dictionary: context.dictionary)
            } catch {
                context.mistakes.add(tag.keyTextPosition(error.column), error.message, hint: error.hint)
                path = nil
            }
            let check = ValueCheck.read(tag.value, as: .value(.bytes), in: context)
            let isAny = tag.value.entries?.contains { $0.key == "match" } ?? false
            add(
                path.map { .tlv($0, text: tag.key, isAny: isAny) } ?? .data,
                path == nil ? nil : check,
                tag,
                .unexpectedData
            )
        }
    }

    private mutating func readWire(_ entry: YAMLNode.Entry) {
        guard let nodes = entry.value.elements else {
            isWhole = false
            context.mistakes.add(
                entry.value.position,
                "'wire' takes a list with one expectation for each command"
            )
            return
        }
        let parts = nodes.compactMap { Expectation.read($0, verb: verb, isPart: true, in: context) }
        add(.wire(parts), parts.count == nodes.count ? .present : nil, entry)
    }

    private mutating func readErrors(_ entry: YAMLNode.Entry) {
        guard !verb.errors.isEmpty else {
            isWhole = false
            context.mistakes.add(
                entry.keyPosition,
                "there is no device library behind '\(verb.name)', so it never ends with an 'error'; "
                    + (verb.exchanges ? "expect 'sw', or a 'fault'" : "expect a 'fault', or what it gives")
            )
            return
        }
        out.expectedErrors = words(entry, known: verb.errors)
    }

    /// More words than these are not listed in a sentence.
    private static let longestList = 20

    /// One word or a list of words.
    private mutating func words(_ entry: YAMLNode.Entry, known: [String]) -> [String] {
        var nodes = entry.value.elements ?? []
        // An empty list is told like anything else that is no word.
        if nodes.isEmpty { nodes = [entry.value] }
        var words: [String] = []
        for node in nodes {
            guard let word = node.text, !word.isEmpty else {
                isWhole = false
                context.mistakes.add(node.position, "'\(entry.key)' takes a word, or a list of words")
                continue
            }
            if !known.contains(word) {
                isWhole = false
                let hint = context.hint(word, known)
                let list =
                    hint != nil
                    ? ""
                    : known.count > Self.longestList
                        ? "; 'taprig verbs errors' lists them"
                        : "; possible are \(known.joined(separator: ", "))"
                context.mistakes.add(node.position, "unknown \(entry.key) '\(word)'\(list)", hint: hint)
                continue
            }
            words.append(word)
        }
        return words
    }
}
