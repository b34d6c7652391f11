// SPDX-License-Identifier: MIT

/// What a session says to people; every text can be replaced.
///
/// Values stand in braces, for example `{id}`.
public struct SessionTexts: Sendable {
    /// A text, by its name.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// A session began.
        case started = "session.started"
        /// A session ended well.
        case done = "session.done"
        /// A session ended with an error: `{error}`.
        case failed = "session.failed"
        /// A card came.
        case tagConnected = "tag.connected"
        /// A card was lost.
        case tagLost = "tag.lost"
        /// Another card came: `{found}`, `{wanted}`.
        case wrongCard = "card.wrong"
        /// Another card came, and nobody knows which: `{wanted}`.
        case unknownCard = "card.unknown"
        /// The security delay runs: `{remaining}` of `{total}` seconds.
        case delay = "delay.running"
        /// The security delay runs, and nobody knows how long.
        case delayUnknown = "delay.unknown"
        /// The security delay is over.
        case delayEnded = "delay.ended"
        /// A long operation goes on: `{percent}`.
        case progress = "progress"
        /// Commands are encrypted: `{mode}`.
        case encryption = "encryption"
        /// The access code is asked for.
        case accessCode = "code.access"
        /// The passcode is asked for.
        case passcode = "code.passcode"
        /// The last code was wrong.
        case wrongCode = "code.wrong"
        /// Hardware trouble: `{code}`.
        case health = "card.health"
        /// What was proven: `{outcome}`.
        case attested = "card.attested"
    }

    /// Texts of the caller's own, by key.
    public var replacements: [Key: String] = [:]
    /// Sentences for errors of the caller's own, by kind.
    public var errors: [TangemError.Kind: String] = [:]

    /// Makes the usual texts.
    public init() {}

    /// A text with its values.
    ///
    /// - Parameters:
    ///   - key: Which text.
    ///   - values: What stands for the words in braces.
    /// - Returns: The text.
    public func text(_ key: Key, _ values: [String: String] = [:]) -> String {
        var text = replacements[key] ?? Self.usual[key] ?? key.rawValue
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            text = text.split(separator: "{\(name)}", omittingEmptySubsequences: false).joined(
                separator: value
            )
        }
        return text
    }

    /// The sentence of an error.
    public func sentence(_ error: TangemError) -> String {
        errors[error.kind] ?? error.description
    }

    /// The text of an event; nil for those that nobody needs to read.
    public func line(_ event: SessionEvent) -> String? {
        switch event {
        case .started(let message): message ?? text(.started)
        case .tagConnected: text(.tagConnected)
        case .tagLost: text(.tagLost)
        case .wrongCard(nil, let wanted): text(.unknownCard, ["wanted": "\(wanted)"])
        case .wrongCard(let found?, let wanted):
            text(.wrongCard, ["found": "\(found)", "wanted": "\(wanted)"])
        case .delay(let remaining?, let total):
            text(.delay, ["remaining": Self.seconds(remaining), "total": Self.seconds(total ?? remaining)])
        case .delay(nil, _): text(.delayUnknown)
        case .delayEnded: text(.delayEnded)
        case .progress(let percent): text(.progress, ["percent": "\(percent)"])
        case .encryption(let mode): text(.encryption, ["mode": "\(mode)"])
        case .codeRequested(let request):
            (request.isWrong ? text(.wrongCode) + " " : "")
                + text(request.kind == .accessCode ? .accessCode : .passcode)
        case .health(let code): text(.health, ["code": "\(code)"])
        case .attested(let attestation): text(.attested, ["outcome": attestation.overall.rawValue])
        case .stopped(let message, nil): message ?? text(.done)
        case .stopped(_, let error?): text(.failed, ["error": sentence(error)])
        }
    }

    private static func seconds(_ milliseconds: Int) -> String { "\((milliseconds + 999) / 1000)" }

    private static let usual: [Key: String] = [
        .started: "Put the card on the reader.",
        .done: "Done, take the card away.",
        .failed: "Stopped: {error}.",
        .tagConnected: "Card found, keep it still.",
        .tagLost: "Card lost, put it back.",
        .wrongCard: "This is card {found}; put card {wanted} on the reader.",
        .unknownCard: "This is another card; put card {wanted} on the reader.",
        .delay: "Security delay: {remaining} of {total} s left.",
        .delayUnknown: "Security delay, keep the card still.",
        .delayEnded: "Security delay over.",
        .progress: "{percent} %",
        .encryption: "The card asked for encryption ({mode}).",
        .accessCode: "Enter the access code:",
        .passcode: "Enter the passcode:",
        .wrongCode: "The code was wrong.",
        .health: "The card found trouble in its hardware ({code}); replace it soon.",
        .attested: "Proofs of the card: {outcome}.",
    ]
}
