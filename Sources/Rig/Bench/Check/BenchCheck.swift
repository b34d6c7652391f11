// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario
import SmartCard

/// Proves the entries of a bench file on the bench itself.
public final class BenchCheck {
    private let bench: TestBench
    private let port: any BenchPort
    private let holder: LockHolder
    private let folder: LockFolder
    private let patience: ReaderLock.Patience
    private var findings: [BenchFinding] = []
    /// The reader of each role so far.
    private var taken: [(reader: String, role: String)] = []
    /// Programs that were started while a card was watched.
    private var watched: Set<SourcePosition> = []

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - bench: The bench.
    ///   - port: The host's readers.
    ///   - holder: Who takes the readers for the time of the check.
    ///   - folder: Where the locks of readers lie.
    ///   - patience: How long to wait for a reader that is in use.
    public init(
        _ bench: TestBench,
        port: any BenchPort,
        holder: LockHolder,
        folder: LockFolder = .standard,
        patience: ReaderLock.Patience = ReaderLock.Patience()
    ) {
        self.bench = bench
        self.port = port
        self.holder = holder
        self.folder = folder
        self.patience = patience
    }

    /// Looks at everything; programs run, fields go off and on, cards are asked.
    public func run() -> BenchReport {
        findings = []
        taken = []
        watched = []
        for route in bench.routes { check(route) }
        for probe in bench.probes { check(probe) }
        for program in bench.programs { check(program, entry: "programs") }
        return BenchReport(bench: bench, findings: findings)
    }

    private func add(
        _ entry: String,
        at position: SourcePosition,
        _ verdict: BenchFinding.Verdict,
        _ text: String
    ) {
        findings.append(BenchFinding(entry, at: position, verdict, text))
    }

    // MARK: Roles

    private func check(_ route: BenchRoute) {
        let entry = "roles.\(route.role.name)"
        do throws(TransportFault) {
            try checkReader(route, entry: entry)
        } catch {
            let part = error.kind == .noCard ? "card" : "reader"
            add("\(entry).\(part)", at: route.role.position(of: "reader"), .failed, "\(error)")
        }
        for program in route.role.programs { check(program, entry: "\(entry).programs") }
    }

    private func checkReader(_ route: BenchRoute, entry: String) throws(TransportFault) {
        let early = try route.lockIdentity(holder: holder, in: folder, patience: patience)
        defer { early?.release() }
        guard let reader = try findReader(route.role, entry: entry) else { return }
        let lock = try ReaderLock.acquire(
            reader.name,
            reader: reader.name,
            holder: holder,
            in: folder,
            patience: patience
        )
        defer { lock.release() }
        let connection = try connect(route, to: reader.name)
        defer { connection.close() }
        check(route, on: connection, entry: entry)
    }

    private func connect(_ route: BenchRoute, to reader: String) throws(TransportFault) -> any Connection {
        do throws(TransportFault) {
            return try port.connect(to: reader, field: route.role.field)
        } catch {
            guard error.kind == .noCard, try route.raiseField() else { throw error }
        }
        return try port.connect(to: reader, field: route.role.field)
    }

    /// The one reader of a role; nil after a finding.
    private func findReader(_ role: BenchRole, entry: String) throws(TransportFault) -> SeenReader? {
        let entry = "\(entry).reader"
        let place = role.position(of: "reader")
        let fitting = try port.readers(fitting: role.reader)
        guard let reader = fitting.first, fitting.count == 1 else {
            add(entry, at: place, .failed, try sentence(about: role.reader, fitting: fitting))
            return nil
        }
        if let other = taken.first(where: { $0.reader == reader.name }) {
            add(entry, at: place, .failed, "'\(reader.name)' is the reader of role \(other.role) already")
            return nil
        }
        taken.append((reader.name, role.name))
        let serial = reader.serial.isEmpty ? "" : ", serial \(reader.serial)"
        let path = reader.usbPath.map { ", USB \($0)" } ?? ""
        add(entry, at: place, .proved, "\(reader.name)\(serial)\(path)")
        return reader
    }

