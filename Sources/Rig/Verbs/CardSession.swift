// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
import NBT
public import Scenario
import SmartCard

/// What a case has in its hands: a connection with its wrappers, a clock, perhaps a kit.
///
/// Belongs to the thread that runs the case.
public final class CardSession {
    /// The connection that verbs talk to: the top of the stack of wrappers.
    public let connection: any Connection
    /// The time that the case lives in.
    public let clock: any RigClock
    /// The kit that carries the device; nil when there is none.
    public let kit: (any Kit)?
    /// Turns the following of 61xx and 6Cxx on and off.
    public let setFollowing: (Bool) -> Void
    private let setGuardPass: (Bool) -> Void
    /// Counts attempts at codes of cards that tell no counter; nil counts nothing.
    public var codeGuard: (any CodeGuard)?
    /// Waits, but ends early when the run is interrupted.
    public let wait: (Duration) throws -> Void
    /// The field, as the case left it.
    public var field = FieldState.on
    /// Since when the field has been on without a break, for hints.
    public private(set) var fieldOnSince: Duration
    /// The fault since which the link is down; nil while it stands.
    public var linkFault: FaultKind?

    /// What the reader adds to the time of each exchange; it is no time of the card's.
    public var exchangeOverhead = Duration.zero

    /// Who does what the rig cannot; nil when nobody can be asked.
    public var operatorPort: (any OperatorPort)?

    /// Whether a step may do what cannot be undone: on an emulator, and on a real card in a case that is allowed to.
    public var allowsDestruction = true
    /// Why not, and what to do about it.
    public var destructionRule = (
        reason: "the case is not tagged destructive",
        hint:
            "tag it destructive, run with --allow-destructive, and put the sample under `allow` of the bench"
    )

    /// Whether wrong passwords of a chip are counted: an emulated one is new in each case, and nothing is lost with it.
    public var countsPasswords = false

    /// What the case knows of the chip's files and passwords.
    private(set) var nbtWatch = NBTCommandWatch()

    /// Digest of the passcode that a wallet card was last seen to take; nil when that is unknown.
    var takenPasscode: [UInt8]?

    /// Whether the guard's sample is one card, found by an identifier of its own; false unless somebody says so.
    public var isSampleNamed: Bool {
        get { nbtWatch.isSampleNamed }
        set { nbtWatch.isSampleNamed = newValue }
    }

    /// One-time tokens that were accepted in the case.
    var seenTokens: Set<COTTToken> = []

    /// The last look at the LED before the button was pressed; nil when there was none.
    public var ledBeforePress: LEDSample?

    /// When the kit's button was last pressed, or its micro-controller reset; nil when it never was.
    public var pressTime: Duration?

    /// What was last done to the kit for its LED to change, for messages; nil when nothing was.
    public var stimulus: String?

    /// When the last UPDATE BINARY was answered; nil when there was none.
    public var lastWrite: Duration?

    /// Makes a session.
    public init(
        connection: any Connection,
        clock: any RigClock,
        kit: (any Kit)?,
        setFollowing: @escaping (Bool) -> Void,
        setGuardPass: @escaping (Bool) -> Void,
        wait: @escaping (Duration) throws -> Void
    ) {
        self.connection = connection
        self.clock = clock
        self.kit = kit
        self.setFollowing = setFollowing
        self.setGuardPass = setGuardPass
        self.wait = wait
        fieldOnSince = clock.now
    }

    // MARK: Passwords of the chip

    private var passwordGuard: (any CodeGuard)? { countsPasswords ? codeGuard : nil }
    /// Whether the connection says that it is one over I2C.
    var isI2C: Bool { connection.facts.protocolName == T1PrimeConnection.protocolName }

    /// Asks the guard about the passwords that a command to the chip presents.
    func admitPasswords(of command: [UInt8]) throws(TransportFault) {
        try nbtWatch.admit(command, passwordGuard, isI2C: isI2C)
    }

    /// Counts the passwords of a command whose answer got lost.
    func notePasswordLoss(_ command: [UInt8], _ fault: TransportFault) {
        nbtWatch.noteLoss(command, fault, passwordGuard, isI2C: isI2C)
    }

    /// What the case knows of the chip's passwords.
    var knownPasswords: NBTDanger.Passwords {
        NBTDanger.Passwords(masters: nbtWatch.masters) { [nbtWatch, passwordGuard] in
            nbtWatch.knows($0, passwordGuard)
        }
    }

    /// Learns from a command to the chip and its answer.
    func noteNBT(_ command: [UInt8], _ answer: ResponseAPDU) {
        nbtWatch.note(command, answer, passwordGuard, isI2C: isI2C)
    }

    /// Lets the next attempt at a PIN pass the retry-counter guard.
    public func letNextThroughGuard() { setGuardPass(true) }

    /// Takes a pass back that nobody used.
    public func withdrawGuardPass() { setGuardPass(false) }

    /// Notes that the card has power, and since when.
    public func fieldCameOn() {
        if field == .off || linkFault != nil { fieldOnSince = clock.now }
        field = .on
        linkFault = nil
    }
}
