// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// UPDATE BINARY: writes into the selected file, or replaces one record of the access policy.
    mutating func updateBinary(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard let file = self[face].file, let size = memory.files[file]?.count else {
            return .status(NBTStatus.noFileSelected)
        }
        guard command.form == .case3Short else { return .status(NBTStatus.wrongLength) }
        guard isAllowed(toWrite: true, file: file, over: face) else {
            return .status(NBTStatus.securityNotSatisfied)
        }
        if file == .accessPolicy { return updatePolicy(command.data, on: face) }
        let start = command.p1p2
        guard rules.access.mayStart(start, size) else { return .status(NBTStatus.wrongParameters) }
        let end = start + command.nc
        guard rules.access.mayEnd(end, size), end <= size else { return .status(NBTStatus.wrongLength) }
        if file == .capabilityContainer, !rules.access.isContainerWritable(start..<end) {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        return write(command.data, to: file, at: start, on: face)
    }

    /// Replaces the record whose file id the data begin with; the offset of the command does not matter.
    private mutating func updatePolicy(_ record: [UInt8], on face: ChipInterface) -> ChipReply {
        guard record.count == AccessPolicyLayout.recordSize,
            record.dropFirst(2).allSatisfy(rules.access.isRight)
        else { return .status(NBTStatus.wrongData) }
        let file = NBTFile(rawValue: UInt16(record[0]) << 8 | UInt16(record[1]))
        guard let table = memory.files[.accessPolicy],
            let start = PolicyRecord.offset(of: file, in: table)
        else {
            return .status(NBTStatus.wrongData)
        }
        return write(record, to: .accessPolicy, at: start, on: face)
    }
}
