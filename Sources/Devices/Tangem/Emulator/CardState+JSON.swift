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
        guard let position = document["random-position"]?.string.flatMap({ UInt64($0) }),
            let memory = document["memory"].flatMap(CardMemory.init(json:))
        else { throw EmulatorOptionError("the saved card is damaged; start without it") }
        do {
            try replaceMemory(memory)
        } catch {
            throw EmulatorOptionError("the saved card has no usable key: \(error)")
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
            "card-key": .hex(cardKey), "identity": identity?.json, "pin1": .hex(pin1), "pin2": .hex(pin2),
            "pin3": .hex(pin3), "pin1-failures": .integer(pin1Failures),
            "pin2-failures": .integer(pin2Failures), "slots": .array(slots.map(\.json)),
            "terminal": terminalKey.map(JSON.hex), "issuer-data": issuerData.json,
            "extra-data": extraData.json, "user-data": .hex(userData),
            "user-protected-data": .hex(userProtectedData), "user-counter": .integer(userCounter),
            "user-protected-counter": .integer(userProtectedCounter), "files": .array(files.map(\.json)),
            "file-counter": .integer(fileCounter), "user-settings": .integer(Int(userSettings.rawValue)),
            "backup": backup.json, "otp-root": .hex(otpRoot), "otp-counter": .integer(otpCounter),
        ])
    }

    init?(json: JSON) {
        guard let cardKey = json.bytes("card-key"), let pin1 = json.bytes("pin1"),
            let pin2 = json.bytes("pin2"), let slots = json.list("slots", WalletSlot.init(json:)),
            let files = json.list("files", CardFile.init(json:)),
            let issuerData = json["issuer-data"].flatMap(SignedData.init(json:)),
            let extraData = json["extra-data"].flatMap(SignedData.init(json:)),
            let backup = json["backup"].flatMap(BackupMemory.init(json:))
        else { return nil }
        self.init(cardKey: cardKey, pin1: pin1, pin2: pin2)
        if let given = json["identity"] {
            guard let identity = CardIdentity(json: given), identity.walletsCount == slots.count else {
                return nil
            }
            self.identity = identity
        }
        pin3 = json.bytes("pin3") ?? []
        pin1Failures = json.count("pin1-failures")
        pin2Failures = json.count("pin2-failures")
        self.slots = slots
        terminalKey = json.bytes("terminal")
        self.issuerData = issuerData
        self.extraData = extraData
        userData = json.bytes("user-data") ?? []
        userProtectedData = json.bytes("user-protected-data") ?? []
        userCounter = json.count("user-counter")
        userProtectedCounter = json.count("user-protected-counter")
        self.files = files
        fileCounter = json.count("file-counter")
        userSettings = TangemUserSettings(rawValue: UInt32(json.count("user-settings")))
        self.backup = backup
        otpRoot = json.bytes("otp-root") ?? []
        otpCounter = json.count("otp-counter")
    }
}
