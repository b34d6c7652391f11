// SPDX-License-Identifier: MIT

public import Bench
public import CardConnection
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
    /// True when a card was waited for in vain, so that the next connect need not do it again.
    private let hasWaited = Mutex(false)

    private static let pause = Duration.milliseconds(200)

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
    public func prepare(isCancelled: @escaping @Sendable () -> Bool) throws(TransportFault) {
        let patience = ReaderLock.Patience(limit: access.wait, isCancelled: isCancelled)
        let end = MonotonicTime.now + access.wait
        try hold.takeIdentity(patience)
        while true {
            switch look() {
            case .reader(let reader):
                try take(reader.name.text, patience)
                if reader.state != .empty { return }
            case .none: break
            case .trouble: return
            }
            let left = end - MonotonicTime.now
            guard left > .zero, !isCancelled() else { return hasWaited.withLock { $0 = true } }
            MonotonicTime.sleep(min(Self.pause, left))
        }
    }

    /// Connects to the card on the reader, and has it tell the bench who it is.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        try hold.takeIdentity(ReaderLock.Patience())
        // A connect would wait without end for another program to let go of the card.
        if !hold.hasName, case .reader(let reader) = look() {
            try take(reader.name.text, ReaderLock.Patience())
        }
        let connection = try PCSCConnection(selector, options: options(setup))
        let identity: BenchRoute.Identity?
        do throws(TransportFault) {
            try take(connection.facts.readerName, ReaderLock.Patience())
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
            kit: bench?.kit,
            capabilities: bench?.capabilities(found) ?? found,
            firmware: identity?.firmware ?? setup.firmware,
            sample: name ?? "\(connection.facts.readerName) \(connection.facts.atr.hex)"
        )
        if let bench {
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
        hold.release()
    }

    // MARK: Steps

    /// Takes a reader: from the other ways of the run, then from other programs.
    private func take(_ reader: String, _ patience: ReaderLock.Patience) throws(TransportFault) {
        try claims.claim(reader, for: spec)
        try hold.takeName(reader, patience)
    }

    private func options(_ setup: DeviceSetup) -> PCSCConnection.Options {
        var options = PCSCConnection.Options()
        options.exchangeDeadline = setup.exchangeDeadline
        options.cardTimeout =
            hasWaited.withLock { hasWaited in
                defer { hasWaited = false }
                return hasWaited
            } ? .zero : access.wait
        switch bench?.role.field {
        // A claim is proved by the reader; `taprig bench check` tells when it does not hold.
        case .control, nil: options.fieldControl = .automatic
        case .unpower: options.fieldControl = .unpower
        case .some(.none): options.fieldControl = .none
        }
        return options
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
