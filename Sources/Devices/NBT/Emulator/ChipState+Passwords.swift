// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// What came out of a command's right to change passwords.
    private enum MasterCheck {
        case passed
        case missing
        case wrong
        case blocked
    }

    /// CREATE PASSWORD: id, value, response and limit, the master password in front where it is needed.
    mutating func createPassword(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        let hasMaster = command.nc == PasswordEntry.size + PasswordLimits.valueSize
        guard command.form == .case3Short, hasMaster || command.nc == PasswordEntry.size else {
            return .status(NBTStatus.wrongLength)
        }
        let master = hasMaster ? Array(command.data.prefix(PasswordLimits.valueSize)) : nil
        guard checkMaster(master, for: command.ins, on: face) == .passed else {
            return .status(NBTStatus.securityNotSatisfied)
        }
        return store(Array(command.data.suffix(PasswordEntry.size)), on: face)
    }

    /// Takes over a new password: by CREATE PASSWORD, or in personalization.
    mutating func store(_ bytes: [UInt8], on face: ChipInterface) -> ChipReply {
        let entry = PasswordEntry(bytes)
        guard rules.passwords.isID(entry.id), rules.passwords.isResponse(entry.password.response),
            rules.passwords.isLimit(entry.password.limit, settings.highestPasswordLimit)
        else { return .status(NBTStatus.wrongData) }
        guard rules.passwords.mayReplace || memory.passwords[entry.id] == nil,
            memory.passwords.count < rules.passwords.countLimit
        else { return .status(NBTStatus.conditionsNotSatisfied) }
        return commit(PasswordEntry.size, on: face) { $0.passwords[entry.id] = entry.password }
    }

    /// DELETE PASSWORD: the id in P2.
    mutating func deletePassword(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.p1 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case1 || Self.isMasterAlone(command) else {
            return .status(NBTStatus.wrongLength)
        }
        let id = command.p2
        guard memory.passwords[id] != nil else { return .status(NBTStatus.referenceNotFound) }
        let master = command.data.isEmpty ? nil : command.data
        guard checkMaster(master, for: command.ins, on: face) == .passed else {
            return .status(NBTStatus.securityNotSatisfied)
        }
        return commit(1, on: face) { $0.passwords[id] = nil }
    }

    /// CHANGE PASSWORD and UNBLOCK PASSWORD: bits 8 and 7 of P2 tell them apart.
    mutating func changePassword(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        let kind = command.p2 & 0xC0
        guard command.p1 == 0, kind == 0 || kind == NBTInstruction.changePasswordFlag else {
            return .status(NBTStatus.wrongParameters)
        }
        let isChange = kind != 0
        let size = PasswordLimits.valueSize
        let isWellFormed =
            isChange
            ? command.form == .case3Short && [size, 2 * size].contains(command.nc)
            : command.form == .case1 || Self.isMasterAlone(command)
        guard isWellFormed else { return .status(NBTStatus.wrongLength) }
        let id = command.p2 & 0x3F
        guard let stored = memory.passwords[id] else { return .status(NBTStatus.referenceNotFound) }
        let master = command.data.dropLast(isChange ? size : 0)
        switch checkMaster(master.isEmpty ? nil : Array(master), for: command.ins, on: face) {
        case .passed: break
        case .wrong: return .status(settings.wrongMaster)
        case .missing, .blocked: return .status(NBTStatus.conditionsNotSatisfied)
        }
        guard isChange else {
            let left = rules.passwords.triesAfterUnblock(stored.triesLeft, stored.limit)
            return commit(1, on: face) { $0.passwords[id]?.triesLeft = left }
        }
        guard !rules.passwords.isBlocked(stored.triesLeft) else {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        let value = Array(command.data.suffix(size))
        return commit(size, on: face) { $0.passwords[id]?.value = value }
    }

    private static func isMasterAlone(_ command: CommandAPDU) -> Bool {
        command.form == .case3Short && command.nc == PasswordLimits.valueSize
    }

    /// Whether a command may change passwords: where a password rules the writing of the policy, that one is needed.
    private mutating func checkMaster(
        _ value: [UInt8]?,
        for instruction: UInt8,
        on face: ChipInterface
    ) -> MasterCheck {
        guard let table = memory.files[.accessPolicy],
            let record = PolicyRecord(of: .accessPolicy, in: table)
        else { return .missing }
        let right = record.right(toWrite: true, over: face)
        guard rules.passwords.needsMaster(instruction, right) else { return .passed }
        guard let value else { return .missing }
        return switch verify(value, against: right & AccessByte.passwordMask) {
        case .right: .passed
        case .wrong: .wrong
        case .blocked: .blocked
        }
    }
}

/// The nine bytes that make a password: id, value, response, limit.
struct PasswordEntry {
    let id: UInt8
    let password: StoredPassword

    /// Takes the bytes apart; there are ``size`` of them.
    init(_ bytes: [UInt8]) {
        id = bytes[0]
        let limit = UInt16(bytes[7]) << 8 | UInt16(bytes[8])
        password = StoredPassword(
            value: Array(bytes[1..<5]),
            response: Array(bytes[5..<7]),
            limit: limit,
            triesLeft: limit
        )
    }

    static let size = 9
}
