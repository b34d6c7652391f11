// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
public import Scenario
import Wording

/// The way to the device of a role, as values: whoever opens readers follows it.
public struct BenchRoute: Hashable, Sendable {
    /// The bench.
    public let bench: TestBench
    /// The role.
    public let role: BenchRole

    /// The words of `--via` for the role's reader.
    public var via: String { "pcsc:\(role.reader.selector)" }

    /// Times where a scenario gives none: the role's, else the bench's.
    public var limits: Limits {
        Limits(
            apdu: role.limits.apdu ?? bench.limits.apdu,
            testCase: role.limits.testCase ?? bench.limits.testCase,
            teardown: role.limits.teardown ?? bench.limits.teardown
        )
    }

    /// The probe that is wired to the role's device; nil when the bench names none, or none that can see a kit.
    public var kitSetup: KitSetup? {
        guard let name = role.probe, let probe = bench.probes.first(where: { $0.name == name }) else {
            return nil
        }
        return probe.kitSetup
    }

    /// Makes what is kept of a kit over all cases: its probe and its UART.
    ///
    /// - Returns: The kit; nil when no probe is wired to the role's device.
    /// - Throws: A fault of kind `probe` when the UART cannot be opened; the probe itself is opened at its first use.
    public func makeProbedKit() throws(TransportFault) -> ProbedKit? {
        guard let setup = kitSetup, let name = role.probe else { return nil }
        return try setup.makeKit(name: "kit \(name) of \(bench.name) (\(setup.probe))")
    }

    /// The kit of one case: programs of the bench, and the probe for what they do not do.
    ///
    /// - Parameter probed: What ``makeProbedKit()`` gave.
    /// - Returns: The kit; nil when there is neither.
    public func kit(probed: ProbedKit? = nil) -> BenchKit? {
        BenchKit(programs: ExecKit(bench, role: role), probed: probed)
    }

    /// What the bench says beyond what reader and card were found to offer.
    ///
    /// - Parameters:
    ///   - offered: What the connection found out.
    ///   - kit: The kit of the case.
    /// - Returns: What scenarios may count on.
    public func capabilities(_ offered: Set<Capability>, kit: BenchKit? = nil) -> Set<Capability> {
        var out = offered
        switch role.field {
        case .some(.none): out.subtract([.fieldControl, .fieldCut, .fieldUnpower])
        case .unpower: out.subtract([.fieldControl, .fieldCut])
        case .control, nil: break
        }
        if hasFieldProgram { out.insert(.fieldControl) }
        switch role.hasTimeExtension {
        case true: out.insert(.timeExtension)
        case false: out.remove(.timeExtension)
        case nil: break
        }
        return out.union((kit ?? self.kit())?.capabilities ?? [])
    }

    /// Whether a program of the bench switches the field of the role's reader.
    public var hasFieldProgram: Bool { bench.program(.field, of: role) != nil }

    /// Puts what the bench adds on a connection: a field that a program switches.
    public func dressed(_ connection: any Connection) -> any Connection {
        guard let program = bench.program(.field, of: role) else { return connection }
        return ProgramFieldConnection(connection, program: program)
    }

    /// Has the program of the bench switch the field on, where a card is missed: a run that was killed may have left it
    /// off.
    ///
    /// The reader must be locked: another user may have the field off on purpose.
    ///
    /// - Returns: False when the bench has no such program.
    /// - Throws: A `control` fault when the program fails.
    public func raiseField() throws(TransportFault) -> Bool {
        guard let program = bench.program(.field, of: role) else { return false }
        try program.run([FieldState.on.rawValue])
        return true
    }

    // MARK: Locks

    /// Takes the role's reader before it is looked for; a reader in use does not tell its serial number.
    ///
    /// - Returns: The lock; nil when the bench names the reader by what may change, so that only its name can be locked.
    /// - Throws: A `busy` fault that names the holder.
    public func lockIdentity(
        holder: LockHolder,
        in folder: LockFolder = .standard,
        patience: ReaderLock.Patience = ReaderLock.Patience()
    ) throws(TransportFault) -> ReaderLock? {
        guard role.reader.isStable else { return nil }
        return try ReaderLock.acquire(
            role.reader.selector,
            reader: role.reader.description,
            holder: holder,
            in: folder,
            patience: patience
        )
    }

