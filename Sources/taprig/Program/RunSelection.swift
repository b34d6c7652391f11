// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import RunRecord
import Runner
import Scenario
import Verbs
import Wording

/// What an earlier run says about the next one: which cases to take, and how to divide them.
enum RunSelection {
    static let options = [
        OptionSpec(
            "--jobs",
            value: "N",
            summary: "Workers: emulators, slots of the virtual reader (2); readers have one each."
        ),
        OptionSpec(
            "--shard",
            value: "I/N",
            summary: "Only the I-th of N parts, of as many cases each or balanced by --durations."
        ),
        OptionSpec(
            "--durations",
            value: "FILE",
            summary: "The run.json of a whole run that tells how long cases take; the same for all shards."
        ),
        OptionSpec(
            "--max-errors",
            value: "N",
            summary: "Stop after N cases that the rig could not judge (no limit)."
        ),
        OptionSpec("--last-failed", summary: "Only cases that did not pass in the last run (of --out)."),
    ]

    static let tags = OptionSpec(
        "--tag",
        value: "T",
        repeats: true,
        summary: "Only cases with this tag, or with one of several; !T leaves out those with T."
    )
    static let cases = OptionSpec(
        "--case",
        value: "GLOB",
        repeats: true,
        summary: "Only cases whose whole name, suite/name or id fits; * is any text, ? any character."
    )

    /// What to write instead of a part of a name; nil when that would fit nothing either.
    static func caseHint(suites: [Suite], options: RunOptions) -> String? {
        let parts = options.caseGlobs.filter { !$0.contains("*") && !$0.contains("?") }
        for part in parts {
            var wider = options
            wider.caseGlobs = ["*\(part)*"]
            if RunPlan(suites: suites, options: wider).caseCount > 0 {
                return "did you mean --case '*\(part)*'?"
            }
        }
        return nil
    }

    /// A sentence for each name, pattern and tag that fits no case: it is likely to be misspelt.
    static func idleWords(of suites: [Suite], options: RunOptions) -> [String] {
        var all = options
        (all.caseGlobs, all.tags, all.onlyCases) = ([], [], nil)
        let cases = RunPlan(suites: suites, options: all).suites.flatMap(\.cases)
        let tags = Set(cases.flatMap(\.tags))
        let idleTags = options.tags.compactMap { text -> String? in
            let tag = text.hasPrefix("!") ? String(text.dropFirst()) : text
            guard !tags.contains(tag) else { return nil }
            let near =
                Suggestion.nearest(to: tag, among: tags.sorted()).map { "; did you mean '\($0)'?" } ?? ""
            return "--tag '\(text)': no case has the tag '\(tag)'\(near)"
        }
        let idleNames = options.caseGlobs.compactMap { glob -> String? in
            var one = all
            one.caseGlobs = [glob]
            guard RunPlan(suites: suites, options: one).caseCount == 0 else { return nil }
            let near = Suggestion.nearest(to: glob, among: cases.map(\.testCase.name))
            let hint = caseHint(suites: suites, options: one) ?? near.map { "did you mean '\($0)'?" }
            return "--case '\(glob)' fits no case" + (hint.map { "; \($0)" } ?? "")
        }
        return idleTags + idleNames
    }

    /// Why no case of suites is selected, and what to do.
    static func nothingSelected(of suites: [Suite], options: RunOptions) -> String {
        if let earlier = options.onlyCases {
            var wider = options
            wider.onlyCases = nil
            let others = RunPlan(suites: suites, options: wider).caseCount
            if others > 0 {
                return "--last-failed: what did not pass in \(earlier.source) is not among the "
                    + "\(Amount.text(others, "case")) chosen here; name the files and cases of that run, "
                    + "or leave --last-failed out"
            }
        }
        let idle = idleWords(of: suites, options: options).joined(separator: "; ")
        return
            "no case is selected: nothing was run; \(idle.isEmpty ? "see `taprig list` for what there is" : idle)"
    }

