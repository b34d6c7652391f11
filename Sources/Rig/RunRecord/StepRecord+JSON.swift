// SPDX-License-Identifier: MIT

import JSONText

extension StepRecord {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        self.init(
            label: try fields.text("label"),
            title: try fields.text("title"),
            verb: try fields.text("verb"),
            file: try fields.text("file"),
            line: try fields.number("line")
        )
        verdict = try fields.verdict("verdict")
        start = try fields.duration("start_ns")
        duration = try fields.duration("duration_ns")
        tries = try fields.number("tries", default: 1)
        assertions = try fields.number("assertions")
        exchangeCount = try fields.number("exchanges")
        exchanges = try fields.list("shown") { (json, path) throws(RunRecordError) in
            let fields = try RecordFields(json, path: path)
            return ExchangeSummary(
                command: try fields.text("c"),
                response: try fields.text("r"),
                milliseconds: try fields.decimal("ms")
            )
        }
        detail = try fields.text("detail")
    }

    var json: JSON {
        .object([
            "label": .string(label), "title": .string(title), "verb": .filled(verb), "file": .string(file),
            "line": .integer(line), "verdict": .string(verdict.rawValue), "start_ns": .nanoseconds(start),
            "duration_ns": .nanoseconds(duration), "tries": tries == 1 ? nil : .integer(tries),
            "assertions": .filled(assertions), "exchanges": .filled(exchangeCount), "detail": .filled(detail),
            "shown": exchanges.isEmpty
                ? nil
                : .array(
                    exchanges.map {
                        .object([
                            "c": .string($0.command), "r": .string($0.response),
                            "ms": .number($0.milliseconds),
                        ])
                    }
                ),
        ])
    }
}

extension Problem {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        self.init(
            type: try fields.text("type"),
            isRigError: try fields.flag("rig_error"),
            message: try fields.text("message"),
            file: try fields.text("file"),
            line: try fields.number("line"),
            step: try fields.text("step"),
            details: try fields.texts("details"),
            hint: try fields.text("hint")
        )
    }

    var json: JSON {
        .object([
            "type": .filled(type), "rig_error": .filled(isRigError), "message": .string(message),
            "file": .filled(file), "line": .filled(line), "step": .filled(step), "details": .filled(details),
            "hint": .filled(hint),
        ])
    }
}
