// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
public import Scenario

/// A way to a card: the emulator in process, the emulator behind PC/SC, a real reader.
public protocol Route: AnyObject, Sendable {
    /// The words that chose it, as `--via` has them.
    var spec: String { get }

    /// True when time is modelled: runs are then repeatable to the byte.
    var isVirtualTime: Bool { get }

    /// True when the card is one of our emulators, where nothing can be destroyed.
    var isEmulated: Bool { get }

    /// What the way offers to a target before anything is connected; nil when only a connection can tell.
    func capabilities(target: String, options: [String: String]) -> Set<Capability>?

    /// Why a role that a case needs cannot be had on this way, as a part of a sentence; nil when nothing more is to be
    /// said than that there is none.
    func absence(ofRole role: String, target: String) -> String?

    /// Times where a scenario gives none.
    var limits: Limits { get }

    /// Makes the way ready for all cases of a run, once before the first of them.
    ///
    /// May wait for as long as the user allows, which may be longer than any connect may take.
    ///
    /// - Parameters:
    ///   - isCancelled: Looked at while waiting; true ends it.
    ///   - tell: Takes a sentence about what is waited for, before the wait begins.
    /// - Throws: The fault for which no case can run on this way.
    func prepare(
        isCancelled: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (String) -> Void
    ) throws(TransportFault)

    /// Who does what the rig cannot, on this way.
    ///
    /// - Parameter other: Who does it elsewhere; nil when nobody can be asked.
    /// - Returns: Who is to be asked; nil when nobody can be.
    func operatorPort(else other: (any OperatorPort)?) -> (any OperatorPort)?

    /// Makes a fresh card where the way can, and connects to it. May block.
    func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard

    /// Lets go of everything.
    func close()
}

extension Route {
    /// Nothing more is to be said.
    public func absence(ofRole role: String, target: String) -> String? { nil }

    /// None: the defaults hold.
    public var limits: Limits { Limits() }

    /// Nothing is to be done.
    public func prepare(
        isCancelled: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (String) -> Void
    ) throws(TransportFault) {}

    /// The same, where nobody is to be told.
    public func prepare(isCancelled: @escaping @Sendable () -> Bool) throws(TransportFault) {
        try prepare(isCancelled: isCancelled, tell: { _ in })
    }

    /// The same as elsewhere.
    public func operatorPort(else other: (any OperatorPort)?) -> (any OperatorPort)? { other }
}

/// What a case wants of its device.
public struct DeviceSetup: Hashable, Sendable {
    /// The device's word, for example `nbt`.
    public var target: String
    /// Firmware version or profile; nil takes the emulator's default.
    public var firmware: String?
    /// Options of the emulator.
    public var options: [String: String]
    /// Seed for everything random in the card.
    public var seed: UInt64
    /// Host-side deadline of an exchange.
    public var exchangeDeadline: Duration

    /// Makes a setup.
    public init(
        target: String,
        firmware: String?,
        options: [String: String],
        seed: UInt64,
        exchangeDeadline: Duration
    ) {
        self.target = target
        self.firmware = firmware
        self.options = options
        self.seed = seed
        self.exchangeDeadline = exchangeDeadline
    }
}

/// A connected card and what belongs to it.
public struct OpenedCard {
    /// The connection, without wrappers.
    public var connection: any Connection
    /// The time in which it lives.
    public var clock: any RigClock
    /// The kit that carries it; nil when there is none.
    public var kit: (any Kit)?
    /// What reader, kit and target offer together.
    public var capabilities: Set<Capability>
    /// Firmware version, when it is known.
    public var firmware: String?
    /// What identifies the sample: UID, serial, or the emulator's own.
    public var sample: String
    /// Whether `sample` means one card; false where other cards get the same name.
    public var isSampleNamed = true
    /// Whether the card takes command chaining (CLA bit 5).
    public var acceptsChaining: Bool
    /// Told of the command that is about to lose its power in the middle, so that an emulator stops half way.
    public var onCut: (([UInt8]) -> Void)?
    /// Why a destructive case must not run on this card, in one sentence; nil when it may, or when nothing is real.
    ///
    /// Whoever opens a real card has to allow it on purpose.
    public var destructiveObjection: String? = "no bench names this card's serial"
    /// Opens another connection of the bench by its role; nil where there is none besides this one.
    public var openRole: ((String) throws(TransportFault) -> any Connection)?

    /// What the reader adds to the time of each exchange, by the bench.
    ///
    /// It is taken off before `time` and `stats` are judged. Traces keep what was measured.
    public var exchangeOverhead = Duration.zero
    /// The same for the readers of other roles, by their names.
    public var overheadOfRole: [String: Duration] = [:]
    /// How far two measured times may lie apart and still be the same, by the bench: `10%`, `200us`.
    public var timingBand: String?

    /// Makes an opened card.
    public init(
        connection: any Connection,
        clock: any RigClock,
        kit: (any Kit)? = nil,
        capabilities: Set<Capability>,
        firmware: String? = nil,
        sample: String,
        acceptsChaining: Bool = false,
        onCut: (([UInt8]) -> Void)? = nil
    ) {
        self.connection = connection
        self.clock = clock
        self.kit = kit
        self.capabilities = capabilities
        self.firmware = firmware
        self.sample = sample
        self.acceptsChaining = acceptsChaining
        self.onCut = onCut
    }
}
