// SPDX-License-Identifier: MIT

/// How a block cipher goes through a message.
public enum CipherMode: Hashable, Sendable {
    /// Every block by itself.
    case ecb
    /// Every block after the one before; `iv` has the length of a block.
    case cbc(iv: [UInt8])

    /// CBC that starts from zeros, for ciphers with 16-byte blocks.
    public static let cbcFromZeros = CipherMode.cbc(iv: [UInt8](repeating: 0, count: 16))
}

/// How the last block of a message is filled.
public enum CipherPadding: Hashable, Sendable {
    /// Not at all: the message must be whole blocks.
    case none
    /// 1 to 16 bytes that tell their own number.
    ///
    /// Source: RFC 5652 §6.3.
    case pkcs7
}
