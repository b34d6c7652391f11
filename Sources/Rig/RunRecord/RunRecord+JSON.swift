// SPDX-License-Identifier: MIT

public import JSONText

// Keys of `run.json`. Empty texts, empty lists, zero counts and false flags are left out; unknown keys are ignored.
// Durations (`..._ns`) are whole nanoseconds, times of exchanges (`..._us`) microseconds.
//
// run:      run (1) name rig started duration_ns seed host labels[{key value}] interrupted_by notes secrets
//           not_run shard{index count cases cut} suites[]; after a partial merge shard{indexes[] ...}
// suite:    name title file folder target via firmware reader atr protocol started duration_ns notes cases[]
// case:     name file line tags verdict problem started duration_ns attempts[] resent resent_types warnings number
//           repetition reader
// attempt:  number started duration_ns verdict problem teardown_problem trace trace_sha256 exchanges
//           timing{p50_us p95_us max_us} steps[]
// step:     label title verb file line verdict start_ns duration_ns tries assertions exchanges detail
//           shown[{c r ms}]
// problem:  type rig_error message file line step details hint

extension RunRecord {
    /// Version of `run.json` that this module writes, and the latest that it reads.
    public static let formatVersion = 1

    /// Reads the text of a `run.json`.
    ///
    /// Made case by case: the document of 100 000 cases as one value would take most of a gigabyte.
    ///
    /// - Throws: ``RunRecordError`` with the path of the value that is wrong.
    public init(json text: [UInt8]) throws(RunRecordError) {
        var cases: [Int: [CaseRecord]] = [:]
        var problem: RunRecordError?
        let document: JSON
        do {
            document = try JSON(parsing: text, handingOn: ["suites", "cases"]) { indexes, json in
                guard problem == nil else { return }
                let (suite, number) = (indexes[0], indexes[1])
                // A key that comes twice counts the second time.
                if number == 0 { cases[suite] = [] }
                do throws(RunRecordError) {
                    cases[suite, default: []].append(
                        try CaseRecord(json: json, path: "suites[\(suite)].cases[\(number)]")
                    )
                } catch {
                    problem = error
                }
            }
        } catch {
            throw RunRecordError(error)
        }
        do throws(RunRecordError) {
            try self.init(json: document)
        } catch {
            // What stands first in the text is told; only of a document that is no run its cases say nothing.
            throw error.path.isEmpty ? error : problem ?? error
        }
        if let problem { throw problem }
        for index in suites.indices { suites[index].cases = cases.removeValue(forKey: index) ?? [] }
    }

    /// Reads the document of a `run.json`.
    public init(json document: JSON) throws(RunRecordError) {
        let fields = try RecordFields(document, path: "")
        let version = try fields.number("run")
        guard (1...Self.formatVersion).contains(version) else {
            throw RunRecordError(
                path: "",
                message: version == 0
                    ? "the key \"run\" is missing"
                    : "it has version \(version), this program knows only \(Self.formatVersion)"
            )
        }
        self.init(
            name: try fields.text("name"),
            rigVersion: try fields.text("rig"),
            started: try fields.text("started"),
            seed: try fields.seed("seed"),
            hostName: try fields.text("host")
        )
        duration = try fields.duration("duration_ns")
        labels = try fields.list("labels") { (json, path) throws(RunRecordError) in
            let label = try RecordFields(json, path: path)
            return Label(key: try label.text("key"), value: try label.text("value"))
        }
        interruptedBy = try fields.optionalText("interrupted_by")
        notes = try fields.texts("notes")
        showsSecrets = try fields.flag("secrets")
        notRun = try fields.number("not_run")
        guard (0...Int(Int32.max)).contains(notRun) else {
            throw RunRecordError(path: "not_run", message: "a number of cases is expected here")
        }
        shard = try fields.object("shard", RunShard.init)
        try fields.require("suites")
        suites = try fields.list("suites", SuiteRecord.init)
    }

    /// The document of `run.json`.
    public var json: JSON {
        .object([
            "run": .integer(Self.formatVersion), "name": .string(name), "rig": .string(rigVersion),
            "started": .string(started), "duration_ns": .nanoseconds(duration),
            "seed": Int(exactly: seed).map { .integer($0) } ?? .string(String(seed)),
            "host": .string(hostName),
            "labels": labels.isEmpty
                ? nil : .array(labels.map { .object(["key": .string($0.key), "value": .string($0.value)]) }),
            "interrupted_by": interruptedBy.map { .string($0) }, "notes": .filled(notes),
            "secrets": .filled(showsSecrets), "not_run": .filled(notRun), "shard": shard?.json,
            "suites": .array(suites.map(\.json)),
        ])
    }

    /// The text of `run.json`.
    ///
    /// Made case by case: the document of 100 000 cases as one value would take a gigabyte.
    public var jsonText: String {
        var shell = self
        shell.suites = []
        return Self.text(of: shell.json, list: suites) { suite in
            var shell = suite
            shell.cases = []
            return Self.text(of: shell.json, list: suite.cases) { $0.json.text }
        } + "\n"
    }

    /// The text of an object whose last key is an empty list, with the list filled.
    private static func text<Element>(of shell: JSON, list: [Element], element: (Element) -> String) -> String
    {
        var out = shell.text
        out.removeLast("]}".count)
        for (index, item) in list.enumerated() {
            if index > 0 { out += "," }
            out += element(item)
        }
        return out + "]}"
    }
}

