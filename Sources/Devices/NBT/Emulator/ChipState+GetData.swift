// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// GET DATA: version of the application or free memory, each in a template.
    func getData(_ command: CommandAPDU) -> ChipReply {
        let content: [UInt8]
        switch UInt16(truncatingIfNeeded: command.p1p2) {
        case NBTInstruction.versionObject:
            content = settings.version
        case NBTInstruction.memoryObject:
            content =
                Self.counter(NBTInstruction.persistentMemoryTag, settings.persistentMemory)
                + Self.counter(NBTInstruction.clearOnResetMemoryTag, settings.clearOnResetMemory)
                + Self.counter(NBTInstruction.clearOnDeselectMemoryTag, settings.clearOnDeselectMemory)
        default:
            return .status(NBTStatus.wrongParameters)
        }
        guard command.form == .case2Short, command.ne == CommandAPDU.shortNeLimit else {
            return .status(NBTStatus.wrongLength)
        }
        let object = [command.p1, command.p2, Self.low(content.count)] + content
        return ChipReply(data: [NBTInstruction.objectTemplate, Self.low(object.count)] + object)
    }

    private static func counter(_ tag: UInt8, _ value: Int) -> [UInt8] { [tag, 2, high(value), low(value)] }
}
