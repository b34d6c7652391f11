// SPDX-License-Identifier: MIT

public import CardConnection
import SmartCard

/// Reads and writes the NDEF message of any Type 4 Tag.
///
/// Source: NFC Forum Type 4 Tag Technical Specification 1.2 §5. Short APDUs only.
/// Like the connection that it works on, a reader belongs to one thread.
public final class Type4TagReader {
    private let connection: any Connection
    private var container: CapabilityContainer?

    /// The application that every Type 4 Tag of mapping version 2 and later has.
    public static let applicationID: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    /// The file of the capability container.
    public static let containerFileID: UInt16 = 0xE103

    /// Makes a reader on a connection.
    public init(_ connection: any Connection) {
        self.connection = connection
    }

    /// Detects the tag: selects the application, reads the container, selects the NDEF file.
    ///
    /// - Parameter readsWholeContainer: Read the entries behind the NDEF file's too, not just the first 15 bytes.
    /// - Returns: The container.
    /// - Throws: ``Type4TagError``.
    @discardableResult
    public func detect(readsWholeContainer: Bool = false) throws(Type4TagError) -> CapabilityContainer {
        container = nil
        try send("SELECT of the NDEF application", ins: 0xA4, p1p2: 0x0400, data: Self.applicationID, ne: 256)
        try select(Self.containerFileID, "SELECT of the capability container")
        var bytes = try readExactly(
            0,
            CapabilityContainer.headSize,
            "READ BINARY of the capability container"
        )
        var found = try Self.parse(bytes)
        if readsWholeContainer, found.length > bytes.count {
            bytes += try read(
                from: bytes.count,
                count: found.length - bytes.count,
                piece: readLimit(found),
                "READ BINARY of the capability container"
            )
            found = try Self.parse(bytes)
        }
        guard found.ndefFile.kind == .ndef else {
            throw .unsupported("an NDEF file with a length field of four bytes (mapping version 3.0)")
        }
        container = found
        try selectNDEFFile()
        return found
    }

    /// Selects the NDEF file again, after other commands selected something else in the same application.
    public func selectNDEFFile() throws(Type4TagError) {
        try select(try detected().ndefFile.fileID, "SELECT of the NDEF file")
    }

    /// Reads the message of the selected NDEF file.
    ///
    /// - Returns: The bytes of the message, empty when the tag has none.
    /// - Throws: ``Type4TagError``.
    public func readMessage() throws(Type4TagError) -> [UInt8] {
        let container = try detected()
        let file = container.ndefFile
        guard file.readAccess == 0 else { throw .readProtected(access: file.readAccess) }
        let field = try readExactly(0, Self.lengthSize, "READ BINARY of the length field")
        let length = Int(field[0]) << 8 | Int(field[1])
        let limit = capacity(of: file)
        guard length <= limit else { throw .lengthBeyondFile(length: length, limit: limit) }
        return try read(
            from: Self.lengthSize,
            count: length,
            piece: readLimit(container),
            "READ BINARY of the NDEF message"
        )
    }

    /// Writes a message into the selected NDEF file.
    ///
    /// The length field is zero while the message is written, so a tag that is lost half way reads as empty.
    /// - Parameter message: The bytes of the message; none empties the tag.
    /// - Throws: ``Type4TagError``.
    public func writeMessage(_ message: [UInt8]) throws(Type4TagError) {
        let container = try detected()
        let file = container.ndefFile
        guard file.writeAccess == 0 else { throw .writeProtected(access: file.writeAccess) }
        let limit = capacity(of: file)
        guard message.count <= limit else { throw .messageTooLong(count: message.count, limit: limit) }
        let piece = writeLimit(container)
        try writeLength(0, piece: piece)
        guard !message.isEmpty else { return }
        for start in stride(from: 0, to: message.count, by: piece) {
            let part = Array(message[start..<min(start + piece, message.count)])
            try send(
                "UPDATE BINARY of the NDEF message",
                ins: 0xD6,
                p1p2: Self.lengthSize + start,
                data: part
            )
        }
        try writeLength(message.count, piece: piece)
    }

