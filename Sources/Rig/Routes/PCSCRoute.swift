// SPDX-License-Identifier: MIT

public import Bench
public import CardConnection
import DevKit
import HostSystem
import PCSC
public import Runner
public import Scenario
import SmartCard
import Synchronization

/// A card on a reader of the PC/SC service.
public final class PCSCRoute: Route {
    /// `pcsc:...`, as it was given, or as the bench has it.
    public let spec: String
    /// False: the card takes its own time.
    public let isVirtualTime = false
    /// False: the card is real.
    public let isEmulated = false
    let selector: ReaderSelector
    let access: ReaderAccess
    /// The role that the reader plays on a bench; nil when no bench is in use.
    let bench: BenchRoute?
    /// What the other ways of the run have.
    let claims: ReaderClaims
    private let hold: ReaderHold
    /// The readers of other roles that cases have used.
    let others = Mutex<[String: PCSCRoute]>([:])
    /// What the last wait for a card ended with; nil since there was one.
    ///
    /// No connect waits for the same again.
    private let waitedInVain = Mutex<TransportFault?>(nil)
    /// The role's probe and UART, kept over all cases.
    private let probed = Mutex<ProbedKit?>(nil)

    /// Makes the route from the words behind `pcsc:`.
    ///
    /// - Parameters:
    ///   - spec: The words.
    ///   - bench: The role that the reader plays on a bench; nil when no bench is in use.
    ///   - access: How long to wait for the reader, and who takes it.
    /// - Throws: ``RouteError`` when the words name no reader.
    public convenience init(
        spec: String,
        bench: BenchRoute? = nil,
        access: ReaderAccess = ReaderAccess()
    ) throws(RouteError) {
        try self.init(spec: spec, bench: bench, access: access, claims: ReaderClaims())
    }

    init(
        spec: String,
        bench: BenchRoute?,
        access: ReaderAccess,
        claims: ReaderClaims
    ) throws(RouteError) {
        self.spec = spec
        self.bench = bench
        self.access = access
        self.claims = claims
        let words = String(spec.dropFirst("pcsc:".count))
        hold = ReaderHold(words, access: access)
        do {
            selector = try ReaderSelector(words)
        } catch {
            throw RouteError("\(spec): \(error)")
        }
    }

    /// Those of the bench.
    public var limits: Limits { bench?.limits ?? Limits() }

    /// The bench's program for it, where there is one.
    public func operatorPort(else other: (any OperatorPort)?) -> (any OperatorPort)? {
        guard let bench, bench.bench.program(.operator, of: bench.role) != nil else { return other }
        return BenchOperator(bench, else: other)
    }

    /// Nil: only a connection can tell.
    public func capabilities(target: String, options: [String: String]) -> Set<Capability>? { nil }

    /// Locks the reader for the run, and waits for a card in it.
    ///
    /// A reader that is not there, or has no card to the end, is left for ``open(_:)`` to tell.
    public func prepare(
        isCancelled: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (String) -> Void
    ) throws(TransportFault) {
        let patience = ReaderLock.Patience(limit: access.wait, isCancelled: isCancelled)
        let end = MonotonicTime.now + access.wait
        try hold.takeIdentity(patience, tell: tell)
        let what: String
        switch look() {
        case .reader(let reader):
            try take(reader.name.text, patience, tell: tell)
            if reader.state != .empty { return }
            if try bench?.raiseField() == true, case .reader(let reader) = look(), reader.state != .empty {
                return
            }
            what = "a card in the reader '\(reader.name.text)'"
        case .none: what = "a reader that fits '\(spec)', with a card in it"
        case .trouble: return
        }
        // What a look at the readers took is not to be read in a complaint.
        let left = Self.roundedUp(end - MonotonicTime.now)
        guard left > .zero, !isCancelled() else { return }
        tell("waiting up to \(DurationText.text(access.wait)) for \(what)")
        let selector = selector
        // The call ends when its time is over; a run that is to end does not wait for that.
        let outcome = SupervisedWorker.perform({ _ in
            Result { () throws(TransportFault) in try ReaderList.waitForCard(in: selector, timeout: left) }
        }) {
            isCancelled() ? .abandon(TransportFault(.noCard, "the wait was ended")) : .goOn
        }
        guard case .finished(let ending) = outcome else { return }
        switch ending {
        case .success(let name):
            let rest = max(end - MonotonicTime.now, .zero)
            try take(name, ReaderLock.Patience(limit: rest, isCancelled: isCancelled), tell: tell)
        case .failure(let fault): waitedInVain.withLock { $0 = fault }
        }
    }

