// SPDX-License-Identifier: MIT

/// Reads `ndef`: what must hold of the records of a message.
///
/// A list has one entry for each record. A mapping of record keys (`type`, `payload`, ...) stands for the only record;
/// a mapping of places (`0`, `1`) or types (`U`) speaks of those records and lets others be.
enum NDEFCheck {
    static func read(_ node: YAMLNode, in context: ReadingContext) -> ValueCheck? {
        switch node.content {
        case .sequence(let nodes):
            let records = nodes.compactMap { record($0, in: context) }
            return records.count == nodes.count ? .elements(records) : nil
        case .mapping(let entries):
            guard !entries.isEmpty else { break }
            if entries.allSatisfy({ keys.contains($0.key) }) {
                return record(node, in: context).map { .elements([$0]) }
            }
            var chosen: [ValueCheck.Entry] = []
            for entry in entries {
                if entry.key == "records" {
                    guard let count = ValueCheck.read(entry.value, as: .count, in: context) else { continue }
                    chosen.append(ValueCheck.Entry(key: entry.key, check: .length(count)))
                } else if keys.contains(entry.key) {
                    context.mistakes.add(
                        entry.keyPosition,
                        "'\(entry.key)' speaks of one record; put it under its place or type"
                    )
                } else if let check = record(entry.value, in: context) {
                    chosen.append(ValueCheck.Entry(key: entry.key, check: check))
                }
            }
            return chosen.count == entries.count ? .allOf(chosen.map { .entries([$0]) }) : nil
        case .scalar: break
        }
        context.mistakes.add(
            node.position,
            "'ndef' takes records, such as [{ type: U, payload: \"01...\" }], or { 0: { type: U } }"
        )
        return nil
    }

    /// True when the records of a message are as expected.
    static func holds(_ check: ValueCheck, _ message: Value, at position: SourcePosition, in scope: Scope)
        throws(ScenarioMistake) -> Bool
    {
        guard case .list(let records) = message else { return false }
        guard case .allOf(let choices) = check else {
            return try check.holds(message, at: position, in: scope)
        }
        for case .entries(let entries) in choices {
            for entry in entries {
                let value = entry.key == "records" ? message : record(entry.key, in: records)
                guard try entry.check.holds(value, at: position, in: scope) else { return false }
            }
        }
        return true
    }

    /// The record at a place, else the first of a type.
    static func record(_ key: String, in records: [Value]) -> Value? {
        if let index = Int(key) { return records.indices.contains(index) ? records[index] : nil }
        return records.first { record in
            guard case .map(let fields) = record, let type = fields["type"] else { return false }
            if case .bytes(let bytes) = type { return bytes == Array(key.utf8) }
            return type.text == key
        }
    }

    private static let keys = ["type", "id", "payload", "tnf", "uri", "text", "language"]
    private static let types: [String: ArgumentType] = [
        "payload": .bytes, "tnf": .number(0...7), "uri": .text, "text": .text, "language": .text,
    ]

    private static func record(_ node: YAMLNode, in context: ReadingContext) -> ValueCheck? {
        guard let entries = node.entries, !entries.isEmpty else {
            context.mistakes.add(
                node.position,
                "a record takes a mapping, such as { type: U, payload: \"01...\" }"
            )
            return nil
        }
        var checks: [ValueCheck.Entry] = []
        for entry in entries {
            guard keys.contains(entry.key) else {
                context.addUnknownKey(entry, of: "a record", known: keys)
                continue
            }
            let type = types[entry.key] ?? .any
            guard let check = ValueCheck.read(entry.value, as: .value(type), in: context) else { continue }
            checks.append(ValueCheck.Entry(key: entry.key, check: check))
        }
        return checks.count == entries.count ? .entries(checks) : nil
    }
}
