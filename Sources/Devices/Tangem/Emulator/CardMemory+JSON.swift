// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import TangemConstants

extension CardIdentity {
    var json: JSON {
        .object([
            "card-id": .hex(cardID), "card-data": .hex(cardData), "curve": .string(curve.rawValue),
            "max-signatures": .integer(maxSignatures), "methods": .integer(Int(signingMethods)),
            "settings": .integer(Int(settings.rawValue)), "pause": .integer(pause), "cvc": .hex(cvc),
            "ndef": .hex(ndef), "issuer-key": .hex(issuerKey), "wallets": .integer(walletsCount),
        ])
    }

    static let keys = [
        "card-id", "card-data", "curve", "max-signatures", "methods", "settings", "pause", "cvc", "ndef",
        "issuer-key", "wallets",
    ]

    init(saved: SavedFields, _ profile: CardProfile) throws(EmulatorOptionError) {
        let cardData = try saved.bytes("card-data", count: 1...512)
        guard CommandFields(cardData) != nil else { throw saved.wrong("card-data", "it is no list of tags") }
        let issuerKey = try saved.bytes("issuer-key", counts: [65])
        guard (try? PublicKey(issuerKey, curve: .secp256k1)) != nil else {
            throw saved.wrong("issuer-key", "it is no point of the curve")
        }
        self.init(
            cardID: try saved.bytes("card-id", counts: [8]),
            cardData: cardData,
            curve: try saved.curve("curve", profile),
            maxSignatures: try saved.number("max-signatures", in: 0...largest32),
            signingMethods: UInt8(truncatingIfNeeded: try saved.number("methods", in: 0...0xFF)),
            settings: TangemSettings(rawValue: try saved.word("settings")),
            pause: try saved.number("pause", in: 0...0xFFFF),
            cvc: try saved.bytes("cvc", count: 0...largestObject),
            ndef: try saved.bytes("ndef", count: 0...NDEFFiles.size),
            issuerKey: issuerKey,
            walletsCount: try saved.number("wallets", in: 1...(profile.has(.multiWallet) ? 255 : 1))
        )
    }
}

extension WalletSlot {
    var json: JSON {
        .object([
            "status": .integer(Int(status)),
            "curve": key.map { .string($0.curve.rawValue) } ?? .null,
            "secret": key.map { .hex($0.secret) } ?? .null,
            "chain-code": key.map { .hex($0.chainCode) } ?? .null,
            "public-key": .hex(publicKey), "settings": .integer(Int(settings.rawValue)),
            "remaining": .integer(remainingSignatures), "signed": .integer(signedHashes),
            "attestations": .integer(attestations),
        ])
    }

    static let keys = [
        "status", "curve", "secret", "chain-code", "public-key", "settings", "remaining", "signed",
        "attestations",
    ]

    init(saved: SavedFields, _ profile: CardProfile) throws(EmulatorOptionError) {
        status = UInt8(truncatingIfNeeded: try saved.number("status", in: 0...0xFF))
        let own = status & ~TangemWalletStatus.backedUpBit
        if TangemWalletStatus.available.contains(status) {
            let key = try WalletKey(saved: saved, profile)
            self.key = key
            publicKey = try saved.bytes("public-key", count: 1...65)
            guard let right = try? key.publicKey(isCompressed: profile.has(.multiWallet)) else {
                throw saved.wrong("secret", "it is no key of the curve")
            }
            guard publicKey == right else { throw saved.wrong("public-key", "the secret has another one") }
        } else {
            guard own == TangemWalletStatus.empty || own == TangemWalletStatus.purged else {
                throw saved.wrong("status", "\(status) is none of a slot")
            }
            for name in ["curve", "secret", "chain-code"] where !saved.isNull(name) {
                throw saved.wrong(name, "the slot holds no wallet")
            }
            _ = try saved.bytes("public-key", counts: [0])
        }
        settings = TangemSettings(rawValue: try saved.word("settings"))
        remainingSignatures = try saved.number("remaining", in: 0...largest32)
        signedHashes = try saved.number("signed", in: 0...largest32)
        attestations = try saved.number("attestations", in: 0...largest32)
    }
}

extension WalletKey {
    fileprivate init(saved: SavedFields, _ profile: CardProfile) throws(EmulatorOptionError) {
        let curve = try saved.curve("curve", profile)
        let isExtended = curve == .ed25519 && profile.has(.hdWallets)
        self.init(
            curve: curve,
            secret: try saved.bytes("secret", counts: [isExtended ? 64 : 32]),
            chainCode: try saved.bytes("chain-code", counts: [profile.has(.hdWallets) ? 32 : 0])
        )
    }
}

