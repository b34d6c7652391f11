// SPDX-License-Identifier: MIT

import Cryptography
public import TangemConstants

/// PERSONALIZE: makes a development card out of a blank one.
///
/// The body is encrypted with a fixed key although P1 stays 00.
public struct PersonalizeCommand: TangemCommand {
    /// What the card shall become.
    public let configuration: PersonalizationConfiguration

    /// Makes the command.
    public init(_ configuration: PersonalizationConfiguration) {
        self.configuration = configuration
    }

    /// PERSONALIZE.
    public var instruction: TangemInstruction { .personalize }
    /// False: a blank card gives no record.
    public var needsCard: Bool { false }
    /// False: the identifier is part of the record.
    public var answersCardID: Bool { false }
    /// False: the command names no card.
    public var isRepeatable: Bool { false }
    /// The cipher with the published key.
    public var ownCipher: SessionCipher? {
        get throws(TangemError) {
            try SessionCipher(
                encryption: .none,
                key: SHA256.digest(Array(TangemLimits.personalizationPassphrase.utf8))
            )
        }
    }

    /// All that the card shall know.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try configuration.objects()
    }

    /// The card record; nil while the card still says that it is blank.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> CardRecord?
    {
        do {
            return try CardRecord(answer.objects)
        } catch  where error.kind == .notPersonalized {
            return nil
        }
    }
}

/// DEPERSONALIZE: makes a development card blank.
public struct DepersonalizeCommand: TangemCommand {
    /// Makes the command.
    public init() {}

    /// DEPERSONALIZE.
    public var instruction: TangemInstruction { .depersonalize }
    /// False: the command has no body.
    public var needsCard: Bool { false }
    /// False.
    public var answersCardID: Bool { false }
    /// False: the command names no card.
    public var isRepeatable: Bool { false }

    /// Nothing.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects { CardObjects() }

    /// Nothing of interest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> DoneAnswer {
        DoneAnswer(sw: answer.sw)
    }
}