extension RunShard {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        let several = try fields.list("indexes") { (json, path) throws(RunRecordError) in
            guard let index = json.integer else {
                throw RunRecordError(path: path, message: "a whole number is expected here")
            }
            return index
        }
        self.init(
            indexes: several.isEmpty ? [try fields.number("index")] : several,
            count: try fields.number("count"),
            caseCount: try fields.number("cases"),
            cut: try fields.text("cut")
        )
        guard count <= Self.countLimit else {
            throw RunRecordError(
                path: path,
                message: "a run is divided into \(Self.countLimit) shards at most"
            )
        }
        for index in indexes where index < 1 || index > count {
            throw RunRecordError(path: path, message: "shard \(index) of \(count) does not exist")
        }
        guard Set(indexes).count == indexes.count else {
            throw RunRecordError(path: path, message: "one of its \(count) shards is named twice")
        }
    }

    var json: JSON {
        .object([
            "index": indexes.count == 1 ? .integer(index) : nil,
            "indexes": indexes.count == 1 ? nil : .array(indexes.map { .integer($0) }),
            "count": .integer(count), "cases": .integer(caseCount),
            "cut": .string(cut),
        ])
    }
}

extension SuiteRecord {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        self.init(
            name: try fields.text("name"),
            title: try fields.text("title"),
            file: try fields.text("file"),
            target: try fields.text("target"),
            via: try fields.text("via"),
            started: try fields.text("started")
        )
        folder = try fields.text("folder")
        firmware = try fields.text("firmware")
        reader = try fields.text("reader")
        atr = try fields.text("atr")
        protocolName = try fields.text("protocol")
        duration = try fields.duration("duration_ns")
        notes = try fields.texts("notes")
        cases = try fields.list("cases", CaseRecord.init)
        try fields.require("name")
        try fields.require("cases")
    }

    var json: JSON {
        .object([
            "name": .string(name), "title": .filled(title), "file": .string(file), "folder": .filled(folder),
            "target": .string(target), "via": .string(via), "firmware": .filled(firmware),
            "reader": .filled(reader),
            "atr": .filled(atr),
            "protocol": .filled(protocolName), "started": .string(started),
            "duration_ns": .nanoseconds(duration), "notes": .filled(notes),
            "cases": .array(cases.map(\.json)),
        ])
    }
}

extension CaseRecord {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        self.init(
            name: try fields.text("name"),
            file: try fields.text("file"),
            line: try fields.number("line"),
            tags: try fields.texts("tags")
        )
        verdict = try fields.verdict("verdict")
        try fields.require("name")
        problem = try fields.object("problem", Problem.init)
        started = try fields.optionalText("started")
        duration = try fields.duration("duration_ns")
        attempts = try fields.list("attempts", AttemptRecord.init)
        resentCommands = try fields.number("resent")
        resentTypes = try fields.texts("resent_types")
        warnings = try fields.texts("warnings")
        number = try fields.number("number")
        repetition = try fields.number("repetition")
        reader = try fields.text("reader")
    }

    var json: JSON {
        .object([
            "name": .string(name), "file": .string(file), "line": .integer(line), "tags": .filled(tags),
            "verdict": .string(verdict.rawValue), "problem": problem?.json,
            "started": started.map { .string($0) },
            "duration_ns": .nanoseconds(duration), "resent": .filled(resentCommands),
            "resent_types": .filled(resentTypes),
            "warnings": .filled(warnings), "number": .filled(number), "repetition": .filled(repetition),
            "reader": .filled(reader),
            "attempts": attempts.isEmpty ? nil : .array(attempts.map(\.json)),
        ])
    }
}

extension AttemptRecord {
    init(json: JSON, path: String) throws(RunRecordError) {
        let fields = try RecordFields(json, path: path)
        self.init(
            number: try fields.number("number"),
            started: try fields.text("started"),
            trace: try fields.text("trace")
        )
        duration = try fields.duration("duration_ns")
        verdict = try fields.verdict("verdict")
        problem = try fields.object("problem", Problem.init)
        teardownProblem = try fields.object("teardown_problem", Problem.init)
        traceSHA256 = try fields.text("trace_sha256")
        exchangeCount = try fields.number("exchanges")
        timing = try fields.object("timing") { (json, path) throws(RunRecordError) in
            let figures = try RecordFields(json, path: path)
            return Timing(
                p50: try figures.decimal("p50_us"),
                p95: try figures.decimal("p95_us"),
                max: try figures.decimal("max_us")
            )
        }
        steps = try fields.list("steps", StepRecord.init)
    }

    var json: JSON {
        .object([
            "number": .integer(number), "started": .string(started), "duration_ns": .nanoseconds(duration),
            "verdict": .string(verdict.rawValue), "problem": problem?.json,
            "teardown_problem": teardownProblem?.json, "trace": .filled(trace),
            "trace_sha256": .filled(traceSHA256),
            "exchanges": .filled(exchangeCount),
            "timing": timing.map {
                .object(["p50_us": .number($0.p50), "p95_us": .number($0.p95), "max_us": .number($0.max)])
            },
            "steps": steps.isEmpty ? nil : .array(steps.map(\.json)),
        ])
    }
}
