// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import CommandLineKit
import HostSystem
import Report
import Routes
import RunRecord
import Runner
import Scenario
import Verbs
import Wording

/// `taprig run`: runs scenarios, writes traces and reports.
enum RunCommand {
    static let spec = CommandSpec(
        path: ["run"],
        summary: "Runs scenarios; keeps every APDU, writes JUnit XML and a page.",
        discussion: """
            The same file runs against the emulator of its target in process (the default), against that emulator
            behind the real PC/SC service (--via virtual), or on a real reader (--via pcsc:PATTERN). A bench file
            (--bench FILE) names the readers by the suites' targets, and says what may be done there. Results go into a
            run folder: run.json, junit.xml, report.html, traces/. Exit status: 0 all held, 1 something did not hold,
            2 wrong input, 3 the rig could not judge, 130/143 interrupted.
            """,
        positionals: [ScenarioArguments.paths],
        options: [
            SharedOptions.vias, BenchArguments.bench, SharedOptions.firmware, SharedOptions.option,
            SharedOptions.vpcd,
            OptionSpec("--out", value: "DIR", summary: "Run folder (Reports/<UTC time>-<first suite>)."),
            OptionSpec("--junit", value: "FILE", summary: "Write the JUnit XML here too."),
            RunReports.junitFlavor, RunReports.junitSplit,
            RunSelection.tags, RunSelection.cases,
            SharedOptions.variable,
            OptionSpec("--seed", value: "N", summary: "Seed of everything random (random, and recorded)."),
            OptionSpec("--repeat", value: "N", summary: "Run each case N times (1)."),
            OptionSpec(
                "--require",
                value: "CAPABILITY",
                repeats: true,
                summary: "A skip for want of it is an error; also 'firmware>=4.0', 'role NAME'."
            ),
            OptionSpec("--allow-destructive", summary: "Destructive cases may run on allowed real cards."),
            OptionSpec("--allow-skipped", summary: "A run in which all is skipped may pass."),
            OptionSpec("--fail-fast", summary: "Stop after the first case that does not pass."),
            OptionSpec(
                "--label",
                value: "K=V",
                repeats: true,
                summary: "Label of the run, kept in run.json."
            ),
            SharedOptions.wait, SharedOptions.showSecrets,
            OptionSpec("--ci", summary: "Plain lines, no questions, whatever the terminal is."),
            SharedOptions.json,
        ] + RunSelection.options,
        examples: [
            "taprig run Scenarios/nbt", "taprig run Scenarios/nbt --via virtual",
            "taprig run Scenarios/nbt/led.yaml --via \"pcsc:ACR1252\" --junit led.xml",
            "taprig run Scenarios --via pcsc:serial=A1 --via pcsc:serial=B2",
            "taprig run Scenarios/nbt --bench bench.yaml --wait 10min", "taprig run Scenarios --shard 1/3",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        try RunReports.checkPlace(command)
        let device = try DeviceArguments(command)
        let project = try ProjectArguments(command)
        let bench = try BenchArguments.read(command, project: project)
        // A way that is named goes before the bench's.
        let named = bench == nil || command.value("--via") != nil ? try device.routes(command) : nil
        let variables = try SharedOptions.pairs(command.values("--var"), option: "--var")
        var loaded = ScenarioArguments.load(command, variables: Set(variables.map { $0.key }))
        let targets = Set(loaded.suites.map(\.target)).sorted()
        let routes: RouteSet
        if let named {
            routes = named
        } else if let bench {
            routes = try device.routes(on: bench, targets: targets, command)
        } else {
            routes = try device.routes(command)
        }
        try device.checkOptions(for: targets)
        if routes.isEmulated { loaded.refuseEmulators(firmware: device.firmware, options: device.options) }
        let folder = RunFolder(
            command.value("--out") ?? project.out,
            firstSuite: loaded.firstName,
            project: project.folder
        )
        let interruption = Interruption()
        var options = try runOptions(
            command,
            device: device,
            project: project,
            variables: variables,
            folder: folder
        )
        try VariableArguments.check(variables, against: loaded, options: options)
        if !command.flag("--ci") { options.operatorPort = TerminalOperator.present(interruption) }
        let able = RunPlan(suites: loaded.suites, options: options)
        let whole = loaded.broken.isEmpty ? able : RunPlan(suites: [], options: options)
        if loaded.broken.isEmpty, whole.caseCount == 0 {
            ScenarioArguments.tell(loaded.mistakes) { Console.note($0) }
            if loaded.suites.isEmpty, let library = loaded.libraries.first {
                throw .usage(
                    "\(library) is a library of steps, which has no cases; run a suite that includes it"
                )
            }
            throw .usage(RunSelection.nothingSelected(of: loaded.suites, options: options))
        }
        for idle in loaded.broken.isEmpty ? RunSelection.idleWords(of: loaded.suites, options: options) : [] {
            Console.note("warning: \(idle)")
        }
        var plan = try RunSelection.part(of: whole, command)
        // What would have run if no file were wrong; a later --last-failed is told of it.
        var leftOut =
            loaded.broken.isEmpty ? 0 : try RunSelection.part(of: able, command, isTold: false).caseCount
        let silent = plan.suitesWithoutValues(options)
        if !silent.isEmpty {
            let files = Set(silent.map(\.file))
            leftOut = plan.suites.reduce(0) { $0 + (files.contains($1.suite.file) ? 0 : $1.cases.count) }
            loaded.broken = silent
            loaded.mistakes += silent.flatMap(\.mistakes)
            plan = RunPlan(suites: [], options: options)
        }
        return try execute(
            plan,
            loaded: loaded,
            leftOut: leftOut,
            reason: silent.isEmpty ? wrongFiles(loaded.broken.count) : "a value is missing or wrong",
            options: options,
            routes: routes,
            ledgerPath: bench?.ledgerPath,
            folder: folder,
            interruption: interruption,
            command: command
        )
    }

    private static func execute(
        _ plan: RunPlan,
        loaded: LoadedSuites,
        leftOut: Int,
        reason: String,
        options: RunOptions,
        routes: RouteSet,
        ledgerPath: String?,
        folder: RunFolder,
        interruption: Interruption,
        command: ParsedCommand
    ) throws(CommandFailure) -> ExitCode {
        var (folder, options) = (folder, options)
        do throws(FileError) { try folder.make() } catch {
            throw .rig("\(error); choose another folder with --out")
        }
        options.outputFolder = folder.path
        do throws(FileError) { try command.value("--junit").map(RunReports.makePlace) } catch {
            throw .rig("\(error); choose another file with --junit")
        }
        let counters = try RetryCounters(isEmulated: routes.isEmulated, named: ledgerPath)
        SignalWatch.start(interruption) { signal in
            Console.interject(
                interruption.isImpatient
                    ? "\(signal) again: skipping the teardown, then writing the reports"
                    : "\(signal): running the teardown, then writing the reports; again to skip the teardown"
            )
        }
        let runner = Runner(
            options: options,
            routes: routes,
            interruption: interruption,
            ledger: counters.ledger
        )
        let isJSON = command.flag("--json")
        let stream: StandardStream = isJSON ? .error : .output
        let reporter = TerminalReporter(
            style: command.flag("--ci") ? .plain : .of(stream, environment: HostEnvironment.all)
        ) { stream.write($0) }
        reporter.runFolder = folder.path
        reporter.urgentOutput = { StandardStream.error.write($0) }
        // A run that never begins has its mistakes and nothing else to tell.
        if loaded.broken.isEmpty { runner.add(reporter) }
        ScenarioArguments.tell(loaded.mistakes) { Console.note($0) }
        var record = runner.run(plan, broken: loaded.broken, leftOut: leftOut)
        record.notes += counters.notes
        Workspace.place(&record, of: loaded)
        do throws(FileError) {
            try RunReports.write(
                record,
                folder: folder,
                junit: command.value("--junit"),
                as: RunReports.JUnitRequest(command)
            )
        } catch {
            Console.complain("\(error); the traces that were written so far are in \(folder.shown(""))")
            return .rig
        }
        if loaded.broken.isEmpty {
            reporter.close(with: [
                "report: \(folder.shown("junit.xml"))", "page:   \(folder.shown("report.html"))",
            ])
        }
        if isJSON { StandardStream.output.write(record.jsonText) }
        if !loaded.broken.isEmpty {
            Console.complain(
                "\(reason): nothing was run; report: \(folder.shown("junit.xml")), page: \(folder.shown("report.html"))"
            )
            return .usage
        }
        return exitCode(of: record, allowsSkipped: command.flag("--allow-skipped"))
    }

    private static func wrongFiles(_ count: Int) -> String {
        count == 1 ? "one file is wrong" : "\(count) files are wrong"
    }

    private static func exitCode(of record: RunRecord, allowsSkipped: Bool) -> ExitCode {
        ExitCode(rawValue: ExitStatus.of(record, allowSkipped: allowsSkipped)) ?? .rig
    }

    private static func runOptions(
        _ command: ParsedCommand,
        device: DeviceArguments,
        project: ProjectArguments,
        variables: [(key: String, value: String)],
        folder: RunFolder
    ) throws(CommandFailure) -> RunOptions {
        var options = RunOptions(
            outputFolder: folder.path,
            rigVersion: Program.version,
            hostName: HostEnvironment.hostName
        )
        options.seed = try seed(command)
        options.repetitions = try SharedOptions.number(command, "--repeat", in: 1...1_000_000) ?? 1
        options.tags = command.values("--tag")
        options.caseGlobs = command.values("--case")
        for text in command.values("--require") {
            options.required.insert(try RunSelection.requirement(text))
        }
        options.allowsDestructive = command.flag("--allow-destructive")
        options.failsFast = command.flag("--fail-fast")
        options.maxErrors = try SharedOptions.number(command, "--max-errors", in: 1...1_000_000)
        options.onlyCases = try RunSelection.lastFailed(command, project: project)
        options.firmware = device.firmware
        options.emulatorOptions = device.options
        for target in EmulatorCatalog.targets {
            options.emulatorOptionNames[target] = Set(EmulatorCatalog.options(of: target).map(\.name))
        }
        options.environment = HostEnvironment.all.filter { $0.key.hasPrefix("RIG_VAR_") }
        options.variables = Dictionary(
            variables.map { ($0.key, $0.value) },
            uniquingKeysWith: { _, last in last }
        )
        options.showsSecrets = command.flag("--show-secrets")
        let labels = try SharedOptions.pairs(command.values("--label"), option: "--label")
        options.labels = project.labels(with: labels)
        return options
    }

    private static func seed(_ command: ParsedCommand) throws(CommandFailure) -> UInt64 {
        guard let text = command.value("--seed") else { return UInt64(UInt32.random(in: 0 ... .max)) }
        guard let seed = UInt64(text) else {
            throw .usage("--seed '\(text)' is no number from 0 to \(UInt64.max)")
        }
        return seed
    }
}

extension LoadedSuites {
    /// The name of the first suite, whole or broken.
    fileprivate var firstName: String { suites.first?.name ?? broken.first?.suiteName ?? "run" }
}
