// SPDX-License-Identifier: MIT

import NBTConstants
public import SmartCard

extension NBTCommandBuilder {
    /// CREATE PASSWORD.
    ///
    /// - Parameters:
    ///   - password: The new password with its id, response and retry limit.
    ///   - masterPassword: Password of 4 bytes that opens the access policy for writing; nil when none rules it.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func createPassword(
        _ password: NBTPassword,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) -> CommandAPDU {
        try build(
            ins: NBTInstruction.createPassword,
            data: try master(masterPassword) + password.bytes
        )
    }

    /// DELETE PASSWORD.
    ///
    /// - Parameters:
    ///   - id: The password's id, 1 to 31.
    ///   - masterPassword: Password of 4 bytes that opens the access policy for writing; nil when none rules it.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func deletePassword(
        _ id: UInt8,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) -> CommandAPDU {
        try build(
            ins: NBTInstruction.deletePassword,
            p2: try checked(id),
            data: try master(masterPassword)
        )
    }

    /// CHANGE PASSWORD: gives a password a new value.
    ///
    /// - Parameters:
    ///   - id: The password's id, 1 to 31.
    ///   - value: The new value, 4 bytes.
    ///   - masterPassword: Password of 4 bytes that opens the access policy for writing; nil when none rules it.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func changePassword(
        _ id: UInt8,
        to value: [UInt8],
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) -> CommandAPDU {
        try build(
            ins: NBTInstruction.changePassword,
            p2: NBTInstruction.changePasswordFlag | (try checked(id)),
            data: try master(masterPassword) + (try checked(password: value))
        )
    }

    /// UNBLOCK PASSWORD: gives a password its tries back.
    ///
    /// - Parameters:
    ///   - id: The password's id, 1 to 31.
    ///   - masterPassword: Password of 4 bytes that opens the access policy for writing; nil when none rules it.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func unblockPassword(
        _ id: UInt8,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) -> CommandAPDU {
        try build(
            ins: NBTInstruction.changePassword,
            p2: try checked(id),
            data: try master(masterPassword)
        )
    }

    private static func master(_ password: [UInt8]?) throws(NBTError) -> [UInt8] {
        guard let password else { return [] }
        return try checked(password: password, "a master password")
    }

    private static func checked(_ id: UInt8) throws(NBTError) -> UInt8 {
        guard AccessByte.passwordIDs.contains(id) else {
            throw .argument("a password id is 1 to 31, not \(id)")
        }
        return id
    }
}
