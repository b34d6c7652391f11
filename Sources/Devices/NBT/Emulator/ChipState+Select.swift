// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// SELECT of an application or a file; never answers data.
    ///
    /// A SELECT that fails leaves the selection as it was.
    mutating func select(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        // Le is absent or 00: the libraries differ, and a real device takes both.
        guard !command.isExtended, command.ne == 0 || command.ne == CommandAPDU.shortNeLimit else {
            return .status(NBTStatus.wrongLength)
        }
        switch (command.p1, command.p2) {
        case (NBTInstruction.selectByName, 0x00): return selectApplication(command.data, on: face)
        case (NBTInstruction.selectByID, NBTInstruction.selectWithoutFCI):
            return selectFile(command.data, on: face)
        default: return .status(NBTStatus.wrongParameters)
        }
    }

    private mutating func selectApplication(_ identifier: [UInt8], on face: ChipInterface) -> ChipReply {
        guard Self.identifierLengths.contains(identifier.count) else { return .status(NBTStatus.wrongLength) }
        switch identifier {
        case NBTApplication.tag: self[face].select(.tag)
        case NBTApplication.configurator: self[face].select(.configurator)
        default: return .status(NBTStatus.notFound)
        }
        return ChipReply()
    }

    private mutating func selectFile(_ data: [UInt8], on face: ChipInterface) -> ChipReply {
        guard Self.fileDataLengths.contains(data.count) else { return .status(NBTStatus.wrongLength) }
        guard Self.arePasswordsWellFormed(data.dropFirst(2)) else { return .status(NBTStatus.wrongData) }
        let file = NBTFile(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
        guard self[face].application == .tag, files[file] != nil else { return .status(NBTStatus.notFound) }
        self[face].select(file: file)
        return ChipReply()
    }

    /// Whether what follows the file id is `52 04 password`, `54 04 password`, or both in that order.
    private static func arePasswordsWellFormed(_ data: ArraySlice<UInt8>) -> Bool {
        let tags = stride(from: data.startIndex, to: data.endIndex, by: 6).map { start in
            data[start + 1] == 4 ? data[start] : 0
        }
        let read = NBTInstruction.readPasswordTag
        let write = NBTInstruction.writePasswordTag
        return tags.isEmpty || tags == [read] || tags == [write] || tags == [read, write]
    }

    /// Source: ISO/IEC 7816-4:2013 §8.2.1.2, an application identifier has 5 to 16 bytes.
    private static let identifierLengths = 5...16
    /// A file id alone, with one password, or with two.
    private static let fileDataLengths: Set<Int> = [2, 8, 14]
}
