// SPDX-License-Identifier: MIT

import CardConnection
import NBT
import NBTConstants
import SmartCard

/// Commands to the chip that cannot be undone.
enum NBTDanger {
    /// What a command does for good; nil when all of it can be undone.
    ///
    /// - Parameters:
    ///   - command: The command, also one that is not well formed.
    ///   - file: The file that is selected; nil when nobody knows.
    /// - Returns: The loss, in a few words.
    static func text(of command: [UInt8], selected file: NBTFile?) -> String? {
        guard command.count > 4 else { return nil }
        let data = (try? CommandAPDU(bytes: command))?.data ?? Array(command.dropFirst(5))
        switch (command[0], command[1]) {
        case (NBTInstruction.configuratorClass, NBTInstruction.setConfiguration): return setting(data)
        case (_, NBTInstruction.personalizeData): return group(data)
        case (_, NBTInstruction.updateBinary) where file == nil || file == .accessPolicy:
            return locksPolicy(data) ? policyText : nil
        default: return nil
        }
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

    private static func group(_ data: [UInt8]) -> String? {
        guard data.count > 1 else { return nil }
        let group = PersonalizationGroup(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
        switch group {
        case .finalize: return "the end of personalization"
        case .cottKey, .eccKey: return "the loss of the key that the chip has"
        default: break
        }
        guard group.rawValue == NBTFile.accessPolicy.rawValue else { return nil }
        let records = data.dropFirst(3)
        let size = AccessPolicyLayout.recordSize
        let locks = stride(from: records.startIndex, to: records.endIndex, by: size).contains {
            locksPolicy(Array(records[$0..<min($0 + size, records.endIndex)]))
        }
        return locks ? policyText : nil
    }

    /// True for a record by which nobody may change the policy any more over one of the interfaces.
    private static func locksPolicy(_ record: [UInt8]) -> Bool {
        guard record.count == AccessPolicyLayout.recordSize,
            let policy = try? FileAccessPolicy(
                file: NBTFile(rawValue: UInt16(record[0]) << 8 | UInt16(record[1])),
                rights: Array(record[2...])
            )
        else { return false }
        return policy.file == .accessPolicy && [policy.i2cWrite, policy.nfcWrite].contains(.never)
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
        guard !session.allowsDestruction, let what = NBTDanger.text(of: command, selected: file) else {
            return
        }
        throw .fault(
            TransportFault(
                .permission,
                "\(what) cannot be undone on a real card, and \(session.destructionRule.reason)",
                hint: session.destructionRule.hint
            )
        )
    }
}
