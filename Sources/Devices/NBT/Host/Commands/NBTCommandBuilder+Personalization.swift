// SPDX-License-Identifier: MIT

public import NBTConstants
public import SmartCard

extension NBTCommandBuilder {
    /// The most bytes that a data group can have in one short command: its head takes three.
    public static let personalizationLimit = CommandAPDU.shortNcLimit - 3

    /// PERSONALIZE DATA of a data group.
    ///
    /// A length from 255 on would be written `FF` and two bytes, but no such group fits a short command.
    /// - Parameters:
    ///   - group: The data group, or ``PersonalizationGroup/init(rawValue:)`` with a file's identifier.
    ///   - data: Its content, at most 252 bytes.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` when the content is too long.
    public static func personalize(
        _ group: PersonalizationGroup,
        data: [UInt8]
    ) throws(NBTError) -> CommandAPDU {
        guard data.count <= personalizationLimit else {
            throw .argument(
                "a data group of \(data.count) bytes does not fit a short command, which takes "
                    + "\(personalizationLimit); write long files with UPDATE BINARY"
            )
        }
        let head = try split(Int(group.rawValue))
        return try build(
            ins: NBTInstruction.personalizeData,
            data: [head.0, head.1, UInt8(truncatingIfNeeded: data.count)] + data
        )
    }

    /// PERSONALIZE DATA of the one-time token's key, AES-128.
    public static func personalize(cottKey key: [UInt8]) throws(NBTError) -> CommandAPDU {
        guard key.count == 16 else { throw .argument("a token key has 16 bytes, not \(key.count)") }
        return try personalize(.cottKey, data: key)
    }

    /// PERSONALIZE DATA of the private key, a scalar of P-256.
    public static func personalize(eccKey key: [UInt8]) throws(NBTError) -> CommandAPDU {
        guard key.count == 32 else {
            throw .argument("a private key of P-256 has 32 bytes, not \(key.count)")
        }
        return try personalize(.eccKey, data: key)
    }

    /// PERSONALIZE DATA of a password.
    public static func personalize(password: NBTPassword) throws(NBTError) -> CommandAPDU {
        try personalize(.password, data: password.bytes)
    }

    /// PERSONALIZE DATA of a file's content.
    public static func personalize(file: NBTFile, content: [UInt8]) throws(NBTError) -> CommandAPDU {
        if let size = file.size, content.count > size {
            throw .argument("\(file) has \(size) bytes, here are \(content.count)")
        }
        return try personalize(PersonalizationGroup(rawValue: file.rawValue), data: content)
    }

    /// PERSONALIZE DATA that ends personalization.
    ///
    /// It cannot be undone.
    public static func finalizePersonalization() throws(NBTError) -> CommandAPDU {
        try personalize(.finalize, data: [])
    }
}
