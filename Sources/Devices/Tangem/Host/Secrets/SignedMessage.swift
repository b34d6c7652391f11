// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// The messages that cards, issuers and terminals sign, before they are hashed.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public enum SignedMessage {
    /// Issuer data, and the end of issuer extra data: the counter is part of it whenever one is used.
    ///
    /// - Parameters:
    ///   - id: The card.
    ///   - data: All data.
    ///   - counter: The counter, nil for none.
    /// - Returns: The message.
    public static func issuerData(_ id: CardID, data: [UInt8], counter: UInt32? = nil) -> [UInt8] {
        id.bytes + data + counterBytes(counter)
    }

    /// The start of issuer extra data; the counter stands before the size.
    ///
    /// - Parameters:
    ///   - id: The card.
    ///   - size: Number of bytes that will follow.
    ///   - counter: The counter, nil for none.
    /// - Returns: The message.
    public static func extraDataStart(_ id: CardID, size: UInt16, counter: UInt32? = nil) -> [UInt8] {
        id.bytes + counterBytes(counter) + BigEndian.bytes(Int(size), count: 2)
    }

    /// The start of a file that an owner writes.
    public static func fileStart(_ id: CardID, size: UInt16, counter: UInt32) -> [UInt8] {
        extraDataStart(id, size: size, counter: counter)
    }

    /// The end of a file that an owner writes.
    public static func fileEnd(_ id: CardID, data: [UInt8], counter: UInt32) -> [UInt8] {
        issuerData(id, data: data, counter: counter)
    }

    /// What the manufacturer signs: the card identifier.
    public static func manufacturer(_ id: CardID) -> [UInt8] { id.bytes }

    /// What a card signs to prove its key.
    ///
    /// - Parameters:
    ///   - challenge: The host's bytes.
    ///   - salt: The card's bytes.
    ///   - backupKeys: The keys of the backup cards in full mode; nil otherwise.
    /// - Returns: The message.
    public static func card(challenge: [UInt8], salt: [UInt8], backupKeys: [[UInt8]]? = nil) -> [UInt8] {
        guard let backupKeys else { return challenge + salt }
        return challenge + salt + Array(TangemLimits.backupCardsText.utf8) + backupKeys.flatMap { $0 }
    }

    /// What a wallet signs to prove its key.
    public static func wallet(challenge: [UInt8], salt: [UInt8]) -> [UInt8] { challenge + salt }

    /// What a card signs to prove that a wallet is its own.
    ///
    /// - Parameters:
    ///   - walletKey: The key as the card reports it, not the one derived from it.
    ///   - challenge: The host's bytes; they count only together with a salt.
    ///   - publicKeySalt: The card's bytes, nil when there are none.
    ///   - status: The status byte of the wallet, nil when there is none.
    /// - Returns: The message.
    public static func cardForWallet(
        walletKey: [UInt8],
        challenge: [UInt8],
        publicKeySalt: [UInt8]?,
        status: UInt8?
    ) -> [UInt8] {
        var message = walletKey
        if let publicKeySalt { message += challenge + publicKeySalt }
        if let status { message.append(status) }
        return message
    }

    /// What a linked terminal signs: all hashes, one after the other.
    public static func terminal(_ hashes: [[UInt8]]) -> [UInt8] { hashes.flatMap { $0 } }

    /// The digest of both new codes that SET_PIN carries from 4.39.
    public static func codeHash(accessCode: UserCode, passcode: UserCode) -> [UInt8] {
        SHA256.digest(accessCode.digest + passcode.digest)
    }

    private static func counterBytes(_ counter: UInt32?) -> [UInt8] {
        counter.map { BigEndian.bytes(Int($0), count: 4) } ?? []
    }
}