    private func sentence(
        about identity: ReaderIdentity,
        fitting: [SeenReader]
    ) throws(TransportFault) -> String {
        func names(_ readers: [SeenReader]) -> String {
            readers.map { "'\($0.name)'" }.joined(separator: ", ")
        }
        guard fitting.isEmpty else {
            return "\(fitting.count) readers fit '\(identity)'; name one by serial or usb: \(names(fitting))"
        }
        let all = try port.readers()
        guard !all.isEmpty else { return "no reader fits '\(identity)': none is plugged in" }
        let silent = all.filter { $0.isInUse && $0.serial.isEmpty }
        let reason =
            identity.isStable && !silent.isEmpty
            ? "; readers in use do not tell their serial number: \(names(silent))" : ""
        return "no reader fits '\(identity)'; there are \(names(all))\(reason)"
    }

    private func check(_ route: BenchRoute, on connection: any Connection, entry: String) {
        let role = route.role
        let facts = connection.facts
        add(
            "\(entry).card",
            at: role.position(of: "reader"),
            .proved,
            "ATR \(facts.atr.hex), \(facts.protocolName)"
        )
        if role.protocolName != nil {
            let complaint = route.protocolComplaint(facts)
            add(
                "\(entry).protocol",
                at: role.position(of: "protocol"),
                complaint == nil ? .proved : .failed,
                complaint ?? facts.protocolName
            )
        }
        checkField(route, on: connection, entry: "\(entry).field")
        checkFirmware(role, on: connection, entry: "\(entry).firmware")
        checkSample(route, on: connection, entry: "\(entry).sample")
        if let hasTimeExtension = role.hasTimeExtension {
            add(
                "\(entry).time-extension",
                at: role.position(of: "time-extension"),
                .unproved,
                "\(hasTimeExtension ? "yes" : "no"), as the file says; only a slow card could tell"
            )
        }
        if let timing = role.timing {
            let text =
                "\(DurationText.text(timing.overhead)) an exchange, as the file says; runs take it off before they judge"
            add("\(entry).timing", at: role.position(of: "timing"), .unproved, text)
        }
    }

    // MARK: Field

    private func checkField(_ route: BenchRoute, on connection: any Connection, entry: String) {
        let role = route.role
        let place = role.position(of: "field")
        if let program = bench.program(.field, of: role) {
            watched.insert(program.position)
            let switched = ProgramFieldConnection(connection, program: program)
            proveField(switched, below: connection, entry: entry, at: program.position)
            return
        }
        let capabilities = connection.facts.capabilities
        switch role.field {
        case .control where !capabilities.contains(.fieldControl):
            add(
                entry,
                at: place,
                .failed,
                "the reader does not switch its field, though the file says control"
            )
        case .control:
            proveField(connection, below: nil, entry: entry, at: place)
        case .unpower where !capabilities.contains(.fieldUnpower):
            add(entry, at: place, .failed, "the card cannot be unpowered here, though the file says unpower")
        case .unpower:
            proveField(connection, below: nil, entry: entry, at: place)
        case .some(.none):
            add(entry, at: place, .unproved, "is not switched, as the file says")
        case nil:
            let text =
                capabilities.contains(.fieldControl) ? "the reader offers field: control" : "is not switched"
            add(entry, at: place, .unproved, "\(text); the file does not say")
        }
    }

    /// Switches the field off and on.
    ///
    /// - Parameters:
    ///   - connection: The connection that switches it.
    ///   - below: A connection that does not know of the switching, on which the card must then be gone.
    ///   - entry: The entry.
    ///   - place: Where it stands.
    private func proveField(
        _ connection: any Connection,
        below: (any Connection)?,
        entry: String,
        at place: SourcePosition
    ) {
        let before = connection.facts.atr
        do throws(TransportFault) {
            try connection.setField(.off)
        } catch {
            add(entry, at: place, .failed, "off: \(error)")
            return
        }
        let isStillThere = below.map { (try? $0.transmit(Self.selectMasterFile)) != nil } ?? false
        do throws(TransportFault) {
            try connection.setField(.on)
        } catch {
            add(entry, at: place, .failed, "on: \(error)")
            return
        }
        guard !isStillThere else {
            add(entry, at: place, .failed, "off: the card still answers")
            return
        }
        guard connection.facts.atr == before else {
            let text =
                "on: the card came back with ATR \(connection.facts.atr.hex), before it was \(before.hex)"
            add(entry, at: place, .failed, text)
            return
        }
        add(entry, at: place, .proved, "went off and on")
    }

