// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import RunRecord
import Wording

/// `taprig merge`: makes one run of the runs of shards.
enum MergeCommand {
    static let spec = CommandSpec(
        path: ["merge"],
        summary: "Makes one run.json of those of shards.",
        discussion: """
            The cases stand in the order of the files, as if one run had done them all. Traces are copied beside the
            new file. Shards of different runs, and a run without all of its shards, are refused. With --partial the
            outcome stays a part of a run, which can be merged with the other shards later. Nothing is judged: the
            status is 0 when the file is written, whatever the runs' outcomes.
            """,
        positionals: [PositionalSpec("RUN.json", repeats: true, summary: "Outcomes of runs.")],
        options: [
            OptionSpec("-o", "--output", value: "FILE", summary: "Write the run.json here; must be given."),
            OptionSpec("--partial", summary: "Shards may be missing; a note tells which."),
            OptionSpec("--no-traces", summary: "Do not copy the traces."),
        ],
        examples: [
            "taprig merge one/run.json two/run.json -o whole/run.json",
            "taprig report whole/run.json --junit junit.xml",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        guard let output = command.value("--output") else {
            throw .usage("merge needs a place for its outcome; write -o FILE")
        }
        guard output != "-" else {
            throw .usage(
                "-o - : traces are copied beside the outcome; name a file, for example -o whole/run.json"
            )
        }
        var runs: [NamedRun] = []
        for path in command.positionals {
            runs.append(NamedRun(source: path, run: try RunSelection.read(path)))
        }
        let target = parent(of: output)
        do {
            if !target.isEmpty { try HostFile.makeFolder(target) }
            var copies = TraceCopies(target: target, isWanted: !command.flag("--no-traces"))
            for index in runs.indices {
                try copies.take(&runs[index].run, from: parent(of: runs[index].source))
            }
            let merged = try merge(runs, isPartial: command.flag("--partial"))
            try copies.make()
            try HostFile.write(merged.jsonText, to: output)
            let counts = RunCounts(merged)
            for note in merged.notes { Console.note("note: \(note)") }
            Console.say(
                "\(Amount.text(runs.count, "run")), \(Amount.text(counts.total, "case")): \(counts.passed) passed, "
                    + "\(counts.failed) failed, \(Amount.text(counts.errors, "error")), \(counts.skipped) skipped; \(output)"
            )
        } catch let error as RunMergeError {
            throw .usage("\(error)")
        } catch {
            throw .rig("\(error)")
        }
        return .held
    }

    private static func merge(_ runs: [NamedRun], isPartial: Bool) throws(RunMergeError) -> RunRecord {
        try RunRecord(merging: runs, allowsMissing: isPartial)
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
    }
}

/// The traces of runs on their way to one folder.
private struct TraceCopies {
    let target: String
    let isWanted: Bool
    private var plans: [(from: String, name: String)] = []
    private var taken: Set<String> = []

    init(target: String, isWanted: Bool) {
        self.target = target
        self.isWanted = isWanted
    }

    /// Gives each trace of a run a name that no other run has.
    mutating func take(_ run: inout RunRecord, from folder: String) throws(FileError) {
        for suite in run.suites.indices {
            for item in run.suites[suite].cases.indices {
                for attempt in run.suites[suite].cases[item].attempts.indices {
                    let name = run.suites[suite].cases[item].attempts[attempt].trace
                    guard isWanted, !name.isEmpty else { continue }
                    guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
                        throw FileError(
                            path: name,
                            action: "copy",
                            reason: "a trace lies in its run's folder"
                        )
                    }
                    let own = unique(name)
                    run.suites[suite].cases[item].attempts[attempt].trace = own
                    plans.append((Self.path(name, in: folder), own))
                }
            }
        }
    }

    /// Copies the traces that are there.
    func make() throws(FileError) {
        for (source, name) in plans {
            let path = Self.path(name, in: target)
            guard HostFile.isPlainFile(source), HostFile.resolved(source) != HostFile.resolved(path) else {
                continue
            }
            if let slash = path.lastIndex(of: "/") { try HostFile.makeFolder(String(path[..<slash])) }
            try HostFile.write(try HostFile.read(source), to: path)
        }
    }

    private mutating func unique(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            let stem = name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
            candidate = "\(stem)-run\(number).jsonl"
            number += 1
        }
        return candidate
    }

    private static func path(_ name: String, in folder: String) -> String {
        folder.isEmpty ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
}
