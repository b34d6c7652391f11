// SPDX-License-Identifier: MIT

public import NBTConstants
public import SmartCard

extension NBTCommandBuilder {
    /// The most bytes that a setting can have in one short command: its head takes three.
    public static let configurationLimit = CommandAPDU.shortNcLimit - 3

    /// SET CONFIGURATION; the configurator must be selected.
    ///
    /// - Parameters:
    ///   - tag: The setting.
    ///   - value: Its value, at most 252 bytes.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when the length is wrong, ``NBTError/refused(_:)`` for the flash loader.
    public static func setConfiguration(
        _ tag: ConfigurationTag,
        value: [UInt8]
    ) throws(NBTError) -> CommandAPDU {
        guard tag != .flashLoader else {
            throw .refused(
                "the flash loader is never written: on a series part it cannot be switched back, and the part is lost"
            )
        }
        guard (1...configurationLimit).contains(value.count) else {
            throw .argument(
                "a setting of the configurator has 1 to \(configurationLimit) bytes, not \(value.count)"
            )
        }
        let tagBytes = try split(Int(tag.rawValue))
        return try build(
            cla: NBTInstruction.configuratorClass,
            ins: NBTInstruction.setConfiguration,
            data: [tagBytes.0, tagBytes.1, UInt8(truncatingIfNeeded: value.count)] + value
        )
    }

    /// SET CONFIGURATION of a setting with known values; the configurator must be selected.
    public static func setConfiguration(_ choice: some ConfigurationChoice) throws(NBTError) -> CommandAPDU {
        try setConfiguration(type(of: choice).tag, value: choice.bytes)
    }

    /// GET CONFIGURATION; the configurator must be selected.
    ///
    /// No Le is sent, although data come back.
    public static func getConfiguration(_ tag: ConfigurationTag) throws(NBTError) -> CommandAPDU {
        let tagBytes = try split(Int(tag.rawValue))
        return try build(
            cla: NBTInstruction.configuratorClass,
            ins: NBTInstruction.getConfiguration,
            data: [tagBytes.0, tagBytes.1]
        )
    }
}
