// SPDX-License-Identifier: MIT

public import NBTConstants
import SmartCard

extension NBTCommandSet {
    /// Selects the configurator, which deselects the tag application.
    public func selectConfigurator() throws(NBTError) {
        try selectApplication(NBTApplication.configurator)
    }

    /// Reads a setting; the configurator must be selected.
    ///
    /// - Parameter tag: The setting.
    /// - Returns: Its value.
    /// - Throws: ``NBTError``.
    public func configuration(_ tag: ConfigurationTag) throws(NBTError) -> [UInt8] {
        let data = try perform(try NBTCommandBuilder.getConfiguration(tag))
        return try NBTResponseParser.configuration(data, of: tag)
    }

    /// Reads a setting with known values; the configurator must be selected.
    ///
    /// - Parameter type: The setting.
    /// - Returns: Its value.
    /// - Throws: ``NBTError``, also for a value that is not known.
    public func configuration<Choice: ConfigurationChoice>(_ type: Choice.Type) throws(NBTError) -> Choice {
        let value = try configuration(Choice.tag)
        guard let choice = Choice(bytes: value) else {
            throw .malformedAnswer(
                command: "GET CONFIGURATION",
                detail: "\(value.hex) is no known value of \(Choice.tag.title)"
            )
        }
        return choice
    }

    /// Writes a setting, which counts from the next reset on; the configurator must be selected.
    ///
    /// - Parameters:
    ///   - tag: The setting.
    ///   - value: Its value.
    /// - Throws: ``NBTError``; ``NBTError/refused(_:)`` for the flash loader, before anything is sent.
    public func setConfiguration(_ tag: ConfigurationTag, value: [UInt8]) throws(NBTError) {
        try perform(try NBTCommandBuilder.setConfiguration(tag, value: value))
    }

    /// Writes a setting with known values, which counts from the next reset on; the configurator must be selected.
    public func setConfiguration(_ choice: some ConfigurationChoice) throws(NBTError) {
        try perform(try NBTCommandBuilder.setConfiguration(choice))
    }
}
