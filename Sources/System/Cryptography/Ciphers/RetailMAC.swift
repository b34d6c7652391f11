// SPDX-License-Identifier: MIT

/// The message authentication code of payment cards: MAC algorithm 3 with DES.
///
/// Source: ISO/IEC 9797-1:2011 §7.4; EMV Book 2 v4.4 annex A1.2.1.
public enum RetailMAC {
    /// How a message is filled up to whole blocks.
    public enum Padding: Hashable, Sendable {
        /// Zeros, and none where the message is whole blocks (padding method 1).
        case zeros
        /// `80`, then zeros; always at least one byte (padding method 2).
        case marked
    }

    /// The code of a message, 8 bytes, under a key of 16.
    ///
    /// - Parameters:
    ///   - message: not empty where the padding is zeros.
    ///   - key: 16 bytes, two single keys.
    ///   - padding: how the last block is filled.
    /// - Returns: 8 bytes.
    /// - Throws: `wrongLength` for a key of another length or a message without a block.
    public static func code(
        of message: [UInt8],
        key: [UInt8],
        padding: Padding = .marked
    ) throws(CryptographyError) -> [UInt8] {
        guard key.count == 16 else {
            throw .wrongLength(what: "the key of a retail MAC", length: key.count, allowed: "16")
        }
        let padded = Self.padded(message, padding)
        guard !padded.isEmpty else {
            throw .wrongLength(what: "the message of a retail MAC", length: 0, allowed: "one or more")
        }
        let left = TripleDES(single: key.prefix(8))
        let right = TripleDES(single: key.suffix(8))
        let chained = try left.encrypt(padded, mode: .cbc(iv: [UInt8](repeating: 0, count: 8)))
        return try left.encrypt(right.decrypt(Array(chained.suffix(8))))
    }

    /// A message filled up to whole blocks of 8 bytes.
    public static func padded(_ message: [UInt8], _ padding: Padding) -> [UInt8] {
        let start = padding == .marked ? message + [0x80] : message
        let fill = (8 - start.count % 8) % 8
        return start + [UInt8](repeating: 0, count: fill)
    }
}
