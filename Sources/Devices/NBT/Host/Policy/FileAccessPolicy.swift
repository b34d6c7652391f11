// SPDX-License-Identifier: MIT

public import NBTConstants
import SmartCard

/// When a file may be read or written over one interface.
///
/// An open set: a byte of no known form is kept.
public struct AccessCondition: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The rights byte.
    public let rawValue: UInt8

    /// Makes a condition from its byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Always.
    public static let always = AccessCondition(rawValue: AccessByte.always)
    /// Never.
    public static let never = AccessCondition(rawValue: AccessByte.never)

    /// After a password was presented.
    ///
    /// - Parameter id: The password's id, 1 to 31.
    /// - Returns: The condition.
    /// - Throws: ``NBTError/argument(_:)`` for any other id.
    public static func password(_ id: UInt8) throws(NBTError) -> AccessCondition {
        guard AccessByte.passwordIDs.contains(id) else {
            throw .argument("a password id is 1 to 31, not \(id)")
        }
        return AccessCondition(rawValue: AccessByte.passwordFlag | id)
    }

    /// The id of the password that opens the file; nil when none does.
    public var passwordID: UInt8? {
        let id = rawValue & AccessByte.passwordMask
        guard rawValue == AccessByte.passwordFlag | id, AccessByte.passwordIDs.contains(id) else {
            return nil
        }
        return id
    }

    /// `always`, `never`, `password 1`, or the byte.
    public var description: String {
        if self == .always { return "always" }
        if self == .never { return "never" }
        if let passwordID { return "password \(passwordID)" }
        return "unknown right \([rawValue].hex)"
    }
}

/// Who may do what with a file: one record of the access policy.
public struct FileAccessPolicy: Hashable, Sendable {
    /// The file that the record is about.
    public var file: NBTFile
    /// Reading over I2C.
    public var i2cRead: AccessCondition
    /// Writing over I2C.
    public var i2cWrite: AccessCondition
    /// Reading over NFC.
    public var nfcRead: AccessCondition
    /// Writing over NFC.
    public var nfcWrite: AccessCondition

    /// Makes a record.
    public init(
        file: NBTFile,
        i2cRead: AccessCondition,
        i2cWrite: AccessCondition,
        nfcRead: AccessCondition,
        nfcWrite: AccessCondition
    ) {
        self.file = file
        self.i2cRead = i2cRead
        self.i2cWrite = i2cWrite
        self.nfcRead = nfcRead
        self.nfcWrite = nfcWrite
    }

    /// Makes a record from its four rights: I2C read, I2C write, NFC read, NFC write.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - rights: Four bytes, in the order of the record.
    /// - Throws: ``NBTError/argument(_:)`` when they are not four.
    public init(file: NBTFile, rights: [UInt8]) throws(NBTError) {
        guard rights.count == AccessPolicyLayout.recordSize - 2 else {
            throw .argument("a policy has four rights, here are \(rights.count)")
        }
        self.init(record: file.idBytes + rights)
    }

    /// Takes a record of six bytes apart.
    fileprivate init(record: [UInt8]) {
        file = NBTFile(rawValue: UInt16(record[0]) << 8 | UInt16(record[1]))
        i2cRead = AccessCondition(rawValue: record[2])
        i2cWrite = AccessCondition(rawValue: record[3])
        nfcRead = AccessCondition(rawValue: record[4])
        nfcWrite = AccessCondition(rawValue: record[5])
    }

    /// The record's six bytes.
    public var bytes: [UInt8] {
        file.idBytes + [i2cRead.rawValue, i2cWrite.rawValue, nfcRead.rawValue, nfcWrite.rawValue]
    }
}

/// The whole access policy of the chip.
public struct FileAccessTable: Hashable, Sendable {
    /// The records, in the order of the file.
    public var policies: [FileAccessPolicy]

    /// Makes a table from records.
    public init(_ policies: [FileAccessPolicy]) {
        self.policies = policies
    }

    /// Reads a table.
    ///
    /// - Parameter bytes: The content of the policy file, records of six bytes.
    /// - Throws: ``NBTError/malformedAnswer(command:detail:)`` when the last record is not whole, or there is none.
    public init(bytes: [UInt8]) throws(NBTError) {
        let size = AccessPolicyLayout.recordSize
        guard !bytes.isEmpty, bytes.count.isMultiple(of: size) else {
            throw .malformedAnswer(
                command: "READ BINARY of the access policy",
                detail: "\(bytes.count) bytes are no whole records of \(size) bytes"
            )
        }
        self.init(wholeRecords: bytes)
    }

    /// Reads a table of whole records; bytes behind the last one are left out.
    init(wholeRecords bytes: [UInt8]) {
        let size = AccessPolicyLayout.recordSize
        policies = stride(from: 0, through: bytes.count - size, by: size).map { start in
            FileAccessPolicy(record: Array(bytes[start..<start + size]))
        }
    }

    /// The bytes of the policy file.
    public var bytes: [UInt8] { policies.flatMap(\.bytes) }

    /// The record of a file; nil when the table has none.
    public subscript(file: NBTFile) -> FileAccessPolicy? {
        policies.first { $0.file == file }
    }
}