    // MARK: The device

    /// What a device told of itself.
    public struct Identity: Hashable, Sendable {
        /// The version of its firmware, when the bench has it verified.
        public var firmware: String?
        /// The sample's name, when it tells one.
        public var sample: SampleName?

        /// Makes an identity of which nothing is known.
        public init(firmware: String? = nil, sample: SampleName? = nil) {
            self.firmware = firmware
            self.sample = sample
        }
    }

    /// Asks the device who it is, and holds that against the bench file.
    ///
    /// The commands select things on the card: reset it, or connect anew, before a case begins.
    ///
    /// - Parameter connection: A connection to it, without trace.
    /// - Returns: Who it is.
    /// - Throws: A `protocol` fault when reader and card agreed on another protocol, a `control` fault when the firmware
    ///   is not the expected one, else the fault of the exchange.
    public func identify(_ connection: any Connection) throws(TransportFault) -> Identity {
        if let complaint = protocolComplaint(connection.facts) {
            throw TransportFault(.protocol, complaint, hint: "correct `protocol` in \(bench.file)")
        }
        var identity = Identity()
        if let check = role.firmware {
            let outcome = try check.ask(connection)
            guard case .fits = outcome else {
                throw TransportFault(
                    .control,
                    "role \(role.name): \(check.sentence(about: outcome))",
                    hint: "another sample lies in the reader, or \(bench.file) is out of date"
                )
            }
            identity.firmware = check.version
        }
        if let source = sampleSource(connection.facts) { identity.sample = try source.name(on: connection) }
        return identity
    }

    /// How the sample is told from its like: as the bench says, else by UID on a contactless reader.
    func sampleSource(_ facts: ConnectionFacts) -> SampleSource? {
        role.sample ?? (Self.isContactless(facts.atr) ? .uid : nil)
    }

    /// What is wrong with the protocol that reader and card agreed on; nil when nothing is.
    func protocolComplaint(_ facts: ConnectionFacts) -> String? {
        guard let wanted = role.protocolName, wanted != facts.protocolName else { return nil }
        return "role \(role.name): reader and card speak \(facts.protocolName), the bench says \(wanted)"
    }

    /// Whether a reader made the answer to reset for a contactless card.
    ///
    /// Source: PC/SC part 3 rev. 2.01.09 §3.1.3.2.3: 3B, 8n, 80, 01.
    private static func isContactless(_ atr: [UInt8]) -> Bool {
        atr.count >= 4 && atr[0] == 0x3B && atr[1] >> 4 == 0x8 && atr[2] == 0x80 && atr[3] == 0x01
    }
}

extension Capability {
    /// The reader lets a card ask for more time.
    static let timeExtension = Capability(rawValue: "time-extension")
}

extension TestBench {
    /// The way to the device of a role.
    ///
    /// - Parameter name: The role: a suite's target, or the word of a step's `on`.
    /// - Returns: The way; nothing is opened yet.
    /// - Throws: ``UnknownRole`` when the bench has no such role.
    public func route(forRole name: String) throws(UnknownRole) -> BenchRoute {
        guard let role = role(name) else {
            throw UnknownRole(name: name, file: file, known: roles.map(\.name))
        }
        return BenchRoute(bench: self, role: role)
    }

    /// The ways to the devices of all roles.
    public var routes: [BenchRoute] { roles.map { BenchRoute(bench: self, role: $0) } }
}

/// A role that a bench does not have.
public struct UnknownRole: Error, Hashable, Sendable, CustomStringConvertible {
    /// The role that was asked for.
    public let name: String
    /// The bench file.
    public let file: String
    /// The roles that there are.
    public let known: [String]

    /// One sentence with the roles that there are.
    public var description: String {
        let hint = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
        let list = known.isEmpty ? "; it has none" : "; it has \(known.joined(separator: ", "))"
        return "the bench \(file) has no role '\(name)'\(hint ?? list)"
    }
}
