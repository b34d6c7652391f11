// SPDX-License-Identifier: MIT

import CCrypto

/// SHA-256 of a message that comes in pieces, by OpenSSL.
///
/// Source: FIPS 180-4.
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer?

    /// Starts a message.
    public init() {
        context = EVP_MD_CTX_new()
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "libcrypto has no SHA-256")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds a piece.
    public mutating func update(_ piece: ArraySlice<UInt8>) {
        piece.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest of all pieces, 32 bytes.
    public consuming func finish() -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let result = EVP_DigestFinal_ex(context, &out, &length)
        precondition(result == 1 && length == 32, "libcrypto has no SHA-256")
        return out
    }
}
