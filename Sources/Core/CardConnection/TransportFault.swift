// SPDX-License-Identifier: MIT

/// The kinds of trouble between the rig and a card.
///
/// The raw value is the word in traces, scenarios and JSON.
public enum FaultKind: String, Hashable, Sendable, CaseIterable {
    /// The exchange failed: link lost, answer unusable.
    case transport
    /// No answer before the deadline.
    case timeout
    /// The card left the reader.
    case cardRemoved = "card-removed"
    /// The card is there and does not answer.
    case cardMute = "card-mute"
    /// Somebody else reset the card.
    case cardReset = "card-reset"
    /// The reader was unplugged.
    case readerRemoved = "reader-removed"
    /// No card in the reader.
    case noCard = "no-card"
    /// No such reader.
    case noReader = "no-reader"
    /// The reader is held by somebody else.
    case busy
    /// The PC/SC service is not there.
    case service
    /// The reader may not be used by this user.
    case permission
    /// Reader and card share no protocol.
    case `protocol`
    /// The APDU is longer than the reader or the card takes.
    case limit
    /// A retry counter stands at its floor; the command was not sent.
    case guarded = "guard"
    /// The debug probe is gone.
    case probe
    /// A relay, button or other control program failed.
    case control

    /// The type word in JUnit reports.
    public var junitType: String {
        switch self {
        case .transport: "LinkLost"
        case .timeout: "RigTimeout"
        case .cardRemoved: "CardRemoved"
        case .cardMute: "CardMute"
        case .cardReset: "CardReset"
        case .readerRemoved: "ReaderGone"
        case .noCard: "CardAbsent"
        case .noReader: "ReaderAbsent"
        case .busy: "ReaderBusy"
        case .service: "ServiceGone"
        case .permission: "NotPermitted"
        case .protocol: "ProtocolMismatch"
        case .limit: "LengthLimit"
        case .guarded: "RetryGuard"
        case .probe: "ProbeGone"
        case .control: "ControlFailed"
        }
    }
}

/// Trouble between the rig and a card: what happened, and the way out.
///
/// A status word is never a fault; a response below two bytes always is.
public struct TransportFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble.
    public let kind: FaultKind
    /// What happened, for example `no answer in 5000 ms`.
    public let detail: String
    /// What to do about it; empty when there is nothing to say.
    public let hint: String
    /// The code of the layer below, for example the PC/SC result `0x80100016`; nil when there is none.
    public let code: UInt32?

    /// Makes a fault.
    public init(_ kind: FaultKind, _ detail: String, hint: String = "", code: UInt32? = nil) {
        self.kind = kind
        self.detail = detail
        self.hint = hint
        self.code = code
    }

    /// One sentence: what happened and what to do.
    public var description: String {
        hint.isEmpty ? detail : "\(detail); \(hint)"
    }
}
