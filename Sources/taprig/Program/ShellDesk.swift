// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import LineEditor
import Report
import Routes
import Runner
import Scenario
import Synchronization
import Trace
import Verbs

/// Where the shell's work is done: lines come in, sessions come and go, what is remembered stays.
// Safe to share: one worker at a time works at the desk. A worker that was given up hangs in a call below its watched
// connection, and when that call returns, it looks at its watch and leaves without touching the desk.
final class ShellDesk: @unchecked Sendable {
    let isInteractive: Bool
    private let route: any Route
    private let setup: DeviceSetup
    private let signals: ShellSignals
    private let input: any ShellInput
    private let history = ShellHistory(environment: HostEnvironment.all)
    private let trace: ShellTrace
    private let ledger: RetryLedger
    private let busy = Atomic(false)
    private let faulty = Atomic(false)
    private var lineNumber = 0
    private var hasGreeted = false

    init(
        route: any Route,
        setup: DeviceSetup,
        showsSecrets: Bool,
        ledger: RetryLedger,
        signals: ShellSignals
    ) {
        self.ledger = ledger
        self.route = route
        self.setup = setup
        self.signals = signals
        let isKnown = route.isEmulated && setup.target != "iso7816"
        trace = ShellTrace(
            target: setup.target,
            mask: SecretMask(target: isKnown ? setup.target : nil, showsSecrets: showsSecrets)
        )
        let terminal = TerminalInput(
            prompt: "\(setup.target)> ",
            completer: ShellCompleter(target: setup.target),
            shouldStop: { signals.isTerminated }
        )
        isInteractive = terminal != nil
        input = terminal ?? PlainInput(shouldStop: { signals.isRaised })
        for line in isInteractive ? history.lines() : [] { input.remember(line) }
    }

    /// True while a line is being carried out.
    var isBusy: Bool {
        get { busy.load(ordering: .acquiring) }
        set { busy.store(newValue, ordering: .releasing) }
    }

    /// Tells a fault, and remembers that there was one.
    func noteFault(_ fault: TransportFault) {
        faulty.store(true, ordering: .releasing)
        Console.say("fault: \(fault)")
    }

    /// Reads and carries out lines until they end; the caller's watch knows how long each call takes.
    func work(_ watch: DeadlineWatch) -> ExitCode {
        isBusy = true
        let session: ShellSession
        do throws(TransportFault) {
            session = try ShellSession(
                route: route,
                setup: setup,
                watch: watch,
                trace: trace,
                ledger: ledger,
                shouldStop: { [signals] in signals.isRaised || watch.isAbandoned },
                say: { Console.say($0) }
            )
        } catch {
            // The supervisor has told why it gave this worker up.
            if !watch.isAbandoned { Console.complain("\(route.spec): \(error)") }
            return .rig
        }
        defer { session.close() }
        if isInteractive, !hasGreeted {
            hasGreeted = true
            Console.say("\(setup.target) by \(route.spec); ':help' tells what a line may be, ':quit' ends")
        }
        while !watch.isAbandoned {
            isBusy = false
            if isInteractive { signals.forgetInterrupt() }
            switch input.readLine() {
            case .cancelled: continue
            case .end: return status
            case .stopped: return signals.ending(isInteractive: false) ?? .interrupted
            case .line(let text):
                lineNumber += 1
                isBusy = true
                if let end = carryOut(text, session, watch) { return end }
            }
        }
        return .rig
    }

    private var status: ExitCode {
        trace.end()
        return faulty.load(ordering: .acquiring) && !isInteractive ? .rig : .held
    }

    /// Carries out one line; the status when the shell is to end.
    private func carryOut(_ text: String, _ session: ShellSession, _ watch: DeadlineWatch) -> ExitCode? {
        var line: ShellLine?
        var sent: [[UInt8]] = []
        defer { if !watch.isAbandoned { remember(text, line, sent: sent) } }
        do {
            let read = try ShellLine(text, target: setup.target)
            line = read
            if case .control(.quit, _) = read { return status }
            if case .control(.help, let words) = read {
                let lines = try ShellHelp.lines(words.first, target: setup.target)
                Console.say(
                    TextWrap.lines(lines.joined(separator: "\n"), columns: StandardStream.output.columns)
                )
                return nil
            }
            defer { sent = session.sent }
            try session.run(read)
        } catch let mistake as ShellLine.Mistake {
            guard !isInteractive else {
                Console.say(mistake.message)
                return nil
            }
            Console.complain("standard input:\(lineNumber): \(mistake.message)")
            trace.end()
            return .usage
        } catch {
            // A worker that was given up has nothing more to say.
            guard !watch.isAbandoned else { return nil }
            noteFault(error as? TransportFault ?? TransportFault(.transport, "\(error)"))
        }
        return nil
    }

    private func remember(_ text: String, _ line: ShellLine?, sent: [[UInt8]]) {
        guard isInteractive, ShellHistory.mayKeep(text, line, sent: sent) else { return }
        let text = ShellLine.trimmed(text)
        input.remember(text)
        if line != nil { history.add(text) }
    }
}

/// What `:help` prints.
enum ShellHelp {
    static func lines(_ word: String?, target: String) throws(ShellLine.Mistake) -> [String] {
        let verbs = StepLine.words(target: target, vocabulary: .shipped)
        guard let word else {
            var out = ["a line of hex is sent as it is; a verb does what it does in a scenario:"]
            let devices = Set(EmulatorCatalog.targets).subtracting([target])
            var others: Set<String> = []
            for (name, spec) in verbs.sorted(by: { $0.key < $1.key }) where spec.name == name {
                let namespace = name.split(separator: ".")[0]
                if devices.contains(String(namespace)), name != namespace {
                    others.insert("\(namespace).")
                } else {
                    out.append("  " + padded(name) + spec.summary)
                }
            }
            if !others.isEmpty {
                let list = others.sorted().joined(separator: ", ")
                out.append(
                    "  (those that begin with \(list) are for other devices: start the shell with --target)"
                )
            }
            out.append("and these are the shell's own:")
            for control in ShellControl.allCases {
                out.append("  " + padded(control.help.usage) + control.help.summary)
            }
            return out
        }
        guard let spec = verbs[word] else {
            throw ShellLine.Mistake(message: "there is no verb '\(word)'; ':help' lists them")
        }
        var out = [spec.summary]
        out += spec.discussion.split(separator: "\n").map(String.init)
        for argument in spec.arguments {
            let marks =
                (argument.isRequired ? " (needed)" : "")
                + (argument.name == spec.bareArgument ? " (may stand alone)" : "")
            out.append("  " + padded(argument.name) + argument.summary + marks)
        }
        for result in spec.results { out.append("  gives " + padded(result.name) + result.summary) }
        return out
    }

    private static func padded(_ text: String) -> String {
        text + String(repeating: " ", count: max(2, 20 - text.count))
    }
}
