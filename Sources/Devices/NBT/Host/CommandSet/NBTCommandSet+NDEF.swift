// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard
public import Type4Tag

/// In which order a message and its length are written.
public enum NDEFWriteOrder: Sendable, Hashable {
    /// The length is zero while the message is written: a torn write leaves an empty tag.
    case lengthLast
    /// The length goes with the first piece, as in the vendor's libraries: a torn write leaves a torn message.
    case lengthFirst
}

extension NBTCommandSet {
    /// Reads the content of the NDEF file, without its length field; the tag application must be selected.
    ///
    /// Unlike a reader for tags of any make this one does not read the container first.
    /// - Parameters:
    ///   - password: The file's read password, 4 bytes; nil for none.
    ///   - largestRead: Most bytes that one command asks for; the C library asks for 255 at most.
    /// - Returns: The message's bytes, empty when the tag has none.
    /// - Throws: ``NBTError``.
    public func readNDEF(password: [UInt8]? = nil, largestRead: Int = 256) throws(NBTError) -> [UInt8] {
        try select(.ndef, readPassword: password, expectsAnswer: true)
        let piece = min(readLimit, largestRead)
        guard piece >= Self.lengthSize else {
            throw .argument("the length field takes 2 bytes, one read may ask for \(piece)")
        }
        let first = try read(offset: 0, length: piece, piece: piece)
        guard first.count >= Self.lengthSize else {
            throw .malformedAnswer(
                command: "READ BINARY",
                detail: "\(first.count) bytes hold no length field"
            )
        }
        let end = Self.lengthSize + (Int(first[0]) << 8 | Int(first[1]))
        let limit = NBTFile.ndef.size ?? end
        guard end <= limit else {
            throw .malformedAnswer(
                command: "READ BINARY",
                detail: "the length field says \(end - Self.lengthSize) bytes, the file holds at most "
                    + "\(limit - Self.lengthSize)"
            )
        }
        var content = Array(first.prefix(end))
        if content.count < end {
            content += try read(offset: first.count, length: end - first.count, piece: piece)
        }
        guard content.count == end else {
            throw .malformedAnswer(
                command: "READ BINARY",
                detail: "the file ends after \(content.count) of \(end) bytes"
            )
        }
        return Array(content.dropFirst(Self.lengthSize))
    }

    /// Reads the message of the NDEF file; the tag application must be selected.
    ///
    /// - Returns: The message; nil when the file says that it holds none, as a blank chip does.
    public func readMessage(password: [UInt8]? = nil) throws(NBTError) -> NDEFMessage? {
        let bytes = try readNDEF(password: password)
        guard !bytes.isEmpty else { return nil }
        do { return try NDEFMessage(bytes: bytes) } catch { throw .ndef(error) }
    }

    /// Writes the content of the NDEF file; the tag application must be selected.
    ///
    /// - Parameters:
    ///   - message: The message's bytes; none empties the tag.
    ///   - password: The file's write password, 4 bytes; nil for none.
    ///   - order: Whether the length is written first or last.
    /// - Throws: ``NBTError``.
    public func writeNDEF(
        _ message: [UInt8],
        password: [UInt8]? = nil,
        order: NDEFWriteOrder = .lengthLast
    ) throws(NBTError) {
        guard message.count <= Self.largestMessage else {
            throw .argument(
                "the NDEF file takes \(Self.largestMessage) bytes, the message has \(message.count)"
            )
        }
        let length = [
            UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count),
        ]
        try select(.ndef, writePassword: password, expectsAnswer: true)
        switch order {
        case .lengthFirst:
            try update(data: length + message)
        case .lengthLast:
            try update(data: [0, 0])
            guard !message.isEmpty else { return }
            try update(offset: Self.lengthSize, data: message)
            try update(data: length)
        }
    }

    /// Writes a message into the NDEF file; the tag application must be selected.
    public func write(_ message: NDEFMessage, password: [UInt8]? = nil) throws(NBTError) {
        try writeNDEF(message.bytes, password: password)
    }

    private static let lengthSize = 2

    /// The most bytes that the NDEF file takes beside its length field.
    public static let largestMessage = (NBTFile.ndef.size ?? lengthSize) - lengthSize
}
