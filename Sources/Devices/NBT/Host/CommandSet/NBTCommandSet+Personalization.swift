// SPDX-License-Identifier: MIT

public import NBTConstants

extension NBTCommandSet {
    /// Writes a data group; the chip must be in the personalization state.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - data: Its content, at most 252 bytes.
    /// - Throws: ``NBTError``.
    public func personalize(_ group: PersonalizationGroup, data: [UInt8]) throws(NBTError) {
        try perform(try NBTCommandBuilder.personalize(group, data: data))
    }

    /// Writes the key of the one-time token, 16 bytes.
    public func personalize(cottKey key: [UInt8]) throws(NBTError) {
        try perform(try NBTCommandBuilder.personalize(cottKey: key))
    }

    /// Writes the private key of AUTHENTICATE TAG, 32 bytes.
    public func personalize(eccKey key: [UInt8]) throws(NBTError) {
        try perform(try NBTCommandBuilder.personalize(eccKey: key))
    }

    /// Writes a password.
    public func personalize(password: NBTPassword) throws(NBTError) {
        try perform(try NBTCommandBuilder.personalize(password: password))
    }

    /// Writes the content of a file.
    public func personalize(file: NBTFile, content: [UInt8]) throws(NBTError) {
        try perform(try NBTCommandBuilder.personalize(file: file, content: content))
    }

    /// Ends personalization, which cannot be undone.
    public func finalizePersonalization() throws(NBTError) {
        try perform(try NBTCommandBuilder.finalizePersonalization())
    }
}
