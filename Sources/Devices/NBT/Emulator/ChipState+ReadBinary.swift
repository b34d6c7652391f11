// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// READ BINARY: up to Le bytes (`00` means 256), cut at the end of the file.
    mutating func readBinary(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard let file = self[face].file, let size = memory.files[file]?.count else {
            return .status(NBTStatus.noFileSelected)
        }
        guard command.form == .case2Short else { return .status(NBTStatus.wrongLength) }
        guard isAllowed(toWrite: false, file: file, over: face) else {
            return .status(NBTStatus.securityNotSatisfied)
        }
        let offset = command.p1p2
        guard let range = rules.access.readRange(offset, command.ne, size)?.clamped(to: 0..<size) else {
            return .status(NBTStatus.wrongLength)
        }
        if file == .ndef {
            if offset == 0, settings.tokenRefresh == .read { refreshToken(of: face) }
            if self[face].token != nil { return ChipReply(data: Array(messageFile(seenBy: face)[range])) }
        }
        return ChipReply(data: Array((memory.files[file] ?? [])[range]))
    }
}
