// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// SET CONFIGURATION: `tag(2) length value`; what is set counts after the next reset.
    mutating func setConfiguration(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case3Short, command.nc >= 3 else { return .status(NBTStatus.wrongLength) }
        let tag = ConfigurationTag(rawValue: UInt16(command.data[0]) << 8 | UInt16(command.data[1]))
        let value = Array(command.data.dropFirst(3))
        guard let current = memory.configuration[tag], Int(command.data[2]) == value.count,
            value.count == current.count
        else { return .status(NBTStatus.wrongData) }
        guard rules.configurator.isWritable(tag),
            settings.isConfigurableInOperation || memory.lifeCycle == LifeCycleWord.personalization
        else { return .status(NBTStatus.conditionsNotSatisfied) }
        guard rules.configurator.isAllowed(tag, value) else { return .status(NBTStatus.wrongData) }
        // The flash loader, once off, stays off.
        if tag == .flashLoader, current == ConfiguratorValues.flashLoaderOff, value != current {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        let reply = commit(value.count, on: face) { $0.configuration[tag] = value }
        if rules.configurator.countsAtOnce { active = memory.configuration }
        return reply
    }

    /// The length before a value: one byte, or `FF` and two.
    private static func lengthField(_ count: Int) -> [UInt8] {
        count < 0xFF ? [low(count)] : [0xFF, high(count), low(count)]
    }

    /// GET CONFIGURATION: the tag alone in the command, tag, length and value in the answer.
    func getConfiguration(_ command: CommandAPDU) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case3Short, command.nc == 2 else { return .status(NBTStatus.wrongLength) }
        let tag = ConfigurationTag(rawValue: UInt16(command.data[0]) << 8 | UInt16(command.data[1]))
        guard let value = memory.configuration[tag] else { return .status(NBTStatus.wrongData) }
        let length = Self.lengthField(value.count)
        let answer = command.data + length + value
        // One setting is longer than what a short answer holds.
        guard answer.count <= CommandAPDU.shortNeLimit || settings.sendsLongSettings else {
            return .status(NBTStatus.wrongLength)
        }
        return ChipReply(data: answer)
    }
}
