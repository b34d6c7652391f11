// SPDX-License-Identifier: MIT

/// The nonces of deterministic ECDSA: an HMAC generator fed with the key and the digest.
///
/// Source: RFC 6979 §3.2. libcrypto 3.0 does not offer it.
struct DeterministicNonce {
    private let order: BigNumber
    private let bits: Int
    private let length: Int
    private let hash: HashAlgorithm
    private var key: [UInt8]
    private var value: [UInt8]

    init(
        scalar: SecretBytes,
        digest: [UInt8],
        hash: HashAlgorithm,
        group: CurveGroup
    ) throws(CryptographyError) {
        order = group.scalars.modulus
        bits = order.bitCount
        length = (bits + 7) / 8
        self.hash = hash
        let reduced = try group.scalars.remainder(Self.number(digest, bits: bits)).bytes(length: length)
        var seed = scalar.copy + reduced
        value = [UInt8](repeating: 1, count: hash.digestLength)
        key = [UInt8](repeating: 0, count: hash.digestLength)
        for step: UInt8 in [0, 1] {
            key = try HMAC.code(hash, key: key, message: value + [step] + seed)
            value = try HMAC.code(hash, key: key, message: value)
        }
        wipe(&seed)
    }

    /// The leftmost bits of a digest as a number (bits2int).
    static func number(_ digest: [UInt8], bits: Int) throws(CryptographyError) -> BigNumber {
        let number = try BigNumber(digest)
        let surplus = digest.count * 8 - bits
        return surplus > 0 ? try number.shiftedRight(by: surplus) : number
    }

    /// The next nonce from 1 to the order less 1.
    mutating func next() throws(CryptographyError) -> BigNumber {
        while true {
            var bytes: [UInt8] = []
            while bytes.count * 8 < bits {
                value = try HMAC.code(hash, key: key, message: value)
                bytes += value
            }
            let candidate = try Self.number(Array(bytes.prefix(length)), bits: bits)
            wipe(&bytes)
            let fits = !candidate.isZero && candidate < order
            let result = candidate
            // Moves on even after a nonce that fits: the caller comes back when r or s was zero.
            key = try HMAC.code(hash, key: key, message: value + [0])
            value = try HMAC.code(hash, key: key, message: value)
            if fits { return result }
        }
    }
}
