// SPDX-License-Identifier: MIT

extension NBTCommandSet {
    /// Creates a password.
    ///
    /// - Parameters:
    ///   - password: The password with its id, response and retry limit.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func createPassword(
        _ password: NBTPassword,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) {
        try perform(try NBTCommandBuilder.createPassword(password, masterPassword: masterPassword))
    }

    /// Deletes a password.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func deletePassword(_ id: UInt8, masterPassword: [UInt8]? = nil) throws(NBTError) {
        try perform(try NBTCommandBuilder.deletePassword(id, masterPassword: masterPassword))
    }

    /// Gives a password a new value.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - value: The new value, 4 bytes.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func changePassword(
        _ id: UInt8,
        to value: [UInt8],
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) {
        try perform(
            try NBTCommandBuilder.changePassword(id, to: value, masterPassword: masterPassword)
        )
    }

    /// Gives a password its tries back.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func unblockPassword(_ id: UInt8, masterPassword: [UInt8]? = nil) throws(NBTError) {
        try perform(try NBTCommandBuilder.unblockPassword(id, masterPassword: masterPassword))
    }
}
