// SPDX-License-Identifier: MIT

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

    init?(json: JSON) {
        guard let cardID = json.bytes("card-id"), cardID.count == 8, let cardData = json.bytes("card-data"),
            let curve = json["curve"]?.string.flatMap(TangemCurve.init(rawValue:)), !curve.isBLS,
            let issuerKey = json.bytes("issuer-key"), (1...255).contains(json.count("wallets")),
            cardData.count <= 512, json.count("pause") <= 0xFFFF
        else { return nil }
        self.init(
            cardID: cardID,
            cardData: cardData,
            curve: curve,
            maxSignatures: json.count("max-signatures"),
            signingMethods: UInt8(truncatingIfNeeded: json.count("methods")),
            settings: TangemSettings(rawValue: UInt32(json.count("settings"))),
            pause: json.count("pause"),
            cvc: json.bytes("cvc") ?? [],
            ndef: json.bytes("ndef") ?? [],
            issuerKey: issuerKey,
            walletsCount: json.count("wallets")
        )
    }
}

extension WalletSlot {
    var json: JSON {
        .object([
            "status": .integer(Int(status)), "curve": key.map { .string($0.curve.rawValue) },
            "secret": key.map { .hex($0.secret) }, "chain-code": key.map { .hex($0.chainCode) },
            "public-key": .hex(publicKey), "settings": .integer(Int(settings.rawValue)),
            "remaining": .integer(remainingSignatures), "signed": .integer(signedHashes),
            "attestations": .integer(attestations),
        ])
    }

    init?(json: JSON) {
        status = UInt8(truncatingIfNeeded: json.count("status"))
        if let name = json["curve"]?.string {
            guard let curve = TangemCurve(rawValue: name), !curve.isBLS, let secret = json.bytes("secret"),
                let chainCode = json.bytes("chain-code"), let publicKey = json.bytes("public-key")
            else { return nil }
            key = WalletKey(curve: curve, secret: secret, chainCode: chainCode)
            self.publicKey = publicKey
        }
        settings = TangemSettings(rawValue: UInt32(json.count("settings")))
        remainingSignatures = json.count("remaining")
        signedHashes = json.count("signed")
        attestations = json.count("attestations")
    }
}

extension SignedData {
    var json: JSON {
        .object([
            "data": .hex(data), "signature": .hex(signature), "counter": counter.map(JSON.integer),
        ])
    }

    init?(json: JSON) {
        guard let data = json.bytes("data"), let signature = json.bytes("signature"),
            data.count <= TangemLimits.extraDataSize
        else { return nil }
        self.init(data: data, signature: signature)
        if json["counter"] != nil { counter = json.count("counter") }
    }
}

extension CardFile {
    var json: JSON {
        .object([
            "data": .hex(data), "settings": .integer(Int(settings)),
            "wallet": walletIndex.map(JSON.integer), "issuers": .boolean(isIssuers),
        ])
    }

    init?(json: JSON) {
        guard let data = json.bytes("data"), data.count <= TangemLimits.filesSize else { return nil }
        self.init(
            data: data,
            settings: UInt8(truncatingIfNeeded: json.count("settings")),
            walletIndex: json["wallet"] == nil ? nil : json.count("wallet"),
            isIssuers: json["issuers"]?.boolean ?? false
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

    init?(json: JSON) {
        guard let linkingKey = json.bytes("linking-key"), let cardKeys = json.list("card-keys", \.asBytes),
            let linkKeys = json.list("link-keys", \.asBytes), let moved = json.list("moved", \.integer)
        else { return nil }
        status = UInt16(truncatingIfNeeded: json.count("status"))
        isPrimary = json["primary"]?.boolean ?? false
        self.linkingKey = linkingKey
        count = min(json.count("count"), 255)
        self.cardKeys = cardKeys
        self.linkKeys = linkKeys
        movedSlots = Set(moved)
        isFinalized = json["finalized"]?.boolean ?? false
    }
}

extension JSON {
    static func hex(_ bytes: [UInt8]) -> JSON { .string(bytes.hex) }

    /// The bytes of hex text, nil when it is none.
    var asBytes: [UInt8]? {
        guard let text = string else { return nil }
        do { return try HexText.bytes(text) } catch { return nil }
    }

    func bytes(_ key: String) -> [UInt8]? { self[key]?.asBytes }

    /// A number that is stored as 32 bits at most; 0 when it is missing or out of range.
    func count(_ key: String) -> Int {
        guard let value = self[key]?.integer, (0...Int(UInt32.max)).contains(value) else { return 0 }
        return value
    }

    /// The elements of an array; nil when it is none or one of them does not fit.
    func list<Element>(_ key: String, _ element: (JSON) -> Element?) -> [Element]? {
        guard let items = self[key]?.array else { return nil }
        let read = items.compactMap(element)
        return read.count == items.count ? read : nil
    }
}
