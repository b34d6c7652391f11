// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// Takes the encryption off a command's body; refuses a mode that the settings do not allow.
    ///
    /// The key hangs on the access code: what does not open most likely comes from a host with a wrong one.
    mutating func open(_ command: CommandAPDU) throws(Stop) -> [UInt8] {
        guard (TangemEncryption.none...TangemEncryption.strong).contains(command.p1) else {
            throw .parameters
        }
        guard isAllowed(command.p1) || isRecovery(command) else {
            throw .refused(TangemStatus.needEncryption)
        }
        guard command.p1 != TangemEncryption.none else { return command.data }
        // A host that lost its session (or never had one in this mode) opens one at this answer.
        guard let session = field.session, session.mode == command.p1 else {
            throw .refused(TangemStatus.needEncryption)
        }
        guard let body = session.open(command.data) else {
            if settings.countsUnreadable { try countWrongAccessCode() }
            throw .parameters
        }
        return body
    }

    /// Whether a command in the clear belongs to the recovery of a lost access code, without which nobody has a key.
    private func isRecovery(_ command: CommandAPDU) -> Bool {
        guard settings.recoversInClear, command.p1 == TangemEncryption.none else { return false }
        return switch TangemInstruction(rawValue: command.ins) {
        case .authorize: true
        case .setPIN: field.mayResetCodes
        default: false
        }
    }

    /// Encrypts the data of an answer as its command was.
    func seal(_ data: [UInt8], _ command: CommandAPDU) throws(Stop) -> [UInt8] {
        var sealed = data
        var limit = TangemLimits.largestAnswer
        if TangemInstruction(rawValue: command.ins) == .personalize, field.application == .wallet {
            sealed = try inside { try SessionCipher.personalization.seal(data) }
        } else if command.p1 != TangemEncryption.none, command.p1 <= TangemEncryption.strong,
            let session = field.session, field.application == .wallet, isSealed(command.ins),
            !data.isEmpty
        {
            sealed = try inside { try session.seal(data) }
            limit = TangemLimits.largestEncryptedAnswer
        }
        guard sealed.count <= limit else { throw .refused(TangemStatus.errorProcessingCommand) }
        return sealed
    }

    /// Bytes of data objects that fit into one answer in either mode.
    ///
    /// Length, check value and padding take up to 20 of the encrypted ones.
    var roomInAnswer: Int { TangemLimits.largestEncryptedAnswer - 20 }

    func isAllowed(_ mode: UInt8) -> Bool {
        // A blank card has no settings yet.
        guard let settings = memory.identity?.settings else { return true }
        return switch mode {
        case TangemEncryption.none: settings.contains(.allowUnencrypted)
        case TangemEncryption.fast: settings.contains(.allowFastEncryption)
        default: true
        }
    }

    private func isSealed(_ ins: UInt8) -> Bool {
        let instruction = TangemInstruction(rawValue: ins)
        return instruction != .select && instruction != .openSession && instruction != .depersonalize
    }
}
