// SPDX-License-Identifier: MIT

import CCrypto

/// A hash function of libcrypto, chosen by name.
public enum HashAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// SHA-1, 20 bytes.
    case sha1
    /// SHA-224, 28 bytes.
    case sha224
    /// SHA-256, 32 bytes.
    case sha256
    /// SHA-384, 48 bytes.
    case sha384
    /// SHA-512, 64 bytes.
    case sha512
    /// RIPEMD-160, 20 bytes; some builds of libcrypto leave it out.
    case ripemd160

    /// Finds a hash by a name such as `sha256`, `SHA-256` or `RIPEMD-160`.
    public init?(name: String) {
        self.init(rawValue: String(name.lowercased().filter { $0 != "-" && $0 != "_" }))
    }

    /// The hash whose digest has that many bytes, or nil; 20 means SHA-1.
    public init?(digestLength: Int) {
        guard let found = Self.allCases.first(where: { $0.digestLength == digestLength }) else { return nil }
        self = found
    }

    /// Bytes of a digest.
    public var digestLength: Int {
        switch self {
        case .sha1, .ripemd160: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The name that libcrypto looks up.
    var libraryName: String {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        case .ripemd160: "RIPEMD-160"
        }
    }

    /// The digest of a whole message.
    public func digest(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let method = EVP_MD_fetch(nil, libraryName, nil) else {
            ERR_clear_error()
            throw .unavailable(algorithm: libraryName)
        }
        defer { EVP_MD_free(method) }
        var out = [UInt8](repeating: 0, count: digestLength)
        var length: UInt32 = 0
        guard EVP_Digest(message, message.count, &out, &length, method, nil) == 1,
            length == UInt32(out.count)
        else {
            ERR_clear_error()
            throw .library(call: "EVP_Digest")
        }
        return out
    }
}
