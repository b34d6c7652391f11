// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

extension Capture {
    /// Reads `capture`: names of variables and where their values come from.
    ///
    /// - Parameters:
    ///   - node: The mapping as the file has it.
    ///   - verb: The step's verb; its result fields are paths.
    ///   - context: Names, and where mistakes go.
    /// - Returns: The captures that could be read.
    public static func read(_ node: YAMLNode, verb: VerbSpec, in context: ReadingContext) -> [Capture] {
        guard let entries = node.entries, !entries.isEmpty else {
            context.mistakes.add(
                node.position,
                "'capture' takes names and paths, such as { key: tlv.60, rest: data(2..) }"
            )
            return []
        }
        return entries.compactMap { read($0, verb: verb, in: context) }
    }

    private static func read(_ entry: YAMLNode.Entry, verb: VerbSpec, in context: ReadingContext) -> Capture?
    {
        guard TextTemplate.isName(entry.key) else {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' is no name; a letter comes first, then letters, digits, '_' and '-'"
            )
            return nil
        }
        guard let text = entry.value.text, !text.isEmpty else {
            context.mistakes.add(
                entry.value.text == nil ? entry.value.position : entry.keyPosition,
                "a path is missing for '\(entry.key)', such as data(2..), tlv.6F.84, sw or ms"
            )
            return nil
        }
        var capture = Capture(name: entry.key, path: text, position: entry.keyPosition)
        do throws(TextError) {
            let path = try ResultPath.parse(text)
            (capture.parsed, capture.tags) = try resolved(path, verb: verb, context.dictionary)
            return capture
        } catch {
            context.add(error, in: entry.value)
            return nil
        }
    }

    /// A path of which every name is known: result fields of the verb come first, then words of the language.
    private static func resolved(
        _ path: ResultPath,
        verb: VerbSpec,
        _ dictionary: DeviceDictionary?
    ) throws(TextError) -> (ResultPath, TLVPath?) {
        let first = String(path.description.prefix { $0 != "." && $0 != "(" })
        if let result = verb.results.first(where: { $0.name == first }) {
            try checkPart(path.parts, of: result)
            if path.root == .field(first) { return (path, nil) }
            guard first != "tlv" else { return (path, nil) }
            return (ResultPath(root: .field(first), parts: path.parts, description: path.description), nil)
        }
        switch path.root {
        case .time, .total: return (path, nil)
        case .status, .data, .tlv:
            guard verb.exchanges else {
                throw TextError("'\(verb.name)' sends no command, so '\(first)' says nothing here")
            }
            guard case .tlv(let steps) = path.root else { return (path, nil) }
            return (path, try TLVPath(steps, dictionary: dictionary))
        case .field(let name):
            if verb.exchanges, dictionary?.tags[name] != nil {
                let step = ResultPath.TagStep(tag: name, index: nil, column: 0)
                return (
                    ResultPath(root: .tlv([step]), parts: path.parts, description: path.description),
                    try TLVPath([step], dictionary: dictionary)
                )
            }
            let known =
                verb.results.map(\.name) + (verb.exchanges ? ["sw", "data", "tlv"] : []) + ["ms", "total"]
            let hint = Suggestion.nearest(to: name, among: known)
            let list = hint == nil ? "; it gives \(known.joined(separator: ", "))" : ""
            throw TextError("'\(verb.name)' gives no '\(name)'\(list)", hint: hint)
        }
    }

    /// Refuses a part that no result of the verb has.
    private static func checkPart(_ parts: [ResultPath.Part], of result: ResultSpec) throws(TextError) {
        for case .key(let name) in parts.prefix(2) where !result.parts.isEmpty {
            guard !result.parts.contains(name) else { return }
            let hint = Suggestion.nearest(to: name, among: result.parts)
            let list = hint == nil ? "; it has \(result.parts.joined(separator: ", "))" : ""
            throw TextError("'\(result.name)' has no part '\(name)'\(list)", hint: hint)
        }
    }

    /// The value in what a step saw.
    ///
    /// It keeps its type: `sw` is a status word, `ms` a time, `data` and `tlv` are bytes, fields are as the verb gives
    /// them.
    ///
    /// - Throws: ``CaptureError`` when nothing is there.
    public func value(from observation: Observation, scope: Scope) throws(CaptureError) -> Value {
        let (path, tags) = try settled(scope.dictionary)
        do throws(NoValue) {
            return try path.value(from: observation, tags: tags, dictionary: scope.dictionary)
        } catch {
            let message = "'\(path)' has no value: \(error.reason)"
            // Behind an expected fault or error nobody can expect a result.
            guard error.cause == .answer, observation.fault == nil, observation.error == nil else {
                throw .mistake(ScenarioMistake(position, message))
            }
            let data = observation.last?.data
            throw .mismatch(
                Mismatch(
                    .unexpectedData,
                    message,
                    expected: "a value at \(path)",
                    received: data.map { "data \(MismatchText.counted($0))" } ?? "no answer",
                    decoded: data.map { MismatchText.decoded($0, names: scope.dictionary) } ?? [],
                    at: position
                )
            )
        }
    }

    private func settled(
        _ dictionary: DeviceDictionary?
    ) throws(CaptureError) -> (ResultPath, TLVPath?) {
        do throws(TextError) {
            guard let parsed else {
                _ = try ResultPath.parse(path)
                throw TextError("'\(path)' is no path")
            }
            guard tags == nil, case .tlv(let steps) = parsed.root else { return (parsed, tags) }
            return (parsed, try TLVPath(steps, dictionary: dictionary))
        } catch {
            throw .mistake(ScenarioMistake(position, error.message, hint: error.hint))
        }
    }
}