    /// What `--require` asks for.
    static func requirement(_ text: String) throws(CommandFailure) -> Need.Kind {
        do throws(TextError) {
            if let kind = try Need.Kind(text, capabilities: CapabilityList.words) ?? Need.Kind(role: text) {
                return kind
            }
        } catch {
            throw .usage("--require: \(error.message)")
        }
        let near = Suggestion.nearest(to: text, among: CapabilityList.words)
        throw .usage(
            "--require '\(text)' is no capability, no firmware>=VERSION and no 'role NAME'; see `taprig verbs needs`"
                + (near.map { "; did you mean '\($0)'?" } ?? "")
        )
    }

    private static let latest = "Reports/latest/run.json"

    /// What `--last-failed` selects; nil when it was not given.
    static func lastFailed(
        _ command: ParsedCommand,
        project: ProjectArguments
    ) throws(CommandFailure) -> EarlierFailures? {
        guard command.flag("--last-failed") else { return nil }
        let own = (command.value("--out") ?? project.out).map { "\($0)/run.json" }
        let path = own.flatMap { HostFile.exists($0) ? $0 : nil } ?? latest
        guard HostFile.exists(path) else {
            throw .usage(
                "--last-failed: there is no earlier run in \(own.map { "\($0) or " } ?? "")\(latest)"
            )
        }
        let run = try read(path)
        // Each shard would divide what an earlier one failed, and cases get lost.
        if command.value("--shard") != nil, let shard = run.shard {
            throw .usage(
                "--last-failed: \(path) is the outcome of \(shard.title), which knows only its own "
                    + "cases; leave --shard out to run those again"
            )
        }
        let failures = EarlierFailures(in: run, from: path)
        guard !failures.isEmpty else {
            throw .usage("--last-failed: no case failed in \(path); run without it")
        }
        if let note = run.notRunNote {
            Console.note("note: \(path): \(note); --last-failed takes those that were run and did not pass")
        }
        return failures
    }

    /// The part of the plan that `--shard` asks for, with a note unless it is not wanted; the whole plan without it.
    static func part(
        of plan: RunPlan,
        _ command: ParsedCommand,
        isTold: Bool = true
    ) throws(CommandFailure) -> RunPlan {
        guard let text = command.value("--shard") else {
            guard command.value("--durations") == nil else {
                throw .usage("--durations says how to divide a run; give --shard I/N too")
            }
            return plan
        }
        let choice: ShardChoice
        do throws(TextError) { choice = try ShardChoice(text) } catch { throw .usage("--shard \(error)") }
        let part = plan.part(choice, durations: try durations(command))
        // A plan without cases is one of files with mistakes, which are told next.
        guard plan.caseCount > 0, isTold else { return part }
        let way =
            command.value("--durations").map { "balanced by the durations in \($0)" }
            ?? "of as many cases each"
        Console.note(
            "note: shard \(choice.index) of \(choice.count), \(way): \(part.caseCount) of "
                + Amount.text(plan.caseCount, "case")
        )
        return part
    }

    /// The durations that were named, and no others: what a host happens to remember of its last run differs from shard to
    /// shard, and cases would get lost.
    private static func durations(_ command: ParsedCommand) throws(CommandFailure) -> [CaseKey: Duration] {
        guard let path = command.value("--durations") else { return [:] }
        let run = try read(path)
        if let shard = run.shard {
            throw .usage(
                "--durations: \(path) is the outcome of \(shard.title), which knows only its own "
                    + "cases; name the run.json of a whole run, or of `taprig merge`"
            )
        }
        return CaseKey.durations(in: run)
    }

    /// The most bytes of an outcome that are read: some 130 000 cases with ordinary steps.
    private static let sizeLimit = 1 << 29

    /// Reads the outcome of a run.
    static func read(_ path: String) throws(CommandFailure) -> RunRecord {
        guard !HostFile.isDevice(path) else {
            throw .usage("cannot read \(path): it is a device, and an outcome of a run is a file")
        }
        let text: [UInt8]
        do throws(FileError) {
            text = try HostFile.read(path, limit: sizeLimit)
        } catch {
            throw .usage("\(error)")
        }
        do throws(RunRecordError) {
            return try RunRecord(json: text)
        } catch {
            throw .usage(error.description(of: VisibleText.escaped(path)))
        }
    }
}
