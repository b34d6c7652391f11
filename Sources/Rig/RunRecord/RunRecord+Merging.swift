// SPDX-License-Identifier: MIT

/// The outcome of a run, and what it is called in messages.
public struct NamedRun: Sendable {
    /// Where it comes from: the path of its file.
    public let source: String
    /// The outcome.
    public var run: RunRecord

    /// Makes a named run.
    public init(source: String, run: RunRecord) {
        self.source = source
        self.run = run
    }
}

/// Why runs cannot be made one.
public struct RunMergeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension RunRecord {
    /// Makes one run of several.
    ///
    /// Shards give the run that they are parts of, with its cases in the order of the files. Other runs follow each other.
    /// What is merged without all shards remains a part, which the others can be merged with later.
    ///
    /// - Parameters:
    ///   - runs: The runs; their order does not matter for shards.
    ///   - allowsMissing: Whether shards may be missing; a note tells of them then.
    /// - Throws: ``RunMergeError`` when shards do not belong together or are missing, or when a case is in two runs.
    public init(merging runs: [NamedRun], allowsMissing: Bool = false) throws(RunMergeError) {
        guard !runs.isEmpty else { throw RunMergeError("there is no run to merge") }
        let part = try Self.part(of: runs)
        let missing = part?.missing ?? []
        guard missing.isEmpty || allowsMissing else {
            let (are, its) = missing.count == 1 ? ("is", "its") : ("are", "their")
            throw RunMergeError(
                "\(RunShard.title(of: missing, count: part?.count ?? 0)) \(are) missing; name \(its) run.json too, or "
                    + "merge what there is with --partial"
            )
        }
        let runs = runs.sorted { ($0.run.shard?.index ?? 0) < ($1.run.shard?.index ?? 0) }
        self = runs[0].run
        shard = missing.isEmpty ? nil : part
        started = runs.map(\.run.started).min() ?? started
        duration = runs.reduce(.zero) { $0 + $1.run.duration }
        hostName = Self.joined(runs.map(\.run.hostName))
        labels = Self.distinct(runs.flatMap(\.run.labels))
        notes = Self.distinct(runs.flatMap(\.run.ownNotes))
        notRun = runs.reduce(0) { $0 + $1.run.notRun }
        interruptedBy = runs.lazy.compactMap(\.run.interruptedBy).first
        showsSecrets = runs.contains { $0.run.showsSecrets }
        let seeds = Self.distinct(runs.map { String($0.run.seed) })
        if seeds.count > 1 {
            notes.append("the runs have different seeds: \(seeds.joined(separator: ", "))")
        }
        let versions = Self.distinct(runs.map(\.run.rigVersion))
        if versions.count > 1 {
            notes.append("the runs are of different versions of the rig: \(versions.joined(separator: ", "))")
        }
        for index in missing { notes.append(RunShard.missingNote(index, of: part?.count ?? 0)) }
        suites = try Self.merged(runs, isPartial: shard != nil)
        if let note = notRunNote { notes.append(note) }
    }

    /// The remarks without those that a merge makes anew.
    private var ownNotes: [String] {
        let missing =
            shard.map { shard in shard.missing.map { RunShard.missingNote($0, of: shard.count) } } ?? []
        return notes.filter { !missing.contains($0) && $0 != notRunNote }
    }

    /// What the shards make together; nil when none of the runs is one.
    private static func part(of runs: [NamedRun]) throws(RunMergeError) -> RunShard? {
        guard let first = runs.first(where: { $0.run.shard != nil }), let shard = first.run.shard else {
            return nil
        }
        var sources: [Int: String] = [:]
        for other in runs {
            guard let own = other.run.shard else {
                throw RunMergeError("\(other.source) is a whole run, and \(first.source) is a shard of one")
            }
            guard own.count == shard.count, own.cut == shard.cut else {
                throw RunMergeError(
                    "\(first.source) and \(other.source) are shards of different runs; give all shards the same "
                        + "scenarios, selection and --durations"
                )
            }
            for index in own.indexes {
                if let known = sources.updateValue(other.source, forKey: index) {
                    throw RunMergeError(
                        "shard \(index) of \(own.count) is in \(known) and in \(other.source)"
                    )
                }
            }
        }
        return RunShard(
            indexes: Array(sources.keys),
            count: shard.count,
            caseCount: shard.caseCount,
            cut: shard.cut
        )
    }

