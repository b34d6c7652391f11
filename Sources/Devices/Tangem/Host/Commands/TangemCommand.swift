// SPDX-License-Identifier: MIT

public import Cryptography
public import SmartCard
public import TangemConstants

/// One command of the card with its answer.
///
/// A command knows its data objects and what the answer means; a session adds encryption, the security delay and
/// the codes of the user. Without a session, ``frame(_:)`` gives the bytes in the clear.
public protocol TangemCommand<Answer>: Sendable {
    /// What the card gives back.
    associatedtype Answer: Sendable

    /// The instruction.
    var instruction: TangemInstruction { get }
    /// Whether the passcode goes along, so that a refusal may mean a wrong one.
    var needsPasscode: Bool { get }
    /// Whether the card must have been read before.
    var needsCard: Bool { get }
    /// Whether the answer must carry the card identifier.
    var answersCardID: Bool { get }
    /// The weakest encryption that will do.
    var leastEncryption: SessionEncryption { get }
    /// Whether the command may be sent again when its answer was lost.
    ///
    /// Only one that names its card may, and only when a second run of it does nothing that was not asked for.
    var isRepeatable: Bool { get }
    /// The codes that the card may ask for afterwards, even if its answer was lost; nil when they stay.
    var newCodes: NewCodes? { get }
    /// A cipher of the command's own, which leaves P1 at 00; nil for that of the session.
    var ownCipher: SessionCipher? { get throws(TangemError) }

    /// What must hold before the command is sent.
    ///
    /// - Parameter card: The card as it was read.
    /// - Throws: What the card would refuse.
    func check(_ card: CardRecord) throws(TangemError)

    /// The data objects of the command.
    func body(_ context: CommandContext) throws(TangemError) -> CardObjects

    /// Reads the answer.
    ///
    /// - Parameters:
    ///   - answer: The answer, with a status word that says "done".
    ///   - context: What the command was sent with.
    /// - Returns: What the card gave back.
    /// - Throws: A decoding error for anything else.
    func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer

    /// The answer as far as the card's record tells it, when that of the command was lost.
    ///
    /// - Parameter card: The card, read after the command was done.
    /// - Returns: nil when only the command itself gives its answer.
    func lostAnswer(_ card: CardRecord) -> Answer?

    /// What a refusal means after this command.
    ///
    /// - Parameters:
    ///   - error: What the status word says by itself.
    ///   - context: What the command was sent with.
    /// - Returns: The error as users see it.
    func meaning(of error: TangemError, _ context: CommandContext) -> TangemError
}

extension TangemCommand {
    /// False, unless a command says otherwise.
    public var needsPasscode: Bool { false }
    /// True, unless a command says otherwise.
    public var needsCard: Bool { true }
    /// True, unless a command says otherwise.
    public var answersCardID: Bool { true }
    /// None, unless a command says otherwise.
    public var leastEncryption: SessionEncryption { .none }
    /// True, unless the command changes codes or says otherwise.
    public var isRepeatable: Bool { newCodes == nil }
    /// nil, unless a command says otherwise.
    public var newCodes: NewCodes? { nil }
    /// nil, unless a command says otherwise.
    public var ownCipher: SessionCipher? { get throws(TangemError) { nil } }
    /// Nothing, unless a command says otherwise.
    public func check(_ card: CardRecord) throws(TangemError) {}
    /// nil, unless a command says otherwise.
    public func lostAnswer(_ card: CardRecord) -> Answer? { nil }
    /// The same error, unless a command says otherwise.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError { error }

    /// The name of the command, as the dictionary has it.
    public var name: String { instruction.name ?? "INS \([instruction.rawValue].hex)" }

    /// The command in the clear, or in its own cipher.
    public func frame(_ context: CommandContext) throws(TangemError) -> CommandFrame {
        let objects = try objects(context).bytes
        return try CommandFrame(instruction, body: try ownCipher?.encrypt(objects) ?? objects)
    }

    /// The data objects with what stands before those of every command.
    func objects(_ context: CommandContext) throws(TangemError) -> CardObjects {
        let body = try body(context)
        guard context.isLegacyMode, !body.isEmpty else { return body }
        return CardObjects([CardObject(.legacyMode, [TangemLimits.legacyModeValue])] + body.items)
    }
}

