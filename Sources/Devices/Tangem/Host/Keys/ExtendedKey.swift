// SPDX-License-Identifier: MIT

public import Cryptography

/// A key of a tree with its place, as BIP32 writes it (`xpub...`, `xprv...`).
public struct ExtendedKey: Hashable, Sendable {
    /// The network that a key is written for.
    public enum Network: String, Hashable, Sendable, CaseIterable {
        /// `xpub`, `xprv`.
        case mainnet
        /// `tpub`, `tprv`.
        case testnet

        var publicVersion: [UInt8] {
            self == .mainnet ? [0x04, 0x88, 0xB2, 0x1E] : [0x04, 0x35, 0x87, 0xCF]
        }

        var privateVersion: [UInt8] {
            self == .mainnet ? [0x04, 0x88, 0xAD, 0xE4] : [0x04, 0x35, 0x83, 0x94]
        }
    }

    /// Number of steps from the root.
    public let depth: UInt8
    /// First four bytes of the fingerprint of the parent; zeros at the root.
    public let parentFingerprint: [UInt8]
    /// The last step.
    public let index: UInt32
    /// 32 bytes that go into the children.
    public let chainCode: [UInt8]
    /// 33 bytes: a compressed point, or `00` and a scalar.
    public let keyBytes: [UInt8]
    /// True for a private key.
    public let isPrivate: Bool

    /// Takes the parts of a public key.
    ///
    /// - Parameters:
    ///   - publicKey: A compressed point of secp256k1.
    ///   - chainCode: 32 bytes.
    ///   - depth: Number of steps from the root.
    ///   - parentFingerprint: Four bytes.
    ///   - index: The last step.
    /// - Throws: `cryptoUtilsError` when they are no such key.
    public init(
        publicKey: [UInt8],
        chainCode: [UInt8],
        depth: UInt8 = 0,
        parentFingerprint: [UInt8] = [0, 0, 0, 0],
        index: UInt32 = 0
    ) throws(TangemError) {
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.index = index
        self.chainCode = chainCode
        do { keyBytes = try PublicKey(publicKey, curve: .secp256k1).compressed } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
        isPrivate = false
        try check()
    }

    /// Reads a key from its text.
    ///
    /// - Parameters:
    ///   - text: The text with its checksum.
    ///   - network: The network that it must be of.
    /// - Throws: `cryptoUtilsError` with what is wrong.
    public init(_ text: String, network: Network = .mainnet) throws(TangemError) {
        guard let bytes = Base58.checkedBytes(text), bytes.count == 78 else {
            throw Self.mistake("its checksum or its length is wrong")
        }
        let version = Array(bytes[0..<4])
        guard version == network.publicVersion || version == network.privateVersion else {
            throw Self.mistake("it is not of the \(network.rawValue)")
        }
        isPrivate = version == network.privateVersion
        depth = bytes[4]
        parentFingerprint = Array(bytes[5..<9])
        index = bytes[9..<13].reduce(0) { $0 << 8 | UInt32($1) }
        chainCode = Array(bytes[13..<45])
        keyBytes = Array(bytes[45...])
        try check()
    }

    /// The text of the key.
    public func text(network: Network = .mainnet) -> String {
        let version = isPrivate ? network.privateVersion : network.publicVersion
        return Base58.checkedText(
            version + [depth] + parentFingerprint + BigEndian.bytes(Int(index), count: 4) + chainCode
                + keyBytes
        )
    }

    /// First four bytes of the fingerprint of a compressed point, as children carry it.
    public static func fingerprint(_ point: [UInt8]) throws(TangemError) -> [UInt8] {
        do { return Array(try SHA256.fingerprint(point).prefix(4)) } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    private func check() throws(TangemError) {
        guard chainCode.count == 32, parentFingerprint.count == 4, keyBytes.count == 33 else {
            throw Self.mistake("a part of it has a wrong length")
        }
        if depth == 0, parentFingerprint != [0, 0, 0, 0] || index != 0 {
            throw Self.mistake("a root has neither a parent nor an index")
        }
        do throws(CryptographyError) {
            if isPrivate {
                guard keyBytes.first == 0 else { throw .malformedKey(reason: "a scalar is not behind 00") }
                _ = try PrivateKey(Array(keyBytes.dropFirst()), curve: .secp256k1)
            } else {
                _ = try PublicKey(keyBytes, curve: .secp256k1)
            }
        } catch {
            throw Self.mistake(error.description)
        }
    }

    private static func mistake(_ reason: String) -> TangemError {
        TangemError(.cryptoUtilsError, "this is no extended key: \(reason)")
    }
}

/// A public key with its chain code, as an HD card gives it, and the children that follow from it.
public enum HostDerivation {
    /// The public key at the end of a path without hardened steps.
    ///
    /// - Parameters:
    ///   - key: The parent's point; 32 bytes are the x coordinate of a BIP340 key.
    ///   - chainCode: The parent's chain code.
    ///   - path: The steps.
    ///   - curve: secp256k1 or secp256r1.
    /// - Returns: The child's compressed point and chain code.
    /// - Throws: `nonHardenedDerivationNotSupported` for other curves, `cryptoUtilsError` for a wrong key or path.
    public static func child(
        of key: [UInt8],
        chainCode: [UInt8],
        path: DerivationPath,
        curve: Curve = .secp256k1
    ) throws(TangemError) -> (publicKey: [UInt8], chainCode: [UInt8]) {
        guard curve == .secp256k1 || curve == .secp256r1 else {
            throw TangemError(
                .nonHardenedDerivationNotSupported,
                "a host can follow secp256k1 and secp256r1 alone"
            )
        }
        do {
            let node = try HDPublicKey(key: PublicKey(key, curve: curve), chainCode: chainCode)
                .derived(path.indices)
            return (node.key.compressed, node.chainCode)
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }
}
