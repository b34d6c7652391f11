// SPDX-License-Identifier: MIT

import CardConnection
import NBT
import NBTConstants
import SmartCard

/// Commands to the chip that cannot be undone.
enum NBTDanger {
    /// What is known of the chip's passwords.
    struct Passwords {
        /// Those by which the policy may be changed; nil when nobody has looked.
        let masters: Set<UInt8>?
        /// Whether the chip has a password for certain.
        let knows: (UInt8) -> Bool
    }

    /// What a command does for good; nil when all of it can be undone.
    ///
    /// - Parameters:
    ///   - command: The command, also one that is not well formed.
    ///   - file: The file that is selected; nil when nobody knows.
    ///   - passwords: What is known of the chip's passwords.
    /// - Returns: The loss, in a few words.
    static func text(of command: [UInt8], selected file: NBTFile?, passwords: Passwords) -> String? {
        guard command.count >= 4 else { return nil }
        let data = (try? CommandAPDU(bytes: command))?.data ?? Array(command.dropFirst(5))
        switch (command[0], command[1]) {
        case (NBTInstruction.configuratorClass, NBTInstruction.setConfiguration): return setting(data)
        case (_, NBTInstruction.personalizeData): return group(data, passwords)
        case (_, NBTInstruction.updateBinary) where file == nil || file == .accessPolicy:
            return lock(data, passwords)
        case (_, NBTInstruction.deletePassword):
            return deletion(of: command[3], hasMaster: !data.isEmpty, passwords)
        default: return nil
        }
    }

    /// What makes the refusal needless, beside what the session asks for; nil where nothing does.
    static func wayOut(of command: [UInt8], passwords: Passwords) -> String? {
        guard command.count >= 4, command[1] == NBTInstruction.deletePassword, passwords.masters == nil else {
            return nil
        }
        return "read the policy first with `nbt.policy: {}`, which tells whether the password rules it"
    }

    private static let policyText = "the end of all changes to the access policy"

    private static func setting(_ data: [UInt8]) -> String? {
        guard data.count > 2 else { return nil }
        switch ConfigurationTag(rawValue: UInt16(data[0]) << 8 | UInt16(data[1])) {
        case .lifeCycle: return "a change of the life cycle"
        case .flashLoader: return "a change of the flash loader"
        case .interfaces:
            let keepsNFC = [Interfaces.nfcOnly.bytes, Interfaces.both.bytes].contains(Array(data[3...]))
            return keepsNFC ? nil : "the end of the NFC interface"
        default: return nil
        }
    }

    /// How many bytes stand before the content of a data group: its name, and its length of one or three bytes.
    static func groupHeadSize(_ data: [UInt8]) -> Int {
        data.count > 2 && data[2] == 0xFF ? 5 : 3
    }

    private static func group(_ data: [UInt8], _ passwords: Passwords) -> String? {
        guard data.count > 1 else { return nil }
        let group = PersonalizationGroup(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
        switch group {
        case .finalize: return "the end of personalization"
        case .cottKey, .eccKey: return "the loss of the key that the chip has"
        default: break
        }
        guard group.rawValue == NBTFile.accessPolicy.rawValue else { return nil }
        let records = data.dropFirst(groupHeadSize(data))
        let size = AccessPolicyLayout.recordSize
        return stride(from: records.startIndex, to: records.endIndex, by: size).lazy.compactMap {
            lock(Array(records[$0..<min($0 + size, records.endIndex)]), passwords)
        }.first
    }

    /// What a record takes from those who would change the policy, over one of the interfaces; nil when nothing.
    private static func lock(_ record: [UInt8], _ passwords: Passwords) -> String? {
        guard record.count == AccessPolicyLayout.recordSize,
            let policy = try? FileAccessPolicy(
                file: NBTFile(rawValue: UInt16(record[0]) << 8 | UInt16(record[1])),
                rights: Array(record[2...])
            ),
            policy.file == .accessPolicy
        else { return nil }
        let rights = [policy.i2cWrite, policy.nfcWrite]
        if rights.contains(.never) { return policyText }
        let missing = rights.compactMap(\.passwordID).first {
            passwords.masters?.contains($0) != true && !passwords.knows($0)
        }
        return missing.map { "a policy that asks for password \($0), which the chip may not have," }
    }

    /// What goes with a password.
    private static func deletion(of id: UInt8, hasMaster: Bool, _ passwords: Passwords) -> String? {
        guard let masters = passwords.masters else {
            // Where a password rules the policy, the chip deletes none without it.
            return hasMaster ? "the loss of password \(id), which may be the one that rules the policy," : nil
        }
        return masters.contains(id) ? "the loss of password \(id), which rules the policy," : nil
    }
}

extension VerbCall {
    /// Refuses what cannot be undone on a real card, unless its case is one that may.
    ///
    /// - Parameters:
    ///   - command: The command that would do it.
    ///   - file: The file that will be selected then; nil when nobody knows.
    /// - Throws: The fault `permission`.
    func refuseDanger(of command: [UInt8], selected file: NBTFile?) throws(VerbStop) {
        guard !session.allowsDestruction,
            let what = NBTDanger.text(of: command, selected: file, passwords: session.knownPasswords)
        else { return }
        let way = NBTDanger.wayOut(of: command, passwords: session.knownPasswords)
        throw .fault(
            TransportFault(
                .permission,
                "\(what) cannot be undone on a real card, and \(session.destructionRule.reason)",
                hint: way.map { "\($0), or \(session.destructionRule.hint)" } ?? session.destructionRule.hint
            )
        )
    }
}
