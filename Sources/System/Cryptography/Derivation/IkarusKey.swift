// SPDX-License-Identifier: MIT

/// An Ed25519 key as Cardano's wallets derive it: a scalar and a nonce key in place of a seed.
///
/// Source: SLIP-0023 and CIP-3 "Icarus" for the root, "BIP32-Ed25519" (Khovratovich, Law), version 2, for the children.
public struct IkarusKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    /// 32 bytes that go into the children.
    public let chainCode: [UInt8]

    private let secret: SecretBytes

    /// Takes the scalar (32 bytes little-endian) with the nonce key (32 bytes) behind it, and the chain code.
    public init(extended: [UInt8], chainCode: [UInt8]) throws(CryptographyError) {
        guard extended.count == 64 else {
            throw .wrongLength(what: "the extended Ed25519 key", length: extended.count, allowed: "64")
        }
        guard chainCode.count == 32 else {
            throw .wrongLength(what: "the chain code", length: chainCode.count, allowed: "32")
        }
        let group = try Edwards25519()
        let point = try group.octets(group.multiple(ofBase: Array(extended.prefix(32))))
        publicKey = PublicKey(curve: .ed25519, checkedPoint: point)
        secret = SecretBytes(extended)
        self.chainCode = chainCode
    }

    /// The root for the entropy of a mnemonic and a passphrase.
    ///
    /// - Parameters:
    ///   - entropy: the bytes behind the words, not the seed of BIP39.
    ///   - passphrase: UTF-8 bytes, may be empty.
    /// - Returns: the root.
    /// - Throws: `wrongLength` for empty entropy.
    public static func master(
        entropy: [UInt8],
        passphrase: [UInt8] = []
    ) throws(CryptographyError) -> IkarusKey {
        guard !entropy.isEmpty else {
            throw .wrongLength(what: "the entropy", length: 0, allowed: "1 or more")
        }
        var bytes = try PBKDF2.key(
            password: passphrase,
            salt: entropy,
            rounds: 4096,
            length: 96,
            hash: .sha512
        )
        defer { wipe(&bytes) }
        bytes[0] &= 0xF8
        bytes[31] = bytes[31] & 0x1F | 0x40
        return try IkarusKey(extended: Array(bytes[..<64]), chainCode: Array(bytes[64...]))
    }

    /// A copy of scalar and nonce key, 64 bytes; not wiped by itself.
    public var extended: [UInt8] { secret.copy }

    /// One child, hardened from `HDPrivateKey.hardened` on.
    public func child(_ index: UInt32) throws(CryptographyError) -> IkarusKey {
        var own = secret.copy
        defer { wipe(&own) }
        let isHardened = index >= HDPrivateKey.hardened
        let littleEndian = (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * $0)) }
        var body = (isHardened ? own : publicKey.uncompressed) + littleEndian
        defer { wipe(&body) }
        let z = HMAC.sha512(key: chainCode, message: [isHardened ? 0 : 2] + body)
        let next = HMAC.sha512(key: chainCode, message: [isHardened ? 1 : 3] + body)
        let left = Self.sum(Self.timesEight(Array(z[..<28])), Array(own[..<32]))
        let right = Self.sum(Array(z[32...]), Array(own[32...]))
        return try IkarusKey(extended: left + right, chainCode: Array(next[32...]))
    }

    /// The node at the end of a path.
    public func derived(_ path: [UInt32]) throws(CryptographyError) -> IkarusKey {
        var node = self
        for index in path { node = try node.child(index) }
        return node
    }

    /// Signs a message; `Ed25519.verify` takes the 64 bytes.
    public func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var own = secret.copy
        defer { wipe(&own) }
        let group = try Edwards25519()
        let scalars = group.scalars
        let nonce = try scalars.number(SHA512.digest(Array(own[32...]) + message).reversed())
        let r = try group.octets(group.multiple(ofBase: nonce.littleEndianBytes(length: 32)))
        let challenge = try scalars.number(
            SHA512.digest(r + publicKey.uncompressed + message).reversed()
        )
        let scalar = try scalars.number(own[..<32].reversed())
        let s = try scalars.sum(nonce, scalars.product(challenge, scalar))
        return r + (try s.littleEndianBytes(length: 32))
    }

    /// Eight times 28 little-endian bytes, as 32.
    private static func timesEight(_ bytes: [UInt8]) -> [UInt8] {
        var carry: UInt16 = 0
        return (bytes + [0, 0, 0, 0]).map { byte in
            carry += UInt16(byte) << 3
            defer { carry >>= 8 }
            return UInt8(truncatingIfNeeded: carry)
        }
    }

    /// The sum of two little-endian numbers of 32 bytes, without the carry out of the last.
    private static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var carry: UInt16 = 0
        return zip(a, b).map { x, y in
            carry += UInt16(x) + UInt16(y)
            defer { carry >>= 8 }
            return UInt8(truncatingIfNeeded: carry)
        }
    }
}
