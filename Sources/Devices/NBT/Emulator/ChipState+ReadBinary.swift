// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// READ BINARY: up to Le bytes (`00` means 256), cut at the end of the file.
    func readBinary(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard let file = self[face].file, let content = files[file] else {
            return .status(NBTStatus.noFileSelected)
        }
        guard command.form == .case2Short else { return .status(NBTStatus.wrongLength) }
        guard isAllowed(toWrite: false, file: file, over: face) else {
            return .status(NBTStatus.securityNotSatisfied)
        }
        let offset = command.p1p2
        guard offset < content.count else { return .status(NBTStatus.wrongLength) }
        return ChipReply(data: Array(content[offset..<min(offset + command.ne, content.count)]))
    }
}
