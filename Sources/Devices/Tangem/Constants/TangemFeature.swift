// SPDX-License-Identifier: MIT

/// The firmware version from which something is there; 4.45 has the minor number 45, 1.19 has 19.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public struct TangemFeature: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Number before the point.
    public let major: Int
    /// Number behind the point.
    public let minor: Int

    /// Makes a threshold.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The order of versions.
    public static func < (a: TangemFeature, b: TangemFeature) -> Bool {
        (a.major, a.minor) < (b.major, b.minor)
    }

    /// Both numbers with a point between them; the minor one has two digits from 10 on.
    public var description: String { "\(major).\(minor < 10 ? "0" : "")\(minor)" }

    /// Counter of signed hashes (tag 63).
    public static let signedHashesCounter = TangemFeature(major: 1, minor: 16)
    /// Up to here, checking codes by SET_PIN meets a lasting delay.
    public static let persistentDelayEnd = TangemFeature(major: 1, minor: 19)
    /// Signature of the manufacturer and counter of issuer data.
    public static let issuerCounter = TangemFeature(major: 1, minor: 21)
    /// Challenge for the wallet's public key in ATTEST_WALLET_KEY.
    public static let publicKeyChallenge = TangemFeature(major: 2, minor: 1)
    /// Below this, hosts refuse to sign when the delay is over 15 s.
    public static let longDelays = TangemFeature(major: 2, minor: 28)
    /// Linked terminal; user data are off until ``userDataAgain``.
    public static let linkedTerminal = TangemFeature(major: 2, minor: 30)
    /// The tag 29 for old phones.
    public static let legacyMode = TangemFeature(major: 2, minor: 39)
    /// Files by the issuer.
    public static let files = TangemFeature(major: 3, minor: 29)
    /// Files by passcode and their checksum.
    public static let filesByPasscode = TangemFeature(major: 3, minor: 34)
    /// User data are there again.
    public static let userDataAgain = TangemFeature(major: 3, minor: 34)
    /// Several wallets, modes of READ; no remaining signatures, no issuer extra data.
    public static let multiWallet = TangemFeature(major: 4, minor: 0)
    /// READ tells whether the passcode is the default (tag 59).
    public static let pin2IsDefault = TangemFeature(major: 4, minor: 1)
    /// CREATE_WALLET answers a wallet record.
    public static let walletRecordOnCreate = TangemFeature(major: 4, minor: 25)
    /// READ tells whether the access code is the default (tag 5A).
    public static let pinIsDefault = TangemFeature(major: 4, minor: 33)
    /// Derived keys, backup, the digest in SET_PIN; no linked terminal any more.
    public static let hdWallets = TangemFeature(major: 4, minor: 39)
    /// Backup, see ``hdWallets``.
    public static let backup = TangemFeature(major: 4, minor: 39)
    /// BLS and BIP340.
    public static let bls = TangemFeature(major: 4, minor: 45)
    /// Import of keys, entropy, user settings, full attestation; one session for all chunks.
    public static let keysImport = TangemFeature(major: 6, minor: 21)
    /// Ed25519 with the derivation of SLIP-0010.
    public static let ed25519SLIP0010 = TangemFeature(major: 6, minor: 33)
}
