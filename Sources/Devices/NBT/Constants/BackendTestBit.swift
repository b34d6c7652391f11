// SPDX-License-Identifier: MIT

/// Self-tests that BACKEND TEST runs, by their bit in P2 and in the answer.
///
/// Source: the vendor's public C library (MIT).
public enum BackendTestBit {
    /// Random numbers.
    public static let random: UInt8 = 0x01
    /// Signing with the chip's key.
    public static let sign: UInt8 = 0x02
    /// Taking the key from the certificate.
    public static let certificateKey: UInt8 = 0x04
    /// Verifying the signature.
    public static let verify: UInt8 = 0x08
    /// Taking the UID from the certificate.
    public static let certificateUID: UInt8 = 0x10
    /// Comparing it with the chip's.
    public static let uidComparison: UInt8 = 0x20
    /// One-time token.
    public static let cott: UInt8 = 0x40
    /// All seven.
    public static let all: UInt8 = 0x7F
    /// Not a test: switches the command off for good.
    public static let disable: UInt16 = 0xFF00
}
