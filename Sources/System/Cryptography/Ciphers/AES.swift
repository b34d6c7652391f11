// SPDX-License-Identifier: MIT

/// AES with a key of 128, 192 or 256 bits.
///
/// Source: FIPS 197, NIST SP 800-38A.
public struct AES: Sendable {
    /// Bytes of a block.
    public static let blockLength = 16

    private let key: SecretBytes

    /// Takes a key of 16, 24 or 32 bytes.
    public init(key: [UInt8]) throws(CryptographyError) {
        guard [16, 24, 32].contains(key.count) else {
            throw .wrongLength(what: "the AES key", length: key.count, allowed: "16, 24 or 32")
        }
        self.key = SecretBytes(key)
    }

    /// Encrypts a message.
    public func encrypt(
        _ message: [UInt8],
        mode: CipherMode,
        padding: CipherPadding = .none
    ) throws(CryptographyError) -> [UInt8] {
        try run(mode, padding).encrypt(message)
    }

    /// Decrypts a message and takes its padding off.
    public func decrypt(
        _ cipherText: [UInt8],
        mode: CipherMode,
        padding: CipherPadding = .none
    ) throws(CryptographyError) -> [UInt8] {
        try run(mode, padding).decrypt(cipherText)
    }

    private func run(_ mode: CipherMode, _ padding: CipherPadding) throws(CryptographyError) -> CipherRun {
        var modeName = "ECB"
        var iv: [UInt8] = []
        if case .cbc(let start) = mode {
            guard start.count == Self.blockLength else {
                throw .wrongLength(what: "the initial vector", length: start.count, allowed: "16")
            }
            modeName = "CBC"
            iv = start
        }
        return CipherRun(
            name: "AES-\(key.count * 8)-\(modeName)",
            blockLength: Self.blockLength,
            key: key,
            iv: iv,
            padding: padding
        )
    }
}
