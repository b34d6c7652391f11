// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import TangemConstants

extension CardState {
    /// The state that survives the loss of power, as a document.
    var json: JSON {
        .object([
            "tangem-card": 1,
            "profile": .string(settings.profile.name),
            "random-position": .string(String(random.position)),
            "memory": memory.json,
        ])
    }

    /// Takes over a document; nothing changes when it is not one of this profile.
    mutating func restore(_ text: String) throws(EmulatorOptionError) {
        let document: JSON
        do {
            document = try JSON(parsing: text)
        } catch {
            throw EmulatorOptionError(
                "the saved card is no JSON text: \(error.message)",
                at: EmulatorOptionError.TextPlace(line: error.line, column: error.column)
            )
        }
        guard document["tangem-card"]?.integer == 1 else {
            throw EmulatorOptionError("the saved state is not that of a Tangem card of this program")
        }
        guard document["profile"]?.string == settings.profile.name else {
            let name = document["profile"]?.string ?? "?"
            throw EmulatorOptionError(
                "the saved card is of profile '\(name)', this one is '\(settings.profile.name)'"
            )
        }
        let saved = try SavedFields(
            document,
            keys: ["tangem-card", "profile", "random-position", "memory"]
        )
        guard let position = try UInt64(saved.text("random-position")) else {
            throw saved.wrong("random-position", "it is no number")
        }
        let memory = try CardMemory(saved: saved.object("memory", keys: CardMemory.keys), settings.profile)
        do {
            try replaceMemory(memory)
        } catch {
            throw saved.wrong("memory.card-key", "it is no key of the curve")
        }
        random.position = position
        storedDelay = nil
        let isPowered = field.isPowered
        setPower(isPowered)
    }
}

extension CardMemory {
    var json: JSON {
        .object([
            "card-key": .hex(cardKey), "identity": identity?.json ?? .null, "pin1": .hex(pin1),
            "pin2": .hex(pin2),
            "pin3": .hex(pin3), "pin1-failures": .integer(pin1Failures),
            "pin2-failures": .integer(pin2Failures), "slots": .array(slots.map(\.json)),
            "terminal": terminalKey.map(JSON.hex) ?? .null, "issuer-data": issuerData.json,
            "extra-data": extraData.json, "user-data": .hex(userData),
            "user-protected-data": .hex(userProtectedData), "user-counter": .integer(userCounter),
            "user-protected-counter": .integer(userProtectedCounter), "files": .array(files.map(\.json)),
            "file-counter": .integer(fileCounter), "user-settings": .integer(Int(userSettings.rawValue)),
            "backup": backup.json, "otp-root": .hex(otpRoot), "otp-counter": .integer(otpCounter),
        ])
    }

    static let keys = [
        "card-key", "identity", "pin1", "pin2", "pin3", "pin1-failures", "pin2-failures", "slots", "terminal",
        "issuer-data", "extra-data", "user-data", "user-protected-data", "user-counter",
        "user-protected-counter", "files", "file-counter", "user-settings", "backup", "otp-root",
        "otp-counter",
    ]

    init(saved: SavedFields, _ profile: CardProfile) throws(EmulatorOptionError) {
        self.init(
            cardKey: try saved.bytes("card-key", counts: [32]),
            pin1: try saved.bytes("pin1", counts: [CodeDigest.size]),
            pin2: try saved.bytes("pin2", counts: [CodeDigest.size])
        )
        if !saved.isNull("identity") {
            identity = try CardIdentity(saved: saved.object("identity", keys: CardIdentity.keys), profile)
        }
        pin3 = try saved.bytes("pin3", count: 0...0xFFFF)
        pin1Failures = try saved.number("pin1-failures", in: 0...largest32)
        pin2Failures = try saved.number("pin2-failures", in: 0...largest32)
        for slot in try saved.objects("slots", count: 0...255, keys: WalletSlot.keys) {
            slots.append(try WalletSlot(saved: slot, profile))
        }
        guard slots.count == identity?.walletsCount ?? 0 else {
            let count = identity.map { "\($0.walletsCount)" } ?? "none, since it is blank"
            throw saved.wrong("slots", "there are \(slots.count), the card has \(count)")
        }
        if !saved.isNull("terminal") {
            let key = try saved.bytes("terminal", counts: [33, 65])
            guard (try? PublicKey(key, curve: .secp256k1)) != nil else {
                throw saved.wrong("terminal", "it is no point of the curve")
            }
            terminalKey = key
        }
        issuerData = try SignedData(
            saved: saved.object("issuer-data", keys: SignedData.keys),
            limit: TangemLimits.dataSize
        )
        extraData = try SignedData(
            saved: saved.object("extra-data", keys: SignedData.keys),
            limit: TangemLimits.extraDataSize
        )
        userData = try saved.bytes("user-data", count: 0...TangemLimits.dataSize)
        userProtectedData = try saved.bytes("user-protected-data", count: 0...TangemLimits.dataSize)
        userCounter = try saved.number("user-counter", in: 0...largest32)
        userProtectedCounter = try saved.number("user-protected-counter", in: 0...largest32)
        for file in try saved.objects("files", count: 0...256, keys: CardFile.keys) {
            files.append(try CardFile(saved: file, slots: slots.count))
        }
        guard files.reduce(0, { $0 + $1.data.count }) <= TangemLimits.filesSize else {
            throw saved.wrong("files", "all of them together are longer than the card's room")
        }
        fileCounter = try saved.number("file-counter", in: 0...largest32)
        userSettings = TangemUserSettings(rawValue: try saved.word("user-settings"))
        backup = try BackupMemory(saved: saved.object("backup", keys: BackupMemory.keys))
        otpRoot = try saved.bytes("otp-root", counts: [0, 32])
        otpCounter = try saved.number("otp-counter", in: 0...largest32)
    }
}