extension SignedData {
    var json: JSON {
        .object([
            "data": .hex(data), "signature": .hex(signature),
            "counter": counter.map(JSON.integer) ?? .null,
        ])
    }

    static let keys = ["data", "signature", "counter"]

    init(saved: SavedFields, limit: Int) throws(EmulatorOptionError) {
        let data = try saved.bytes("data", count: 0...limit)
        // Nothing was written, or the issuer signed it.
        self.init(data: data, signature: try saved.bytes("signature", counts: data.isEmpty ? [0, 64] : [64]))
        guard !saved.isNull("counter") else { return }
        guard !signature.isEmpty else { throw saved.wrong("counter", "nothing was written") }
        counter = try saved.number("counter", in: 0...largest32)
    }
}

extension CardFile {
    var json: JSON {
        .object([
            "data": .hex(data), "settings": .integer(Int(settings)),
            "wallet": walletIndex.map(JSON.integer) ?? .null, "issuers": .boolean(isIssuers),
        ])
    }

    static let keys = ["data", "settings", "wallet", "issuers"]

    init(saved: SavedFields, slots: Int) throws(EmulatorOptionError) {
        self.init(
            data: try saved.bytes("data", count: 1...TangemLimits.filesSize),
            settings: UInt8(truncatingIfNeeded: try saved.number("settings", in: 0...0xFF)),
            walletIndex: saved.isNull("wallet") ? nil : try saved.number("wallet", in: 0...max(slots - 1, 0)),
            isIssuers: try saved.flag("issuers")
        )
    }
}

extension BackupMemory {
    var json: JSON {
        .object([
            "status": .integer(Int(status)), "primary": .boolean(isPrimary), "linking-key": .hex(linkingKey),
            "count": .integer(count), "card-keys": .array(cardKeys.map(JSON.hex)),
            "link-keys": .array(linkKeys.map(JSON.hex)),
            "moved": .array(movedSlots.sorted().map(JSON.integer)), "finalized": .boolean(isFinalized),
        ])
    }

    static let keys = [
        "status", "primary", "linking-key", "count", "card-keys", "link-keys", "moved", "finalized",
    ]

    /// The most cards of a set besides the primary one.
    private static let backupCards = 2
    /// A primary card counts the slots of its second backup card from here.
    private static let slotsOfCard = 256

    init(saved: SavedFields) throws(EmulatorOptionError) {
        let states = Int(TangemBackupStatus.none)...Int(TangemBackupStatus.active)
        status = UInt16(truncatingIfNeeded: try saved.number("status", in: states))
        isPrimary = try saved.flag("primary")
        linkingKey = try saved.bytes("linking-key", counts: [0, 32])
        if !linkingKey.isEmpty, (try? PrivateKey(linkingKey, curve: .secp256k1)) == nil {
            throw saved.wrong("linking-key", "it is no key of the curve")
        }
        count = try saved.number("count", in: 0...Self.backupCards)
        cardKeys = try saved.byteStrings("card-keys", count: 0...Self.backupCards, length: 65)
        linkKeys = try saved.byteStrings("link-keys", count: 0...Self.backupCards, length: 65)
        let places = Self.slotsOfCard * Self.backupCards
        movedSlots = Set(try saved.numbers("moved", count: 0...places, in: 0...places - 1))
        isFinalized = try saved.flag("finalized")
        guard status == TangemBackupStatus.none || (!linkingKey.isEmpty && count > 0 && !cardKeys.isEmpty)
        else { throw saved.wrong("status", "it is \(status) on a card that is linked to none") }
    }
}

/// The largest number of 32 bits, where counters end.
let largest32 = Int(UInt32.max)
/// The longest object of a command.
private let largestObject = 0xFFFF

extension JSON {
    static func hex(_ bytes: [UInt8]) -> JSON { .string(bytes.hex) }
}

extension SavedFields {
    /// A curve that the profile's own wallets may have.
    fileprivate func curve(_ key: String, _ profile: CardProfile) throws(EmulatorOptionError) -> TangemCurve {
        let name = try text(key)
        guard let curve = TangemCurve(rawValue: name), !curve.isBLS, profile.has(curve.since) else {
            throw wrong(key, "'\(name)' is no curve of \(profile.name)")
        }
        return curve
    }

    /// A mask of 32 bits.
    func word(_ key: String) throws(EmulatorOptionError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(key, in: 0...largest32))
    }
}
