// SPDX-License-Identifier: MIT

import Bench
import CommandLineKit
import HostSystem
import Scenario

/// The bench that a command line or a project names.
enum BenchArguments {
    static let bench = OptionSpec(
        "--bench",
        value: "FILE",
        summary: "Bench file: readers by role, programs, allowed samples."
    )

    /// Reads the bench; nil when none is named.
    ///
    /// The programs of a bench that only the project's `taprig.yaml` names do not start.
    static func read(_ command: ParsedCommand) throws(CommandFailure) -> TestBench? {
        if let path = command.value("--bench") { return try read(path, isNamedOnCommandLine: true) }
        // A way on the command line goes before the project's bench.
        guard command.value("--via") == nil, let first = command.positionals.first else { return nil }
        guard let path = ProjectSettings.find(from: first).settings.bench else { return nil }
        return try read(path, isNamedOnCommandLine: false)
    }

    private static func read(
        _ path: String,
        isNamedOnCommandLine: Bool
    ) throws(CommandFailure) -> TestBench {
        let (bench, mistakes) = TestBench.read(path, isNamedOnCommandLine: isNamedOnCommandLine)
        guard let bench else {
            ScenarioArguments.tell(mistakes) { Console.note($0) }
            throw .usage("the bench \(path) is wrong: nothing was run; see `taprig bench check \(path)`")
        }
        return bench
    }
}
