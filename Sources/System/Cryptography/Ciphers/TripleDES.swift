// SPDX-License-Identifier: MIT

/// Triple DES with two or three keys.
///
/// Source: NIST SP 800-67, ISO/IEC 18033-3.
public struct TripleDES: Sendable {
    /// Bytes of a block.
    public static let blockLength = 8

    /// Three single keys, one after the other.
    private let key: SecretBytes

    /// Takes a key of 16 bytes (the first half is used twice) or of 24; parity bits do not matter.
    public init(key: [UInt8]) throws(CryptographyError) {
        guard key.count == 16 || key.count == 24 else {
            throw .wrongLength(what: "the triple DES key", length: key.count, allowed: "16 or 24")
        }
        self.key = SecretBytes(key.count == 16 ? key + key.prefix(8) : key)
    }

    /// Single DES, which is triple DES with three equal keys.
    init(single key: some Collection<UInt8>) {
        self.key = SecretBytes(Array(key) + Array(key) + Array(key))
    }

    /// Encrypts a message.
    public func encrypt(
        _ message: [UInt8],
        mode: CipherMode = .ecb,
        padding: CipherPadding = .none
    ) throws(CryptographyError) -> [UInt8] {
        try run(mode, padding).encrypt(message)
    }

    /// Decrypts a message and takes its padding off.
    public func decrypt(
        _ cipherText: [UInt8],
        mode: CipherMode = .ecb,
        padding: CipherPadding = .none
    ) throws(CryptographyError) -> [UInt8] {
        try run(mode, padding).decrypt(cipherText)
    }

    /// The bytes of a key with the lowest bit of each set for odd parity.
    ///
    /// Source: EMV Book 2 v4.4 annex A1.4.1.
    public static func withOddParity(_ key: [UInt8]) -> [UInt8] {
        key.map { $0 & 0xFE | UInt8(($0 & 0xFE).nonzeroBitCount & 1 ^ 1) }
    }

    private func run(_ mode: CipherMode, _ padding: CipherPadding) throws(CryptographyError) -> CipherRun {
        var modeName = "ECB"
        var iv: [UInt8] = []
        if case .cbc(let start) = mode {
            guard start.count == Self.blockLength else {
                throw .wrongLength(what: "the initial vector", length: start.count, allowed: "8")
            }
            modeName = "CBC"
            iv = start
        }
        return CipherRun(
            name: "DES-EDE3-\(modeName)",
            blockLength: Self.blockLength,
            key: key,
            iv: iv,
            padding: padding
        )
    }
}