    // MARK: - Pieces

    private static let lengthSize = 2
    /// P1 has its first bit clear when P1-P2 is an offset, which leaves 15 bits.
    ///
    /// Source: ISO/IEC 7816-4:2013 §11.3.2.
    private static let addressableSize = 0x8000

    private static func parse(_ bytes: [UInt8]) throws(Type4TagError) -> CapabilityContainer {
        do { return try CapabilityContainer(bytes: bytes) } catch { throw .container(error) }
    }

    private func detected() throws(Type4TagError) -> CapabilityContainer {
        guard let container else { throw .notDetected }
        return container
    }

    private func capacity(of file: CapabilityContainer.FileControl) -> Int {
        min(file.maximumSize, Self.addressableSize) - Self.lengthSize
    }

    /// The most bytes that one read may ask for: what the tag allows, a short Le can say and the reader passes.
    private func readLimit(_ container: CapabilityContainer) -> Int {
        max(1, min(container.largestRead, CommandAPDU.shortNeLimit, connection.facts.largestResponse - 2))
    }

    /// The most bytes that one write may carry: what the tag allows, a short Lc can say and the reader passes.
    private func writeLimit(_ container: CapabilityContainer) -> Int {
        max(1, min(container.largestWrite, CommandAPDU.shortNcLimit, connection.facts.largestCommand - 5))
    }

    /// Writes the length field; a tag that takes one byte at a time gets it in two pieces.
    private func writeLength(_ length: Int, piece: Int) throws(Type4TagError) {
        let field = [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
        for start in stride(from: 0, to: field.count, by: piece) {
            let part = Array(field[start..<min(start + piece, field.count)])
            try send("UPDATE BINARY of the length field", ins: 0xD6, p1p2: start, data: part)
        }
    }

    private func select(_ fileID: UInt16, _ step: String) throws(Type4TagError) {
        let id = [UInt8(truncatingIfNeeded: fileID >> 8), UInt8(truncatingIfNeeded: fileID)]
        try send(step, ins: 0xA4, p1p2: 0x000C, data: id)
    }

    private func readExactly(_ offset: Int, _ count: Int, _ step: String) throws(Type4TagError) -> [UInt8] {
        let bytes = try send(step, ins: 0xB0, p1p2: offset, ne: count)
        guard bytes.count == count else { throw .wrongAmount(step: step, asked: count, got: bytes.count) }
        return bytes
    }

    private func read(
        from start: Int,
        count: Int,
        piece: Int,
        _ step: String
    ) throws(Type4TagError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let asked = min(piece, count - bytes.count)
            let part = try send(step, ins: 0xB0, p1p2: start + bytes.count, ne: asked)
            guard !part.isEmpty, part.count <= asked else {
                throw .wrongAmount(step: step, asked: asked, got: part.count)
            }
            bytes += part
        }
        return bytes
    }

    @discardableResult
    private func send(
        _ step: String,
        ins: UInt8,
        p1p2: Int,
        data: [UInt8] = [],
        ne: Int = 0
    ) throws(Type4TagError) -> [UInt8] {
        let command: CommandAPDU
        do {
            command = try CommandAPDU(
                cla: 0x00,
                ins: ins,
                p1: UInt8(truncatingIfNeeded: p1p2 >> 8),
                p2: UInt8(truncatingIfNeeded: p1p2),
                data: data,
                ne: ne
            )
        } catch {
            throw .command(error)
        }
        let answer: [UInt8]
        do { answer = try connection.transmit(command.bytes) } catch { throw .transport(error) }
        let response: ResponseAPDU
        do { response = try ResponseAPDU(bytes: answer) } catch { throw .command(error) }
        guard response.sw == .success else { throw .status(step: step, response.sw) }
        return response.data
    }
}
