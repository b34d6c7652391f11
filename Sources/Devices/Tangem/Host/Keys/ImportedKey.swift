// SPDX-License-Identifier: MIT

import Cryptography
public import TangemConstants

/// A private key that goes into a card, with the chain code that goes with it.
public struct ImportedKey: Sendable {
    /// The curve of the wallet.
    public let curve: TangemCurve
    /// What the tag 6F carries: 32 bytes, 64 for ed25519.
    public let privateKey: [UInt8]
    /// What the tag 6B carries; nil for BLS.
    public let chainCode: [UInt8]?
    /// The public key that the card will show.
    public let publicKey: [UInt8]

    /// Takes a key as it is.
    ///
    /// - Parameters:
    ///   - privateKey: 32 bytes; scalar and nonce key of 64 bytes for ed25519.
    ///   - chainCode: 32 bytes; none for BLS.
    ///   - curve: The curve.
    /// - Throws: `cryptoUtilsError` when it is no key of the curve.
    public init(privateKey: [UInt8], chainCode: [UInt8]?, curve: TangemCurve) throws(TangemError) {
        guard curve.isBLS ? chainCode == nil : chainCode?.count == 32 else {
            throw TangemError(.cryptoUtilsError, "a chain code has 32 bytes, and BLS keys have none")
        }
        self.curve = curve
        self.privateKey = privateKey
        self.chainCode = chainCode
        publicKey = try Self.publicKey(privateKey, chainCode ?? [], curve)
    }

    /// The root of the tree of a mnemonic.
    ///
    /// - Parameters:
    ///   - mnemonic: The words.
    ///   - passphrase: May be empty.
    ///   - curve: The curve.
    /// - Returns: The key.
    /// - Throws: `cryptoUtilsError` when the library refuses.
    public static func root(
        of mnemonic: Mnemonic,
        passphrase: String = "",
        curve: TangemCurve
    ) throws(TangemError) -> ImportedKey {
        if curve == .ed25519 {
            let node: IkarusKey
            do {
                node = try IkarusKey.master(entropy: mnemonic.entropy, passphrase: Array(passphrase.utf8))
            } catch {
                throw TangemError(.cryptoUtilsError, error.description)
            }
            return try ImportedKey(privateKey: node.extended, chainCode: node.chainCode, curve: curve)
        }
        return try root(seed: mnemonic.seed(passphrase: passphrase), curve: curve)
    }

    /// The root of the tree of a seed; ed25519 has none, it begins at the entropy of a mnemonic.
    public static func root(seed: [UInt8], curve: TangemCurve) throws(TangemError) -> ImportedKey {
        if curve.isBLS {
            return try ImportedKey(privateKey: BLSKeys.privateKey(seed), chainCode: nil, curve: curve)
        }
        let group: Curve
        switch curve {
        case .secp256k1, .bip0340: group = .secp256k1
        case .secp256r1: group = .secp256r1
        case .ed25519SLIP0010: group = .ed25519
        default:
            throw TangemError(.unsupportedCurve, "\(curve.rawValue) has no root for a seed, give a mnemonic")
        }
        do {
            let node = try HDPrivateKey.master(seed: seed, curve: group)
            return try ImportedKey(privateKey: node.key.scalar, chainCode: node.chainCode, curve: curve)
        } catch let error as CryptographyError {
            throw TangemError(.cryptoUtilsError, error.description)
        } catch let error as TangemError {
            throw error
        } catch {
            throw TangemError(.cryptoUtilsError, "\(error)")
        }
    }

    private static func publicKey(
        _ privateKey: [UInt8],
        _ chainCode: [UInt8],
        _ curve: TangemCurve
    ) throws(TangemError) -> [UInt8] {
        if curve.isBLS { return try BLSKeys.publicKey(privateKey) }
        do throws(CryptographyError) {
            switch curve {
            case .secp256k1:
                return try PrivateKey(privateKey, curve: .secp256k1).publicKey.compressed
            case .bip0340:
                return try PrivateKey(privateKey, curve: .secp256k1).publicKey.x
            case .secp256r1:
                return try PrivateKey(privateKey, curve: .secp256r1).publicKey.compressed
            case .ed25519:
                return try IkarusKey(extended: privateKey, chainCode: chainCode).publicKey.compressed
            default:
                return try PrivateKey(privateKey, curve: .ed25519).publicKey.compressed
            }
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }
}
