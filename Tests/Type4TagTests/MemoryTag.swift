// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard

/// A tag of a few lines: a container, an NDEF file, and the three commands of a Type 4 Tag.
///
/// It checks MLe and MLc, and can be lost after a number of writes.
final class MemoryTag {
    var ndefFile: [UInt8]
    var writesUntilLoss: Int?
    private let container: [UInt8]
    private var selected: [UInt8] = []

    init(largestRead: Int, largestWrite: Int, size: Int) {
        func two(_ value: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        container =
            [0x00, 0x0F, 0x20] + two(largestRead) + two(largestWrite) + [0x04, 0x06, 0xE1, 0x04] + two(size)
            + [0x00, 0x00]
        ndefFile = [UInt8](repeating: 0, count: size)
    }

    func answer(_ hex: String) throws -> [UInt8] {
        let command = try CommandAPDU(bytes: try HexText.bytes(hex))
        let offset = Int(command.p1) << 8 | Int(command.p2)
        let largestRead = Int(container[3]) << 8 | Int(container[4])
        let largestWrite = Int(container[5]) << 8 | Int(container[6])
        switch command.ins {
        case 0xA4:
            selected = command.data
            return [0x90, 0x00]
        case 0xB0:
            let file = selected == [0xE1, 0x03] ? container : ndefFile
            guard command.ne <= largestRead, offset + command.ne <= file.count else { return [0x67, 0x00] }
            return Array(file[offset..<offset + command.ne]) + [0x90, 0x00]
        case 0xD6:
            if writesUntilLoss == 0 { throw TransportFault(.cardRemoved, "the card left the reader") }
            writesUntilLoss = writesUntilLoss.map { $0 - 1 }
            guard command.nc <= largestWrite, offset + command.nc <= ndefFile.count else {
                return [0x67, 0x00]
            }
            ndefFile.replaceSubrange(offset..<offset + command.nc, with: command.data)
            return [0x90, 0x00]
        default:
            return [0x6D, 0x00]
        }
    }
}
