// SPDX-License-Identifier: MIT

/// A private key in a tree of keys that grow from one seed.
///
/// Source: BIP32 for secp256k1, SLIP-0010 for the other curves.
public struct HDPrivateKey: Sendable {
    /// From this index on the child depends on the private key, not on the public one.
    public static let hardened: UInt32 = 0x8000_0000

    /// The key.
    public let key: PrivateKey
    /// 32 bytes that go into the children.
    public let chainCode: [UInt8]

    /// A node of the tree, from a key and 32 bytes of chain code.
    public init(key: PrivateKey, chainCode: [UInt8]) throws(CryptographyError) {
        guard chainCode.count == 32 else {
            throw .wrongLength(what: "the chain code", length: chainCode.count, allowed: "32")
        }
        self.key = key
        self.chainCode = chainCode
    }

    /// The root of the tree of a seed, on secp256k1, secp256r1 or ed25519.
    public static func master(seed: [UInt8], curve: Curve) throws(CryptographyError) -> HDPrivateKey {
        let name: String
        switch curve {
        case .secp256k1: name = "Bitcoin seed"
        case .secp256r1: name = "Nist256p1 seed"
        case .ed25519: name = "ed25519 seed"
        default: throw .wrongCurve(curve, needed: "secp256k1, secp256r1, ed25519")
        }
        guard !seed.isEmpty else { throw .wrongLength(what: "the seed", length: 0, allowed: "1 or more") }
        var material = seed
        while true {
            let output = HMAC.sha512(key: Array(name.utf8), message: material)
            do throws(CryptographyError) {
                let key = try PrivateKey(Array(output.prefix(32)), curve: curve)
                return try HDPrivateKey(key: key, chainCode: Array(output.suffix(32)))
            } catch .scalarOutOfRange {
                // SLIP-0010, "Master key generation": the output is the next input.
                material = output
            }
        }
    }

    /// The public node, whose children that are not hardened can be found without the private key.
    public var publicNode: HDPublicKey {
        HDPublicKey(key: key.publicKey, checkedChainCode: chainCode)
    }

    /// One child; Ed25519 has hardened ones only.
    public func child(_ index: UInt32) throws(CryptographyError) -> HDPrivateKey {
        let isHardened = index >= Self.hardened
        guard key.curve != .ed25519 || isHardened else {
            throw .derivation(reason: "Ed25519 has hardened children only, and \(index) is not one")
        }
        var message = (isHardened ? [0] + key.scalar : key.publicKey.compressed) + bigEndian(index)
        defer { wipe(&message) }
        while true {
            let output = HMAC.sha512(key: chainCode, message: message)
            let left = Array(output.prefix(32))
            let right = Array(output.suffix(32))
            if key.curve == .ed25519 {
                return try HDPrivateKey(key: PrivateKey(left, curve: .ed25519), chainCode: right)
            }
            if let child = try key.adding(left) { return try HDPrivateKey(key: child, chainCode: right) }
            // SLIP-0010, "Private parent key -> private child key", step 6.
            message = [1] + right + bigEndian(index)
        }
    }

    /// The node at the end of a path.
    public func derived(_ path: [UInt32]) throws(CryptographyError) -> HDPrivateKey {
        var node = self
        for index in path { node = try node.child(index) }
        return node
    }
}

/// A public key in a tree of keys that grow from one seed.
///
/// Source: BIP32 for secp256k1, SLIP-0010 for secp256r1.
public struct HDPublicKey: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// 32 bytes that go into the children.
    public let chainCode: [UInt8]

    /// A node of the tree, from a key and 32 bytes of chain code.
    public init(key: PublicKey, chainCode: [UInt8]) throws(CryptographyError) {
        guard chainCode.count == 32 else {
            throw .wrongLength(what: "the chain code", length: chainCode.count, allowed: "32")
        }
        self.init(key: key, checkedChainCode: chainCode)
    }

    init(key: PublicKey, checkedChainCode: [UInt8]) {
        self.key = key
        chainCode = checkedChainCode
    }

    /// One child that is not hardened, on secp256k1 or secp256r1.
    public func child(_ index: UInt32) throws(CryptographyError) -> HDPublicKey {
        guard key.curve == .secp256k1 || key.curve == .secp256r1 else {
            throw .wrongCurve(key.curve, needed: "secp256k1, secp256r1")
        }
        guard index < HDPrivateKey.hardened else {
            throw .derivation(
                reason: "the hardened child \(index - HDPrivateKey.hardened) needs the private key"
            )
        }
        var message = key.compressed + bigEndian(index)
        while true {
            let output = HMAC.sha512(key: chainCode, message: message)
            let right = Array(output.suffix(32))
            if let child = try key.adding(Array(output.prefix(32))) {
                return HDPublicKey(key: child, checkedChainCode: right)
            }
            message = [1] + right + bigEndian(index)
        }
    }

    /// The node at the end of a path.
    public func derived(_ path: [UInt32]) throws(CryptographyError) -> HDPublicKey {
        var node = self
        for index in path { node = try node.child(index) }
        return node
    }
}

/// An index as four bytes.
private func bigEndian(_ index: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: index >> (24 - 8 * $0)) }
}
