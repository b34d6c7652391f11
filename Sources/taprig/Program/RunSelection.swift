// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import RunRecord
import Runner
import Scenario
import Wording

/// What an earlier run says about the next one: which cases to take, and how to divide them.
enum RunSelection {
    static let options = [
        OptionSpec(
            "--jobs",
            value: "N",
            summary: "Workers: emulators, slots of the virtual reader (2); readers have one each."
        ),
        OptionSpec("--shard", value: "I/N", summary: "Only the I-th of N parts, balanced by --durations."),
        OptionSpec(
            "--durations",
            value: "FILE",
            summary: "The run.json that tells how long cases take (Reports/latest/run.json)."
        ),
        OptionSpec(
            "--max-errors",
            value: "N",
            summary: "Stop after N cases that the rig could not judge (no limit)."
        ),
        OptionSpec("--last-failed", summary: "Only cases that did not pass in the last run (of --out)."),
    ]

    private static let latest = "Reports/latest/run.json"

    /// The cases of `--last-failed`; nil when it was not given.
    static func lastFailed(
        _ command: ParsedCommand,
        project: ProjectArguments
    ) throws(CommandFailure) -> Set<CaseKey>? {
        guard command.flag("--last-failed") else { return nil }
        let own = (command.value("--out") ?? project.out).map { "\($0)/run.json" }
        let path = own.flatMap { HostFile.exists($0) ? $0 : nil } ?? latest
        guard HostFile.exists(path) else {
            throw .usage(
                "--last-failed: there is no earlier run in \(own.map { "\($0) or " } ?? "")\(latest)"
            )
        }
        let keys = CaseKey.notPassed(in: try read(path))
        guard !keys.isEmpty else {
            throw .usage("--last-failed: no case failed in \(path); run without it")
        }
        return keys
    }

    /// The part of the plan that `--shard` asks for; the whole plan without it.
    static func part(of plan: RunPlan, _ command: ParsedCommand) throws(CommandFailure) -> RunPlan {
        guard let text = command.value("--shard") else {
            guard command.value("--durations") == nil else {
                throw .usage("--durations says how to divide a run; give --shard I/N too")
            }
            return plan
        }
        let choice: ShardChoice
        do throws(TextError) { choice = try ShardChoice(text) } catch { throw .usage("--shard \(error)") }
        return plan.part(choice, durations: try durations(command))
    }

    private static func durations(_ command: ParsedCommand) throws(CommandFailure) -> [CaseKey: Duration] {
        if let path = command.value("--durations") { return CaseKey.durations(in: try read(path)) }
        // The outcome of a shard knows only its own cases: the next shard would be cut otherwise, and cases get lost.
        guard HostFile.exists(latest), let run = try? read(latest), run.shard == nil else { return [:] }
        return CaseKey.durations(in: run)
    }

    /// The most bytes that are read from a pipe or a device.
    private static let streamLimit = 256 << 20

    /// Reads the outcome of a run.
    static func read(_ path: String) throws(CommandFailure) -> RunRecord {
        let text: [UInt8]
        do throws(FileError) {
            // What is no file, such as a device, may have no end.
            text = try HostFile.read(path, limit: HostFile.isPlainFile(path) ? .max : streamLimit)
        } catch {
            throw .usage("\(error)")
        }
        do throws(RunRecordError) {
            return try RunRecord(json: text)
        } catch {
            throw .usage(error.description(of: VisibleText.line(path)))
        }
    }
}
