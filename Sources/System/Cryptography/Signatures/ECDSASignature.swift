// SPDX-License-Identifier: MIT

/// r and s of an ECDSA signature, free of any form.
public struct ECDSASignature: Hashable, Sendable {
    /// How a signature is written.
    public enum Form: String, Hashable, Sendable {
        /// r and s of equal length, one after the other.
        case raw
        /// A DER SEQUENCE of two INTEGERs.
        case der
    }

    /// r, unsigned big-endian without zeros in front; empty for zero.
    public let r: [UInt8]
    /// s, unsigned big-endian without zeros in front; empty for zero.
    public let s: [UInt8]

    /// Takes r and s, unsigned big-endian.
    public init(r: [UInt8], s: [UInt8]) {
        self.r = Array(r.drop { $0 == 0 })
        self.s = Array(s.drop { $0 == 0 })
    }

    /// Reads r and s of the length that the curve asks for.
    public init(raw: [UInt8], curve: Curve) throws(CryptographyError) {
        let length = curve.scalarLength
        guard raw.count == 2 * length else {
            throw .malformedSignature(
                reason: "\(raw.count) bytes, where r and s of \(curve.rawValue) take \(2 * length)"
            )
        }
        self.init(r: Array(raw.prefix(length)), s: Array(raw.suffix(length)))
    }

    /// Reads a DER SEQUENCE of two INTEGERs, and nothing that DER forbids.
    ///
    /// Source: SEC 1 §C.5, ITU-T X.690 §8.3 and §10.1.
    public init(der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der)
        var inner = DERReader(try outer.element(DER.sequence, "the sequence"))
        try outer.end(of: "the sequence")
        let r = try inner.unsigned("r")
        let s = try inner.unsigned("s")
        try inner.end(of: "s")
        self.init(r: r, s: s)
    }

    /// Reads either form: bytes of the length of the curve's r and s are raw, all others are DER.
    public init(_ bytes: [UInt8], curve: Curve, form: Form? = nil) throws(CryptographyError) {
        switch form ?? (bytes.count == 2 * curve.scalarLength ? .raw : .der) {
        case .raw: try self.init(raw: bytes, curve: curve)
        case .der: try self.init(der: bytes)
        }
    }

    /// The DER form.
    public var der: [UInt8] {
        DER.element(DER.sequence, DER.unsigned(r) + DER.unsigned(s))
    }

    /// The raw form for a curve.
    public func raw(for curve: Curve) throws(CryptographyError) -> [UInt8] {
        try padded(r, "r", curve) + padded(s, "s", curve)
    }

    /// Refuses an r or s that is zero or not below the order of the curve.
    public func check(for curve: Curve) throws(CryptographyError) {
        let order = try CurveGroup(curve).scalars.modulus
        for (part, value) in [("r", r), ("s", s)] {
            guard !value.isEmpty, value.count <= curve.scalarLength, try BigNumber(value) < order else {
                throw .signatureOutOfRange(part: part, curve: curve)
            }
        }
    }

    /// Whether s is in the lower half of the group, which some chains ask for.
    ///
    /// Source: BIP62, "Low S values in signatures".
    public func isLowS(for curve: Curve) throws(CryptographyError) -> Bool {
        try check(for: curve)
        let half = try CurveGroup(curve).scalars.modulus.half()
        return try !(half < BigNumber(s))
    }

    /// The signature with the lower of the two values that s may have; both verify.
    public func lowS(for curve: Curve) throws(CryptographyError) -> ECDSASignature {
        guard try !isLowS(for: curve) else { return self }
        let scalars = try CurveGroup(curve).scalars
        let other = try scalars.difference(BigNumber(), BigNumber(s))
        return ECDSASignature(r: r, s: try other.bytes(length: curve.scalarLength))
    }

    private func padded(_ value: [UInt8], _ part: String, _ curve: Curve) throws(CryptographyError) -> [UInt8]
    {
        let missing = curve.scalarLength - value.count
        guard missing >= 0 else { throw .signatureOutOfRange(part: part, curve: curve) }
        return [UInt8](repeating: 0, count: missing) + value
    }
}