    /// SELECT without a name, which any card answers with some status word.
    private static let selectMasterFile: [UInt8] = [0x00, 0xA4, 0x00, 0x0C]

    // MARK: Device

    private func checkFirmware(_ role: BenchRole, on connection: any Connection, entry: String) {
        guard let check = role.firmware else { return }
        let place = role.position(of: "firmware")
        do throws(TransportFault) {
            let outcome = try check.ask(connection)
            var verdict = BenchFinding.Verdict.failed
            if case .fits = outcome { verdict = .proved }
            add(entry, at: place, verdict, check.sentence(about: outcome))
        } catch {
            add(entry, at: place, .failed, "not verified: \(error)")
        }
    }

    private func checkSample(_ route: BenchRoute, on connection: any Connection, entry: String) {
        let role = route.role
        guard let source = route.sampleSource(connection.facts) else { return }
        let place = role.position(of: "sample")
        do throws(TransportFault) {
            guard let sample = try source.name(on: connection) else {
                let isAsked = role.sample != nil
                add(entry, at: place, isAsked ? .failed : .unproved, "the card tells neither UID nor serial")
                return
            }
            let objection = bench.objection(toDestroying: sample)
            let text = objection.map { "destructive cases are refused: \($0)" } ?? "destructive cases may run"
            add(entry, at: place, sample.isRandom ? .unproved : .proved, "\(sample); \(text)")
        } catch {
            add(entry, at: place, .failed, "\(error)")
        }
    }

    // MARK: Probes

    private func check(_ probe: BenchProbe) {
        let entry = "probes.\(probe.name)"
        guard let setup = probe.kitSetup else {
            let serial = probe.serial.map { " \($0)" } ?? ""
            return add(entry, at: probe.position, .unproved, "\(probe.kind)\(serial): not looked for")
        }
        do throws(TransportFault) {
            let kit = try port.openKit(setup)
            defer { kit.close() }
            let look = try kit.lookAtLED()
            let warning = try kit.warning()
            let led =
                look.doubt ?? "the LED at \(setup.board.led.pin) is \(look.samples.last?.rawValue ?? "dark")"
            let log = setup.uartPath.map { "UART \($0)" } ?? "no UART"
            add(
                entry,
                at: probe.position,
                look.doubt == nil && warning == nil ? .proved : .failed,
                "\(setup.probe), \(setup.board.name): \(warning.map { "\($0); " } ?? "")\(led); \(log)"
            )
        } catch {
            add(entry, at: probe.position, .failed, "\(error)")
        }
    }

    // MARK: Programs

    private func check(_ program: ControlProgram, entry: String) {
        let entry = "\(entry).\(program.name.rawValue)"
        guard bench.mayStartPrograms else {
            let text = "not started: only the command line may name a bench file with programs"
            add(entry, at: program.position, .unproved, text)
            return
        }
        switch program.name {
        case .operator:
            add(entry, at: program.position, .unproved, "not started: there is nothing to ask for")
        case .field:
            guard !watched.contains(program.position) else { return }
            add(entry, at: program.position, .unproved, "not started: no card is there to watch")
        case .button, .led, .reset:
            let kit = ExecKit(name: bench.name, programs: [program])
            do throws(TransportFault) {
                switch program.name {
                case .led: add(entry, at: program.position, .proved, "reads \(try kit?.led().rawValue ?? "")")
                case .reset:
                    try kit?.reset()
                    add(entry, at: program.position, .proved, "ran")
                default:
                    try kit?.pressButton()
                    add(entry, at: program.position, .proved, "ran")
                }
            } catch {
                add(entry, at: program.position, .failed, "\(error)")
            }
        }
    }
}
