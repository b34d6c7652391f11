// SPDX-License-Identifier: MIT

public import NBTConstants
public import SmartCard

/// The builder layer: makes the commands of the chip.
///
/// The frames are those of the vendor's public libraries (MIT), byte for byte. All are short APDUs; what does not fit
/// one is refused here, and nothing is sent.
public enum NBTCommandBuilder {
    /// SELECT of an application.
    ///
    /// - Parameter identifier: The application identifier, 5 to 16 bytes.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func select(application identifier: [UInt8]) throws(NBTError) -> CommandAPDU {
        guard (5...16).contains(identifier.count) else {
            throw .argument("an application identifier has 5 to 16 bytes, here are \(identifier.count)")
        }
        return try build(
            ins: NBTInstruction.select,
            p1: NBTInstruction.selectByName,
            data: identifier,
            ne: CommandAPDU.shortNeLimit
        )
    }

    /// SELECT of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - readPassword: Password of 4 bytes that opens the file for reading; nil for none.
    ///   - writePassword: Password of 4 bytes that opens the file for writing; nil for none.
    ///   - expectsAnswer: Send Le `00` although no data come back, as the C library does; always so with a password.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func select(
        file: NBTFile,
        readPassword: [UInt8]? = nil,
        writePassword: [UInt8]? = nil,
        expectsAnswer: Bool = false
    ) throws(NBTError) -> CommandAPDU {
        var data = file.idBytes
        data += try password(readPassword, tag: NBTInstruction.readPasswordTag)
        data += try password(writePassword, tag: NBTInstruction.writePasswordTag)
        return try build(
            ins: NBTInstruction.select,
            p1: NBTInstruction.selectByID,
            p2: NBTInstruction.selectWithoutFCI,
            data: data,
            ne: expectsAnswer || data.count > 2 ? CommandAPDU.shortNeLimit : 0
        )
    }

    /// READ BINARY of the selected file.
    ///
    /// - Parameters:
    ///   - offset: First byte, 0 to 65 535.
    ///   - length: Number of bytes, 1 to 256.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func readBinary(offset: Int, length: Int) throws(NBTError) -> CommandAPDU {
        guard (1...CommandAPDU.shortNeLimit).contains(length) else {
            throw .argument("READ BINARY asks for 1 to 256 bytes, not \(length)")
        }
        let (p1, p2) = try split(offset)
        return try build(ins: NBTInstruction.readBinary, p1: p1, p2: p2, ne: length)
    }

    /// UPDATE BINARY of the selected file.
    ///
    /// - Parameters:
    ///   - offset: First byte, 0 to 65 535; of no meaning for the access policy.
    ///   - data: 1 to 255 bytes.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when an argument is out of its range.
    public static func updateBinary(offset: Int, data: [UInt8]) throws(NBTError) -> CommandAPDU {
        guard (1...CommandAPDU.shortNcLimit).contains(data.count) else {
            throw .argument("UPDATE BINARY carries 1 to 255 bytes, not \(data.count)")
        }
        let (p1, p2) = try split(offset)
        return try build(ins: NBTInstruction.updateBinary, p1: p1, p2: p2, data: data)
    }

    /// UPDATE BINARY of one record of the access policy, which must be selected.
    public static func updatePolicy(_ policy: FileAccessPolicy) throws(NBTError) -> CommandAPDU {
        try updateBinary(offset: 0, data: policy.bytes)
    }

    /// GET DATA of the version.
    public static func getVersion() throws(NBTError) -> CommandAPDU {
        try getData(NBTInstruction.versionObject)
    }

    /// GET DATA of the free memory.
    public static func getMemory() throws(NBTError) -> CommandAPDU {
        try getData(NBTInstruction.memoryObject)
    }

    /// AUTHENTICATE TAG.
    ///
    /// - Parameter challenge: 1 to 255 bytes; the chip signs them as they are.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` for any other length: an empty challenge would become another command.
    public static func authenticateTag(challenge: [UInt8]) throws(NBTError) -> CommandAPDU {
        guard (1...CommandAPDU.shortNcLimit).contains(challenge.count) else {
            throw .argument("a challenge has 1 to 255 bytes, not \(challenge.count)")
        }
        return try build(
            ins: NBTInstruction.authenticateTag,
            data: challenge,
            ne: CommandAPDU.shortNeLimit
        )
    }

    /// BACKEND TEST, which the chip takes over I2C.
    ///
    /// - Parameter tests: The tests to run, at least one.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when there is none.
    public static func backendTest(_ tests: BackendTests) throws(NBTError) -> CommandAPDU {
        guard !tests.isEmpty, BackendTests.all.isSuperset(of: tests) else {
            throw .argument("a backend test runs at least one of the seven tests")
        }
        return try build(ins: NBTInstruction.backendTest, p2: tests.rawValue)
    }

    private static func getData(_ object: UInt16) throws(NBTError) -> CommandAPDU {
        let (p1, p2) = try split(Int(object))
        return try build(ins: NBTInstruction.getData, p1: p1, p2: p2, ne: CommandAPDU.shortNeLimit)
    }

    private static func password(_ value: [UInt8]?, tag: UInt8) throws(NBTError) -> [UInt8] {
        guard let value else { return [] }
        return [tag, UInt8(PasswordLimits.valueSize)] + (try checked(password: value))
    }

    /// The password itself, when it has the right length.
    static func checked(password: [UInt8], _ what: String = "a password") throws(NBTError) -> [UInt8] {
        guard password.count == PasswordLimits.valueSize else {
            throw .argument("\(what) has 4 bytes, not \(password.count)")
        }
        return password
    }

    static func split(_ number: Int) throws(NBTError) -> (UInt8, UInt8) {
        guard let value = UInt16(exactly: number) else {
            throw .argument("an offset of \(number) does not fit P1-P2, the range is 0 to 65535")
        }
        return (UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
    }

    static func build(
        cla: UInt8 = NBTInstruction.tagClass,
        ins: UInt8,
        p1: UInt8 = 0,
        p2: UInt8 = 0,
        data: [UInt8] = [],
        ne: Int = 0
    ) throws(NBTError) -> CommandAPDU {
        do {
            return try CommandAPDU(cla: cla, ins: ins, p1: p1, p2: p2, data: data, ne: ne)
        } catch {
            throw .argument(error.description)
        }
    }
}