    /// Connects to the card on the reader, and has it tell the bench who it is.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        try hold.takeIdentity()
        // A connect would wait without end for another program to let go of the card.
        if !hold.hasName, case .reader(let reader) = look() {
            try take(reader.name.text)
        }
        let connection = try connect(setup)
        let identity: BenchRoute.Identity?
        let kit: BenchKit?
        do throws(TransportFault) {
            kit = try openKit()
            try take(connection.facts.readerName)
            identity = try bench?.identify(connection)
            // What was asked has left its traces on the card.
            if bench != nil { try connection.reset(.cold) }
        } catch {
            connection.close()
            throw error
        }
        let found = connection.facts.capabilities
        let name = identity?.sample.flatMap { $0.isRandom ? nil : $0.text }
        var opened = OpenedCard(
            connection: bench?.dressed(connection) ?? connection,
            clock: SystemClock(),
            kit: kit,
            capabilities: bench?.capabilities(found, kit: kit) ?? found,
            firmware: identity?.firmware ?? setup.firmware,
            sample: name ?? "\(connection.facts.readerName) \(connection.facts.atr.hex)"
        )
        opened.isSampleNamed = name != nil
        // A real card cannot be told to be faster.
        opened.capabilities.insert(.securityDelay)
        if let bench {
            opened.exchangeOverhead = bench.role.timing?.overhead ?? .zero
            opened.timingBand = bench.role.timing?.band?.text
            for role in bench.bench.roles { opened.overheadOfRole[role.name] = role.timing?.overhead }
            opened.destructiveObjection = bench.bench.objection(toDestroying: identity?.sample)
            opened.capabilities.formUnion(otherRoles.map(Capability.role))
            opened.openRole = { [self] role throws(TransportFault) in try connect(to: role, setup) }
        }
        return opened
    }

    /// Gives the reader back; connections close themselves.
    public func close() {
        let others = others.withLock { others in
            defer { others = [:] }
            return others
        }
        for other in others.values { other.close() }
        let kit = probed.withLock { probed in
            defer { probed = nil }
            return probed
        }
        kit?.close()
        hold.release()
    }

    // MARK: Steps

    /// Takes a reader: from the other ways of the run, then from other programs.
    private func take(
        _ reader: String,
        _ patience: ReaderLock.Patience = ReaderLock.Patience(),
        tell: @escaping (String) -> Void = { _ in }
    ) throws(TransportFault) {
        try claims.claim(reader, for: spec)
        try hold.takeName(reader, patience, tell: tell)
    }

    /// Connects, and remembers a card that was not there in all the time that it was waited for.
    private func connect(_ setup: DeviceSetup) throws(TransportFault) -> PCSCConnection {
        do throws(TransportFault) {
            let connection = try connectWithField(setup)
            waitedInVain.withLock { $0 = nil }
            return connection
        } catch {
            guard error.kind == .noCard || error.kind == .noReader else { throw error }
            throw waitedInVain.withLock { earlier in
                // The first one tells how long it was waited.
                if earlier?.kind != error.kind { earlier = error }
                return earlier ?? error
            }
        }
    }

    /// Connects; where no card is there, the bench's program for the field is asked before it is waited for one.
    private func connectWithField(_ setup: DeviceSetup) throws(TransportFault) -> PCSCConnection {
        var options = options(setup)
        guard let bench, bench.hasFieldProgram else { return try PCSCConnection(selector, options: options) }
        let patience = options.cardTimeout
        options.cardTimeout = .zero
        do throws(TransportFault) {
            return try PCSCConnection(selector, options: options)
        } catch {
            guard error.kind == .noCard, try bench.raiseField() else { throw error }
        }
        options.cardTimeout = patience
        return try PCSCConnection(selector, options: options)
    }

    /// The kit of a case; its probe and UART are those of the case before.
    private func openKit() throws(TransportFault) -> BenchKit? {
        guard let bench else { return nil }
        let kept = try probed.withLock { probed throws(TransportFault) -> ProbedKit? in
            if probed == nil { probed = try bench.makeProbedKit() }
            return probed
        }
        return bench.kit(probed: kept)
    }

    private func options(_ setup: DeviceSetup) -> PCSCConnection.Options {
        var options = PCSCConnection.Options()
        options.exchangeDeadline = setup.exchangeDeadline
        options.cardTimeout = waitedInVain.withLock { $0 == nil } ? access.wait : .zero
        switch bench?.role.field {
        // A claim is proved by the reader; `taprig bench check` tells when it does not hold.
        case .control, nil: options.fieldControl = .automatic
        case .unpower: options.fieldControl = .unpower
        case .some(.none): options.fieldControl = .none
        }
        return options
    }

    /// A time in whole tenths of a second.
    private static func roundedUp(_ time: Duration) -> Duration {
        .milliseconds(Int((time / .milliseconds(100)).rounded(.up)) * 100)
    }

    private enum Look {
        case reader(ReaderInfo)
        /// None fits, or more than one.
        case none
        /// The service cannot be asked.
        case trouble
    }

    private func look() -> Look {
        do throws(TransportFault) {
            let fitting = selector.candidates(
                in: try ReaderList.current(withDetails: selector.needsDetails)
            )
            guard let reader = fitting.first, fitting.count == 1 else { return .none }
            return .reader(reader)
        } catch {
            return error.kind == .noReader ? .none : .trouble
        }
    }
}

extension ReaderSelector {
    /// Whether drivers have to be asked before it can be told which reader is meant.
    var needsDetails: Bool { description.contains("=") }
}
