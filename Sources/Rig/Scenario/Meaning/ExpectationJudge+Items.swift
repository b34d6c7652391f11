// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

extension ExpectationJudge {
    /// Judges one key, status words and typed errors aside.
    mutating func judge(_ item: ExpectationItem) throws(ScenarioMistake) {
        switch item.subject {
        case .status: break
        case .data:
            guard let data = answer(item, "data") else { return }
            try judgeData(data, "data", item)
        case .length:
            guard let data = answer(item, "len") else { return }
            try judgeValue(.number(data.count), "len", item)
        case .ascii:
            guard let data = answer(item, "ascii") else { return }
            try judgeValue(.text(String(decoding: data, as: UTF8.self)), "ascii", item)
        case .tlv(let path, let text, let isAny): try judgeTags(path, text, isAny: isAny, item)
        case .ndef: try judgeNDEF(item)
        case .time: try judgeTimes(item)
        case .total:
            // While another repetition is to come, nothing can be said of the whole step.
            if let total = observation.total { try judgeTime(total, "total", item) }
        case .exchanges: try judgeValue(.number(observation.exchanges.count), "exchanges", item)
        case .wire(let parts): try judgeWire(parts, item)
        case .every(let part):
            for index in observation.exchanges.indices {
                try judgePart(part, index, defaultStatus: .unjudged)
            }
        case .not(let inner): try judgeNegated(inner, item)
        case .field(let name):
            guard let value = observation.fields[name] else {
                guard !item.check.acceptsNothing else { return }
                return add(
                    item.kind,
                    "the result has no '\(name)'",
                    expected: "\(name) \(item.check.text(in: scope))",
                    received: "no '\(name)'",
                    at: item.position
                )
            }
            if case .bytes(let bytes) = value {
                try judgeData(bytes, name, item)
            } else {
                try judgeValue(value, name, item)
            }
        }
    }

    /// The data of the last answer; without one a mismatch is noted.
    private mutating func answer(_ item: ExpectationItem, _ key: String) -> [UInt8]? {
        if let last = observation.last { return last.data }
        add(
            item.kind,
            "'\(key)' is expected, but no command was answered",
            expected: "\(key) \(item.check.text(in: scope))",
            received: "no answer",
            at: item.position
        )
        return nil
    }

    private mutating func judgeData(_ data: [UInt8], _ key: String, _ item: ExpectationItem)
        throws(ScenarioMistake)
    {
        guard try !item.check.holds(.bytes(data), at: item.position, in: scope) else { return }
        let text = MismatchText.difference(try item.check.settled(in: scope), data, key)
        add(
            item.kind,
            text.message ?? "expected \(key) \(item.check.text(in: scope)), got \(MismatchText.short(data))",
            expected: "\(key) \(item.check.text(in: scope))",
            received: "\(key) \(MismatchText.counted(data))",
            decoded: MismatchText.decoded(data, names: scope.dictionary),
            hint: text.hint,
            at: item.position
        )
    }

    private mutating func judgeValue(_ value: Value, _ key: String, _ item: ExpectationItem)
        throws(ScenarioMistake)
    {
        guard try !item.check.holds(value, at: item.position, in: scope) else { return }
        let wanted = item.check.text(in: scope)
        add(
            item.kind,
            "expected \(key) \(wanted), got \(value.shortText)",
            expected: "\(key) \(wanted)",
            received: "\(key) \(value.shortText)",
            at: item.position
        )
    }

    // MARK: Structures in data

    private mutating func judgeTags(
        _ path: TLVPath,
        _ text: String,
        isAny: Bool,
        _ item: ExpectationItem
    ) throws(ScenarioMistake) {
        guard let data = answer(item, "tlv.\(text)") else { return }
        let found: [TLV]
        do {
            found = path.all(in: try TLV.objects(in: data, for: path, of: scope.dictionary))
        } catch {
            if item.check.acceptsNothing { return }
            return add(
                item.kind,
                "expected tag \(text), but the answer is no TLV: \(error)",
                expected: "tag \(text) \(item.check.text(in: scope))",
                received: "data \(MismatchText.counted(data))",
                at: item.position
            )
        }
        guard let first = found.first else {
            guard !item.check.acceptsNothing else { return }
            return add(
                item.kind,
                "expected tag \(text), but the answer has none",
                expected: "tag \(text) \(item.check.text(in: scope))",
                received: "data \(MismatchText.counted(data))",
                decoded: MismatchText.decoded(data, names: scope.dictionary),
                at: item.position
            )
        }
        for object in isAny ? found : [first]
        where try item.check.holds(
            .bytes(object.value),
            at: item.position,
            in: scope
        ) {
            return
        }
        let key = "tag \(text)"
        let wanted = item.check.text(in: scope)
        let difference = MismatchText.difference(try item.check.settled(in: scope), first.value, key)
        add(
            item.kind,
            found.count > 1 && isAny
                ? "expected \(key) \(wanted), but \(found.count == 1 ? "the only object is not" : "none of \(found.count) objects is") that"
                : difference.message ?? "expected \(key) \(wanted), got \(MismatchText.short(first.value))",
            expected: "\(key) \(wanted)",
            received: (isAny ? found : [first]).map { "\(key) \(MismatchText.counted($0.value))" }
                .joined(separator: ", "),
            decoded: MismatchText.decoded(data, names: scope.dictionary),
            hint: difference.hint,
            at: item.position
        )
    }

