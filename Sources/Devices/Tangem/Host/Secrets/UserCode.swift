// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// A code of the user: what goes to the card is the SHA-256 of its text.
public struct UserCode: Hashable, Sendable {
    /// Which code is meant.
    public enum Kind: String, Hashable, Sendable {
        /// PIN1: every command carries it.
        case accessCode
        /// PIN2: commands that sign or change something carry it.
        case passcode
    }

    /// The digest, 32 bytes.
    public let digest: [UInt8]

    /// Takes the text of a code.
    public init(_ text: String) {
        digest = SHA256.digest(Array(text.utf8))
    }

    /// Takes the digest of a code.
    public init(digest: [UInt8]) throws(TangemError) {
        guard digest.count == 32 else {
            throw TangemError(.encodingFailed, "the digest of a code has 32 bytes, here are \(digest.count)")
        }
        self.digest = digest
    }

    /// The code that every card comes with.
    public static func standard(_ kind: Kind) -> UserCode {
        UserCode(kind == .accessCode ? TangemLimits.defaultAccessCode : TangemLimits.defaultPasscode)
    }

    /// Fewest characters of a new code.
    public static let shortestNewCode = 4

    /// A new code, which must not be too short.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kind: Which code it shall be.
    /// - Returns: The code.
    /// - Throws: `accessCodeTooShort` or `passcodeTooShort`.
    public static func new(_ text: String, _ kind: Kind) throws(TangemError) -> UserCode {
        guard text.count >= shortestNewCode else {
            throw TangemError(
                kind == .accessCode ? .accessCodeTooShort : .passcodeTooShort,
                "it has \(text.count) characters, give \(shortestNewCode) or more"
            )
        }
        return UserCode(text)
    }
}