/// The codes that a command gives to the card; nil for one that stays.
public struct NewCodes: Hashable, Sendable {
    /// The access code.
    public let accessCode: UserCode?
    /// The passcode.
    public let passcode: UserCode?

    /// Takes the codes.
    public init(accessCode: UserCode?, passcode: UserCode?) {
        self.accessCode = accessCode
        self.passcode = passcode
    }
}

/// What every command takes from its session.
public struct CommandContext: Sendable {
    /// The card as it was read; nil before that.
    public var card: CardRecord?
    /// The identifier that commands carry; that of the card unless said otherwise.
    public var cardID: CardID?
    /// The access code in use.
    public var accessCode: UserCode
    /// The passcode in use.
    public var passcode: UserCode
    /// The code printed on the card, raw text; nil for none.
    public var cvc: [UInt8]?
    /// The key of this terminal; nil when it links to no card.
    public var terminalKey: PrivateKey?
    /// Whether commands begin with the tag 29, for phones of old.
    public var isLegacyMode: Bool

    /// Makes a context, with the codes that every card comes with.
    public init(
        card: CardRecord? = nil,
        cardID: CardID? = nil,
        accessCode: UserCode = .standard(.accessCode),
        passcode: UserCode = .standard(.passcode),
        cvc: [UInt8]? = nil,
        terminalKey: PrivateKey? = nil,
        isLegacyMode: Bool = false
    ) {
        self.card = card
        self.cardID = cardID ?? card?.id
        self.accessCode = accessCode
        self.passcode = passcode
        self.cvc = cvc
        self.terminalKey = terminalKey
        self.isLegacyMode = isLegacyMode
    }

    /// The firmware of the card; one before all others while the card is not known.
    public var firmware: CardFirmware { card?.firmware ?? CardFirmware("") }

    /// The identifier, which must be known.
    func requiredCardID() throws(TangemError) -> CardID {
        guard let cardID else { throw TangemError(.missingPreflightRead, "no card identifier is known") }
        return cardID
    }

    /// Data objects that begin with the given ones of access code, passcode and identifier.
    func objects(_ tags: TangemTag...) throws(TangemError) -> CardObjects {
        var objects = CardObjects()
        for tag in tags {
            switch tag {
            case .pin: objects.add(.pin, accessCode.digest)
            case .pin2: objects.add(.pin2, passcode.digest)
            case .cardID: objects.add(.cardID, try requiredCardID().bytes)
            case .cvc: objects.add(.cvc, cvc)
            default: break
            }
        }
        return objects
    }

    /// The same with another access code.
    func with(accessCode: UserCode) -> CommandContext {
        var context = self
        context.accessCode = accessCode
        return context
    }

    /// The card record, which must be there.
    func requiredCard() throws(TangemError) -> CardRecord {
        guard let card else { throw TangemError(.missingPreflightRead) }
        return card
    }
}

/// An answer that says "done".
public struct CommandAnswer: Hashable, Sendable {
    /// Status word.
    public let sw: StatusWord
    /// Data objects.
    public let objects: CardObjects

    /// Makes an answer.
    public init(sw: StatusWord, objects: CardObjects) {
        self.sw = sw
        self.objects = objects
    }
}

/// The answer of commands that give back nothing of interest.
public struct DoneAnswer: Hashable, Sendable {
    /// Status word.
    public let sw: StatusWord
}

/// Commands that are known by their instruction alone.
public enum UnpublishedCommands {
    /// The instructions whose bodies no source tells.
    public static let all: [TangemInstruction] = [
        .attestCardUniqueness, .attestCardFirmware, .activate, .manageFileOwners,
    ]

    /// The error of a call for one of them.
    public static func error(_ instruction: TangemInstruction) -> TangemError {
        TangemError(
            .unsupportedCommand,
            "no source tells the data objects of \(instruction.name ?? [instruction.rawValue].hex); "
                + "send its bytes by hand where you know them",
            command: instruction.name
        )
    }
}
