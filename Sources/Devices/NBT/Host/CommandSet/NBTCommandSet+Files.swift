// SPDX-License-Identifier: MIT

import CardConnection
public import NBTConstants
import SmartCard

extension NBTCommandSet {
    /// Selects a file of the tag application, which must be selected.
    ///
    /// A wrong password is no error here: the chip answers `9000`, and refuses the read or write that follows.
    /// - Parameters:
    ///   - file: The file.
    ///   - readPassword: Password of 4 bytes for reading; nil for none.
    ///   - writePassword: Password of 4 bytes for writing; nil for none.
    ///   - expectsAnswer: Send Le `00` although no data come back, as the C library does; always so with a password.
    /// - Returns: What became of the passwords, as far as the answer tells.
    /// - Throws: ``NBTError``.
    @discardableResult
    public func select(
        _ file: NBTFile,
        readPassword: [UInt8]? = nil,
        writePassword: [UInt8]? = nil,
        expectsAnswer: Bool = false
    ) throws(NBTError) -> FileSelection {
        let command = try NBTCommandBuilder.select(
            file: file,
            readPassword: readPassword,
            writePassword: writePassword,
            expectsAnswer: expectsAnswer
        )
        let data = try perform(command)
        var presented: [UInt8] = []
        if readPassword != nil { presented.append(NBTInstruction.readPasswordTag) }
        if writePassword != nil { presented.append(NBTInstruction.writePasswordTag) }
        let outcomes = NBTResponseParser.passwordOutcomes(data, presented: presented)
        return FileSelection(
            data: data,
            readPassword: readPassword == nil ? nil : outcomes.first,
            writePassword: writePassword == nil ? nil : outcomes.last
        )
    }

    /// The most bytes that one READ BINARY may ask for on this connection.
    var readLimit: Int { max(1, min(CommandAPDU.shortNeLimit, connection.facts.largestResponse - 2)) }

    /// The most bytes that one UPDATE BINARY may carry on this connection.
    var writeLimit: Int { max(1, min(CommandAPDU.shortNcLimit, connection.facts.largestCommand - 5)) }

    /// Reads from the selected file.
    ///
    /// - Parameters:
    ///   - offset: First byte.
    ///   - length: Number of bytes; more than 256 take several commands. Fewer come back at the end of the file.
    /// - Returns: The bytes.
    /// - Throws: ``NBTError``.
    public func read(offset: Int = 0, length: Int) throws(NBTError) -> [UInt8] {
        try read(offset: offset, length: length, piece: readLimit)
    }

    func read(offset: Int, length: Int, piece: Int) throws(NBTError) -> [UInt8] {
        guard length >= 1 else { throw .argument("a read asks for at least 1 byte, not \(length)") }
        var bytes: [UInt8] = []
        while bytes.count < length {
            let asked = min(piece, length - bytes.count)
            let part = try perform(
                try NBTCommandBuilder.readBinary(offset: offset + bytes.count, length: asked)
            )
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
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: First byte.
    ///   - length: Number of bytes; more than 256 take several commands.
    ///   - password: Its read password, 4 bytes; nil for none.
    /// - Returns: The bytes.
    /// - Throws: ``NBTError``.
    public func read(
        _ file: NBTFile,
        offset: Int = 0,
        length: Int,
        password: [UInt8]? = nil
    ) throws(NBTError) -> [UInt8] {
        try select(file, readPassword: password)
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
        let piece = writeLimit
        for start in stride(from: 0, to: data.count, by: piece) {
            let part = Array(data[start..<min(start + piece, data.count)])
            try perform(try NBTCommandBuilder.updateBinary(offset: offset + start, data: part))
        }
    }

    /// Selects a file and writes into it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: First byte.
    ///   - data: At least one byte; more than 255 take several commands.
    ///   - password: Its write password, 4 bytes; nil for none.
    /// - Throws: ``NBTError``.
    public func update(
        _ file: NBTFile,
        offset: Int = 0,
        data: [UInt8],
        password: [UInt8]? = nil
    ) throws(NBTError) {
        try select(file, writePassword: password)
        try update(offset: offset, data: data)
    }
}
