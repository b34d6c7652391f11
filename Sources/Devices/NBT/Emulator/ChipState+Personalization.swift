// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
import SmartCard

extension ChipState {
    /// PERSONALIZE DATA and FINALIZE PERSONALIZATION: group identifier, length, data.
    mutating func personalize(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.nc > 0, !command.isExtended else { return .status(NBTStatus.wrongLength) }
        guard rules.lifeCycle.isPersonalizable(memory.lifeCycle) else {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        guard command.ne == 0, let (group, data) = Self.group(command.data) else {
            return .status(NBTStatus.wrongData)
        }
        switch group {
        case .cottKey:
            guard data.count == rules.lifeCycle.cottKeySize else { return .status(NBTStatus.wrongData) }
            return commit(data.count, on: face) { $0.cottKey = data }
        case .eccKey:
            return personalizeKey(data, on: face)
        case .password:
            guard data.count == PasswordEntry.size else { return .status(NBTStatus.wrongData) }
            return store(data, on: face)
        case .finalize:
            guard data.isEmpty else { return .status(NBTStatus.wrongData) }
            return finalize(on: face)
        default:
            return personalizeFile(NBTFile(rawValue: group.rawValue), data, on: face)
        }
    }

    private mutating func personalizeKey(_ data: [UInt8], on face: ChipInterface) -> ChipReply {
        guard settings.hasECC else { return .status(NBTStatus.conditionsNotSatisfied) }
        guard data.count == rules.lifeCycle.eccKeySize, Self.isKey(data) else {
            return .status(NBTStatus.wrongData)
        }
        return commit(data.count, on: face) { $0.eccKey = data }
    }

    private mutating func personalizeFile(
        _ file: NBTFile,
        _ data: [UInt8],
        on face: ChipInterface
    ) -> ChipReply {
        switch file {
        case .accessPolicy:
            guard isPolicy(data) else { return .status(NBTStatus.wrongData) }
            return commit(data.count, on: face) { $0.files[.accessPolicy] = data }
        case .ndef, .file1, .file2, .file3, .file4:
            guard !data.isEmpty, data.count <= memory.files[file]?.count ?? 0 else {
                return .status(NBTStatus.wrongData)
            }
            return write(data, to: file, at: 0, on: face)
        default:
            return .status(NBTStatus.referenceNotFound)
        }
    }

    private mutating func finalize(on face: ChipInterface) -> ChipReply {
        let lifeCycle = rules.lifeCycle.finalized(memory.lifeCycle)
        let userFiles: [NBTFile] = settings.keepsFilesOnFinalize ? [] : [.file1, .file2, .file3, .file4]
        let fill = settings.userFileFill
        return commit(1, on: face) { memory in
            memory.lifeCycle = lifeCycle
            for file in userFiles {
                memory.files[file] = [UInt8](repeating: fill, count: file.size ?? 0)
            }
        }
    }

    /// Whether bytes are a whole policy: the seven records in their order, with rights that there are.
    func isPolicy(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == AccessPolicyLayout.tableSize else { return false }
        return NBTFile.all.enumerated().allSatisfy { index, file in
            let record = bytes.dropFirst(index * AccessPolicyLayout.recordSize)
                .prefix(AccessPolicyLayout.recordSize)
            return record.starts(with: file.idBytes) && record.dropFirst(2).allSatisfy(rules.access.isRight)
        }
    }

    /// Whether bytes are a private key of P-256.
    static func isKey(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try PrivateKey(bytes, curve: .secp256r1)
            return true
        } catch {
            return false
        }
    }

    /// Reads identifier and length: one byte, or `FF` and two.
    private static func group(_ bytes: [UInt8]) -> (PersonalizationGroup, [UInt8])? {
        guard bytes.count >= 3 else { return nil }
        let group = PersonalizationGroup(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard bytes[2] == 0xFF else {
            return bytes.count == 3 + Int(bytes[2]) ? (group, Array(bytes.dropFirst(3))) : nil
        }
        guard bytes.count >= 5, bytes.count == 5 + (Int(bytes[3]) << 8 | Int(bytes[4])) else { return nil }
        return (group, Array(bytes.dropFirst(5)))
    }
}
