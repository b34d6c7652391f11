// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// SET CONFIGURATION: `tag(2) length value`; what is set counts after the next reset.
    mutating func setConfiguration(_ command: CommandAPDU) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case3Short, command.nc >= 3 else { return .status(NBTStatus.wrongLength) }
        let tag = ConfigurationTag(rawValue: UInt16(command.data[0]) << 8 | UInt16(command.data[1]))
        let value = Array(command.data.dropFirst(3))
        guard let current = configuration[tag], Int(command.data[2]) == value.count,
            value.count == current.count
        else { return .status(NBTStatus.wrongData) }
        guard !Self.fixedSettings.contains(tag) else { return .status(NBTStatus.conditionsNotSatisfied) }
        if let allowed = Self.allowedValues[tag], !allowed.contains(value) {
            return .status(NBTStatus.wrongData)
        }
        // The flash loader, once off, stays off.
        if tag == .flashLoader, current == Self.flashLoaderOff, value != current {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        configuration[tag] = value
        return ChipReply(written: value.count)
    }

    /// GET CONFIGURATION: the tag alone in the command, tag, length and value in the answer.
    func getConfiguration(_ command: CommandAPDU) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case3Short, command.nc == 2 else { return .status(NBTStatus.wrongLength) }
        let tag = ConfigurationTag(rawValue: UInt16(command.data[0]) << 8 | UInt16(command.data[1]))
        guard let value = configuration[tag] else { return .status(NBTStatus.wrongData) }
        return ChipReply(data: command.data + [Self.low(value.count)] + value)
    }

    private static let fixedSettings: Set<ConfigurationTag> = [
        .productShortName, .lifeCycle, .softwareVersion,
    ]

    private static let flashLoaderOff: [UInt8] = [0xFF, 0xFF]

    private static let allowedValues: [ConfigurationTag: [[UInt8]]] = [
        .flashLoader: [[0xAC, 0x95], flashLoaderOff],
        .gpioFunction: [[1], [2], [3], [4]],
        .gpioActiveLevel: [[1], [2]],
        .gpioOutput: [[1], [2]],
        .gpioPull: [[1], [2], [3]],
        .nfcInterruptEvent: [[1], [2], [3]],
        .i2cDrive: [[1], [2]],
        .i2cSpeed: [[1], [2]],
        .uidKind: [[0], [1]],
        .interfaces: [[0x01], [0x10], [bothInterfaces]],
    ]
}
