// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Runner
import Scenario

/// `taprig list`: suites, cases, tags, needs.
enum ListCommand {
    static let spec = CommandSpec(
        path: ["list"],
        summary: "Lists suites, cases, tags and needs.",
        positionals: [ScenarioArguments.paths],
        options: [
            SharedOptions.json, SharedOptions.variable,
            RunSelection.tags, RunSelection.cases,
        ],
        examples: ["taprig list Scenarios --tag smoke"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let variables = try SharedOptions.pairs(command.values("--var"), option: "--var")
        let loaded = ScenarioArguments.load(command, variables: Set(variables.map { $0.key }))
        var options = RunOptions(outputFolder: "", rigVersion: Program.version, hostName: "")
        options.tags = command.values("--tag")
        options.caseGlobs = command.values("--case")
        try VariableArguments.check(variables, against: loaded, options: options)
        guard loaded.mistakes.isEmpty else {
            if command.flag("--json") {
                let mistakes = LintCommand.json(loaded.mistakes)["mistakes"]
                StandardStream.output.write(JSON.object(["suites": [], "mistakes": mistakes]).prettyText)
            }
            ScenarioArguments.tell(loaded.mistakes) { Console.note($0) }
            return .usage
        }
        let plan = RunPlan(suites: loaded.suites, options: options)
        guard plan.caseCount > 0 else {
            let idle = RunSelection.idleWords(of: loaded.suites, options: options).joined(separator: "; ")
            throw .usage(
                "no case is selected; \(idle.isEmpty ? "leave --tag and --case out to see all" : idle)"
            )
        }
        for idle in RunSelection.idleWords(of: loaded.suites, options: options) {
            Console.note("warning: \(idle)")
        }
        if command.flag("--json") {
            StandardStream.output.write(JSON.object(["suites": .array(plan.suites.map(json))]).prettyText)
        } else {
            for (suite, cases) in plan.suites { tell(suite, cases) }
        }
        return .held
    }

    private static func tell(_ suite: Suite, _ cases: [PlannedCase]) {
        Console.say("\(suite.name)  \(suite.title)  (\(suite.file), target \(suite.target))")
        if !suite.needs.isEmpty { Console.say("  needs: \(suite.needs.map(\.text).joined(separator: ", "))") }
        for item in cases {
            let tags = item.tags.isEmpty ? "" : "  #\(item.tags.joined(separator: " #"))"
            let needs =
                item.testCase.needs.isEmpty
                ? "" : "  needs: \(item.testCase.needs.map(\.text).joined(separator: ", "))"
            Console.say("  - \(item.name)\(tags)\(needs)")
        }
    }

    private static func json(_ suite: Suite, _ cases: [PlannedCase]) -> JSON {
        .object([
            "name": .string(suite.name), "title": .string(suite.title), "file": .string(suite.file),
            "target": .string(suite.target), "tags": .array(suite.tags.map { .string($0) }),
            "needs": .array(suite.needs.map { .string($0.text) }),
            "cases": .array(
                cases.map { item in
                    .object([
                        "name": .string(item.name), "line": .integer(item.testCase.position.line),
                        "tags": .array(item.tags.map { .string($0) }),
                        "needs": .array(item.testCase.needs.map { .string($0.text) }),
                    ])
                }
            ),
        ])
    }
}