    private mutating func judgeNDEF(_ item: ExpectationItem) throws(ScenarioMistake) {
        let message = observation.fields["ndef"] ?? .list([])
        guard try !NDEFCheck.holds(item.check, message, at: item.position, in: scope) else { return }
        var lines: [String] = []
        if case .list(let records) = message {
            lines = records.enumerated().map { "record \($0): \($1.text)" }
        }
        add(
            item.kind,
            "the NDEF message is not the expected one",
            expected: "ndef \(item.check.text(in: scope))",
            received: lines.isEmpty
                ? "no records" : "ndef of \(Amount.text(lines.count, "record"))",
            decoded: lines,
            at: item.position
        )
    }

    // MARK: Times

    private mutating func judgeTimes(_ item: ExpectationItem) throws(ScenarioMistake) {
        if observation.exchanges.isEmpty { return try judgeTime(observation.duration, "time", item) }
        let count = observation.exchanges.count
        for (index, exchange) in observation.exchanges.enumerated() {
            if try isWithin(exchange.duration, item) { continue }
            let place =
                count > 1
                ? " (command \(index + 1) of \(count), \(MismatchText.command(exchange.command)))" : ""
            return addTime(exchange.duration, "time", place, item)
        }
    }

    private mutating func judgeTime(
        _ time: Duration,
        _ key: String,
        _ item: ExpectationItem
    ) throws(ScenarioMistake) {
        guard try !isWithin(time, item) else { return }
        addTime(time, key, "", item)
    }

    private func isWithin(_ time: Duration, _ item: ExpectationItem) throws(ScenarioMistake) -> Bool {
        if case .time(let bound) = item.check { return bound.contains(time) }
        return try item.check.holds(.duration(time), at: item.position, in: scope)
    }

    private mutating func addTime(_ time: Duration, _ key: String, _ place: String, _ item: ExpectationItem) {
        let wanted = item.check.text(in: scope)
        let took = DurationText.text(time)
        add(
            item.kind,
            "expected \(key) \(wanted), took \(took)\(place)",
            expected: "\(key) \(wanted)",
            received: "\(key) \(took)",
            at: item.position
        )
    }

    // MARK: Expectations inside

    private mutating func judgeWire(_ parts: [Expectation], _ item: ExpectationItem) throws(ScenarioMistake) {
        let count = observation.exchanges.count
        guard count == parts.count else {
            return add(
                item.kind,
                "expected \(Self.commands(parts.count)) on the wire, saw \(count)",
                expected: Self.commands(parts.count),
                received: Self.commands(count),
                decoded: observation.exchanges.map { MismatchText.command($0.command) },
                at: item.position
            )
        }
        let judgesLast = !expectation.asksForStatus && expectation.expectedErrors.isEmpty
        for (index, part) in parts.enumerated() {
            let isWhole = !observation.exchanges[index].isContinued
            let isJudged = isWhole && (judgesLast || index < count - 1)
            try judgePart(part, index, defaultStatus: isJudged ? .success : .unjudged)
        }
    }

    private mutating func judgePart(
        _ part: Expectation,
        _ index: Int,
        defaultStatus: DefaultStatus
    ) throws(ScenarioMistake) {
        var seen = Observation()
        seen.note(observation.exchanges[index])
        seen.duration = observation.exchanges[index].duration
        var judge = ExpectationJudge(
            expectation: part,
            observation: seen,
            scope: scope,
            isRaw: isRaw,
            allow: allow,
            defaultStatus: defaultStatus
        )
        try judge.run()
        out.assertions += judge.out.assertions
        let name = MismatchText.command(observation.exchanges[index].command)
        for var mismatch in judge.out.mismatches {
            mismatch.message =
                "command \(index + 1) of \(observation.exchanges.count) (\(name)): \(mismatch.message)"
            out.mismatches.append(mismatch)
        }
    }

    private mutating func judgeNegated(_ inner: Expectation, _ item: ExpectationItem) throws(ScenarioMistake)
    {
        // The time of all repetitions is known behind the last one; what else stands beside it cannot tell alone.
        if observation.total == nil, inner.items.contains(where: { $0.subject == .total }) { return }
        var judge = ExpectationJudge(
            expectation: inner,
            observation: observation,
            scope: scope,
            isRaw: isRaw,
            allow: [],
            defaultStatus: .unjudged
        )
        try judge.run()
        guard judge.out.holds, judge.out.assertions > 0 else { return }
        let what = (inner.expectedErrors.map { "error \($0)" } + inner.items.map { $0.text(in: scope) })
            .joined(separator: ", ")
        add(
            inner.asksForStatus ? .unexpectedStatus : item.kind,
            "\(what) was not expected, but is so",
            expected: "not \(what)",
            received: observation.last.map { MismatchText.status($0.sw, scope.dictionary) } ?? what,
            at: item.position
        )
    }

    private static func commands(_ count: Int) -> String { Amount.text(count, "command") }
}
