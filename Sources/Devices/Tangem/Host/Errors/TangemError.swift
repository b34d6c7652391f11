// SPDX-License-Identifier: MIT

public import CardConnection
public import SmartCard
import TangemConstants

/// Why something with the card did not work.
public struct TangemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let kind: Kind
    /// More than the kind tells; empty when there is nothing to add.
    public let detail: String
    /// The command that it happened at, for example `SIGN`; nil outside of commands.
    public var command: String?
    /// The status word that the card gave, nil when none is behind it.
    public let sw: StatusWord?
    /// The trouble between host and card, nil when the card itself answered.
    public let fault: TransportFault?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - detail: What the kind does not tell.
    ///   - command: The command that it happened at.
    ///   - sw: The status word behind it.
    ///   - fault: The trouble on the way to the card.
    public init(
        _ kind: Kind,
        _ detail: String = "",
        command: String? = nil,
        sw: StatusWord? = nil,
        fault: TransportFault? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.command = command
        self.sw = sw
        self.fault = fault
    }

    /// The error of a fault between host and card.
    public init(_ fault: TransportFault) {
        let kind: Kind =
            switch fault.kind {
            case .cardRemoved, .noCard, .cardReset: .tagLost
            case .timeout, .cardMute: .nfcTimeout
            case .limit: .extendedLengthNotSupported
            default: .nfcReaderError
            }
        self.init(kind, fault.description, fault: fault)
    }

    /// The error of a status word, before a command gives it a meaning of its own; nil for those that say "done".
    public init?(sw: StatusWord) {
        switch sw {
        case TangemStatus.completed, TangemStatus.pin1Changed, TangemStatus.pin2Changed,
            TangemStatus.pin3Changed, TangemStatus.pins12Changed, TangemStatus.pins13Changed,
            TangemStatus.pins23Changed, TangemStatus.pins123Changed:
            return nil
        case TangemStatus.errorProcessingCommand: self.init(.errorProcessingCommand, sw: sw)
        case TangemStatus.needEncryption: self.init(.needEncryption, sw: sw)
        case TangemStatus.invalidState: self.init(.invalidState, sw: sw)
        case TangemStatus.fileNotFound: self.init(.fileNotFound, sw: sw)
        case TangemStatus.invalidParameters: self.init(.invalidParams, sw: sw)
        case TangemStatus.walletNotFound: self.init(.walletNotFound, sw: sw)
        case TangemStatus.walletAlreadyExists: self.init(.walletAlreadyCreated, sw: sw)
        case TangemStatus.invalidAccessCode: self.init(.accessCodeRequired, sw: sw)
        case TangemStatus.invalidPasscode: self.init(.passcodeRequired, sw: sw)
        case TangemStatus.instructionNotSupported: self.init(.insNotSupported, sw: sw)
        default: self.init(.unknownStatus, sw: sw)
        }
    }

    /// Whether the card went away, so that it can be looked for.
    ///
    /// A link without an answer is one of a card that vanished: PC/SC calls it a success with no bytes.
    var isLoss: Bool {
        switch fault?.kind {
        case .cardRemoved, .cardReset, .noCard, .transport: true
        default: false
        }
    }

    /// The name, for example `walletNotFound`.
    public var name: String { kind.name }

    /// The number, for example 30008.
    public var code: Int { kind.code }

    /// The same error with the command that it happened at, when none was known.
    func during(_ command: String) -> TangemError {
        guard self.command == nil else { return self }
        var error = self
        error.command = command
        return error
    }

    /// What happened, where, and what to do.
    public var description: String {
        var text = command.map { "\($0): " } ?? ""
        text += kind.sentence
        if !detail.isEmpty { text += "; \(detail)" }
        text += " (\(name), \(code)"
        if let sw { text += ", status word \(sw)" }
        return text + ")"
    }
}
