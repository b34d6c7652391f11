// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// The private key of a wallet and all that is done with it.
struct WalletKey: Hashable, Sendable {
    let curve: TangemCurve
    /// A scalar or seed of 32 bytes; on ed25519 with derivation 64 bytes, scalar and nonce key.
    let secret: [UInt8]
    /// 32 bytes, or none for a key that has no children.
    let chainCode: [UInt8]

    /// A new key; cards with derivation give it a chain code.
    static func generate(
        _ curve: TangemCurve,
        _ profile: CardProfile,
        using random: inout CardRandom
    ) throws(CryptographyError) -> WalletKey {
        let isHD = profile.has(.hdWallets)
        let secret: [UInt8]
        if curve == .ed25519, isHD {
            var extended = random.bytes(64)
            // The bits that SLIP-0023 sets in a root key.
            extended[0] &= 0xF8
            extended[31] = extended[31] & 0x1F | 0x40
            secret = extended
        } else {
            secret = try PrivateKey.generate(curve.arithmetic, using: &random).scalar
        }
        return WalletKey(curve: curve, secret: secret, chainCode: isHD ? random.bytes(32) : [])
    }

    /// The wallet key of the published test vectors.
    static func test(_ curve: TangemCurve, _ profile: CardProfile) throws(CryptographyError) -> WalletKey {
        let isHD = profile.has(.hdWallets)
        return WalletKey(
            curve: curve,
            secret: [UInt8](repeating: 0x22, count: curve == .ed25519 && isHD ? 64 : 32),
            chainCode: isHD ? [UInt8](repeating: 0x22, count: 32) : []
        )
    }

    /// The public key as a card reports it.
    func publicKey(isCompressed: Bool) throws(CryptographyError) -> [UInt8] {
        if let ikarus = try ikarus() { return ikarus.publicKey.uncompressed }
        let key = try privateKey().publicKey
        if curve == .bip0340 { return key.x }
        return isCompressed ? key.compressed : key.uncompressed
    }

    /// The key at the end of a path.
    func derived(_ path: [UInt32]) throws(CryptographyError) -> WalletKey {
        guard !path.isEmpty else { return self }
        if let ikarus = try ikarus() {
            let child = try ikarus.derived(path)
            return WalletKey(curve: curve, secret: child.extended, chainCode: child.chainCode)
        }
        let child = try HDPrivateKey(key: privateKey(), chainCode: chainCode).derived(path)
        return WalletKey(curve: curve, secret: child.key.scalar, chainCode: child.chainCode)
    }

    /// Signs what a SIGN holds: a digest, or for Ed25519 the message itself.
    func sign(_ input: [UInt8]) throws(CryptographyError) -> [UInt8] {
        if let ikarus = try ikarus() { return try ikarus.sign(input) }
        let key = try privateKey()
        switch curve {
        case .ed25519, .ed25519SLIP0010: return try Ed25519.sign(input, with: key)
        case .bip0340: return try BIP340.sign(input, with: key)
        default: return try ECDSA.sign(digest: input, with: key).raw(for: key.curve)
        }
    }

    /// Signs a message of the card's own, which is hashed first.
    func attest(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch curve {
        case .ed25519, .ed25519SLIP0010: try sign(SHA512.digest(message))
        default: try sign(SHA256.digest(message))
        }
    }

    /// Whether the bytes can be signed at all on this curve.
    func takes(hashOf count: Int) -> Bool {
        curve == .bip0340 ? count == 32 : count > 0
    }

    private func privateKey() throws(CryptographyError) -> PrivateKey {
        try PrivateKey(secret, curve: curve.arithmetic)
    }

    private func ikarus() throws(CryptographyError) -> IkarusKey? {
        guard curve == .ed25519, secret.count == 64 else { return nil }
        return try IkarusKey(extended: secret, chainCode: chainCode)
    }
}

extension TangemCurve {
    /// The curve that the arithmetic is done on; BLS wallets are refused before.
    var arithmetic: Curve {
        switch self {
        case .secp256r1: .secp256r1
        case .ed25519, .ed25519SLIP0010: .ed25519
        default: .secp256k1
        }
    }
}