    // MARK: Suites

    private struct SuiteName: Hashable {
        let file: String
        let name: String

        init(_ suite: SuiteRecord) {
            file = suite.file
            name = suite.name
        }
    }

    private struct MergedSuite {
        var record: SuiteRecord
        /// The suite's heads in the runs, with the place of the last case of each.
        var heads: [(last: Int, record: SuiteRecord)]
        var first: Int
    }

    private static func merged(_ runs: [NamedRun], isPartial: Bool) throws(RunMergeError) -> [SuiteRecord] {
        var order: [SuiteName] = []
        var suites: [SuiteName: MergedSuite] = [:]
        var sources: [SuiteName: [String: String]] = [:]
        for item in runs {
            for suite in item.run.suites {
                let key = SuiteName(suite)
                var head = suite
                head.cases = []
                let first = suite.cases.first?.number ?? 0
                if suites[key] == nil {
                    order.append(key)
                    suites[key] = MergedSuite(record: head, heads: [], first: first)
                    suites[key]?.record.duration = .zero
                    suites[key]?.record.notes = []
                }
                guard var merged = suites[key] else { continue }
                // Files that cannot be read stand in every shard.
                let isRepeated = item.run.shard != nil && first == 0 && !merged.record.cases.isEmpty
                guard !isRepeated else { continue }
                suites[key] = nil
                for outcome in suite.cases {
                    if let known = sources[key, default: [:]].updateValue(item.source, forKey: outcome.name),
                        known != item.source
                    {
                        throw RunMergeError(
                            "case '\(outcome.name)' of suite '\(suite.name)' is in \(known) and in \(item.source)"
                        )
                    }
                }
                merged.record.cases += suite.cases
                merged.record.duration += suite.duration
                merged.record.started = min(merged.record.started, suite.started)
                merged.record.notes = distinct(merged.record.notes + suite.notes)
                merged.first = min(merged.first, first)
                merged.heads.append((suite.cases.last?.number ?? 0, head))
                suites[key] = merged
            }
        }
        let places = order.enumerated().sorted { one, other in
            let (a, b) = (suites[one.element]?.first ?? 0, suites[other.element]?.first ?? 0)
            return a == b ? one.offset < other.offset : a < b
        }
        return places.compactMap { suites[$0.element].map { finished($0, isPartial: isPartial) } }
    }

    private static func finished(_ suite: MergedSuite, isPartial: Bool) -> SuiteRecord {
        var record = suite.record
        let order = record.cases.indices.sorted {
            let (a, b) = (record.cases[$0].number, record.cases[$1].number)
            return a == b ? $0 < $1 : a < b
        }
        record.cases = order.map { record.cases[$0] }
        // The place among all cases is asked for again when the missing shards are there.
        if !isPartial { for index in record.cases.indices { record.cases[index].number = 0 } }
        // Of each reader, what was seen last counts, as in a run that is whole.
        var readers: [(name: String, head: SuiteRecord)] = []
        for head in suite.heads.sorted(by: { $0.last < $1.last }).map(\.record) where !head.reader.isEmpty {
            readers.removeAll { $0.name == head.reader }
            readers.append((head.reader, head))
        }
        readers.sort { $0.name < $1.name }
        record.via = joined(suite.heads.map(\.record.via))
        record.reader = joined(readers.map(\.name))
        record.atr = joined(readers.map(\.head.atr))
        record.protocolName = joined(readers.map(\.head.protocolName))
        let firmwares = joined(readers.map(\.head.firmware))
        if !firmwares.isEmpty { record.firmware = firmwares }
        return record
    }

    private static func joined(_ texts: [String]) -> String {
        // A run on several readers, and one that was merged, have joined theirs already; and a name may hold a comma.
        let separator = ", "
        func framed(_ text: String) -> String { separator + text + separator }
        let all = distinct(texts)
        return all.filter { text in !all.contains { $0 != text && framed($0).contains(framed(text)) } }
            .joined(separator: separator)
    }

    private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
