// SPDX-License-Identifier: MIT

public import CardConnection
public import NBTConstants
public import SmartCard

/// The chip on the other end of a connection.
///
/// ``send(_:)`` gives back whatever the chip answers; the operations above it throw when a status word is not `9000`.
/// Like the connection, a tag belongs to one thread.
public final class NBTTag {
    /// The connection that the commands go over.
    public let connection: any Connection

    /// Makes a tag on a connection.
    public init(_ connection: any Connection) {
        self.connection = connection
    }

    /// Sends a command; any status word is a result.
    ///
    /// - Throws: ``NBTError/transport(_:)`` when there is no usable answer.
    public func send(_ command: CommandAPDU) throws(NBTError) -> ResponseAPDU {
        let bytes: [UInt8]
        do { bytes = try connection.transmit(command.bytes) } catch { throw .transport(error) }
        do {
            return try ResponseAPDU(bytes: bytes)
        } catch {
            throw .transport(TransportFault(.transport, error.description))
        }
    }

    /// Sends a command that has to be answered with `9000`.
    ///
    /// - Returns: The data of the answer.
    /// - Throws: ``NBTError/unexpectedStatus(_:)`` with the meaning that the status word has after this command.
    @discardableResult
    public func perform(_ command: CommandAPDU) throws(NBTError) -> [UInt8] {
        let response = try send(command)
        guard response.sw == .success else {
            throw .unexpectedStatus(
                NBTError.UnexpectedStatus(
                    command: NBTDictionary.name(of: command) ?? command.bytes.prefix(4).hex,
                    sw: response.sw,
                    meaning: NBTStatusMeaning.text(response.sw, after: command)
                )
            )
        }
        return response.data
    }

    /// Selects an application, the tag application when nothing else is said.
    public func selectApplication(_ identifier: [UInt8] = NBTApplication.tag) throws(NBTError) {
        try perform(try NBTCommands.select(application: identifier))
    }

    /// Selects a file of the tag application, which must be selected.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - readPassword: Password of 4 bytes for reading; nil for none.
    ///   - writePassword: Password of 4 bytes for writing; nil for none.
    /// - Returns: The data of the answer, empty unless a password was presented.
    /// - Throws: ``NBTError``.
    @discardableResult
    public func select(
        _ file: NBTFile,
        readPassword: [UInt8]? = nil,
        writePassword: [UInt8]? = nil
    ) throws(NBTError) -> [UInt8] {
        try perform(
            try NBTCommands.select(file: file, readPassword: readPassword, writePassword: writePassword)
        )
    }

    /// Reads from the selected file.
    ///
    /// - Parameters:
    ///   - offset: First byte.
    ///   - length: Number of bytes; more than 256 take several commands. Fewer come back at the end of the file.
    /// - Returns: The bytes.
    /// - Throws: ``NBTError``.
    public func read(offset: Int = 0, length: Int) throws(NBTError) -> [UInt8] {
        guard length >= 1 else { throw .argument("a read asks for at least 1 byte, not \(length)") }
        let piece = max(1, min(CommandAPDU.shortNeLimit, connection.facts.largestResponse - 2))
        var bytes: [UInt8] = []
        while bytes.count < length {
            let asked = min(piece, length - bytes.count)
            let part = try perform(try NBTCommands.readBinary(offset: offset + bytes.count, length: asked))
            guard part.count <= asked else {
                throw .malformedAnswer(
                    command: "READ BINARY",
                    detail: "\(part.count) bytes came, \(asked) were asked for"
                )
            }
            bytes += part
            if part.count < asked { break }
        }
        return bytes
    }

    /// Selects a file and reads from it.
    public func read(_ file: NBTFile, offset: Int = 0, length: Int) throws(NBTError) -> [UInt8] {
        try select(file)
        return try read(offset: offset, length: length)
    }

    /// Writes into the selected file.
    ///
    /// - Parameters:
    ///   - offset: First byte.
    ///   - data: At least one byte; more than 255 take several commands.
    /// - Throws: ``NBTError``.
    public func update(offset: Int = 0, data: [UInt8]) throws(NBTError) {
        guard !data.isEmpty else { throw .argument("an update carries at least 1 byte") }
        let piece = max(1, min(CommandAPDU.shortNcLimit, connection.facts.largestCommand - 5))
        for start in stride(from: 0, to: data.count, by: piece) {
            let part = Array(data[start..<min(start + piece, data.count)])
            try perform(try NBTCommands.updateBinary(offset: offset + start, data: part))
        }
    }

    /// Selects a file and writes into it.
    public func update(_ file: NBTFile, offset: Int = 0, data: [UInt8]) throws(NBTError) {
        try select(file)
        try update(offset: offset, data: data)
    }

    /// Reads the access policy of all files.
    public func readAccessTable() throws(NBTError) -> FileAccessTable {
        try FileAccessTable(bytes: try read(.accessPolicy, length: AccessPolicyLayout.tableSize))
    }

    /// Changes the access policy of one file.
    public func write(_ policy: FileAccessPolicy) throws(NBTError) {
        try select(.accessPolicy)
        try perform(try NBTCommands.updatePolicy(policy))
    }

    /// Changes the records that differ from a table, and only those.
    ///
    /// - Returns: The records that were written.
    @discardableResult
    public func apply(_ table: FileAccessTable) throws(NBTError) -> [FileAccessPolicy] {
        let current = try readAccessTable()
        let changed = table.policies.filter { current[$0.file] != $0 }
        // The record of the policy file itself comes last: it may close the door for the others.
        let ordered =
            changed.filter { $0.file != .accessPolicy } + changed.filter { $0.file == .accessPolicy }
        for policy in ordered { try write(policy) }
        return ordered
    }

    /// Reads the version of the tag application.
    public func version() throws(NBTError) -> AppletVersion {
        try AppletVersion(data: try perform(try NBTCommands.getVersion()))
    }

    /// Reads how much memory is free.
    public func availableMemory() throws(NBTError) -> AvailableMemory {
        try AvailableMemory(data: try perform(try NBTCommands.getMemory()))
    }
}
