// SPDX-License-Identifier: MIT

import NBTConstants

/// Self-tests of the chip, as BACKEND TEST takes and answers them.
public struct BackendTests: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Random numbers.
    public static let random = BackendTests(rawValue: BackendTestBit.random)
    /// Signing with the chip's key.
    public static let sign = BackendTests(rawValue: BackendTestBit.sign)
    /// Taking the key from the certificate.
    public static let certificateKey = BackendTests(rawValue: BackendTestBit.certificateKey)
    /// Verifying the signature.
    public static let verify = BackendTests(rawValue: BackendTestBit.verify)
    /// Taking the UID from the certificate.
    public static let certificateUID = BackendTests(rawValue: BackendTestBit.certificateUID)
    /// Comparing it with the chip's.
    public static let uidComparison = BackendTests(rawValue: BackendTestBit.uidComparison)
    /// One-time token.
    public static let cott = BackendTests(rawValue: BackendTestBit.cott)
    /// All seven.
    public static let all = BackendTests(rawValue: BackendTestBit.all)

    /// The single tests with their words, the lowest bit first.
    public static let words: [(word: String, test: BackendTests)] = [
        ("random", .random), ("sign", .sign), ("certificate-key", .certificateKey), ("verify", .verify),
        ("certificate-uid", .certificateUID), ("uid-comparison", .uidComparison), ("cott", .cott),
    ]

    /// The words of the tests in the set.
    public var words: [String] { Self.words.filter { contains($0.test) }.map(\.word) }
}
