// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard

extension ChipState {
    /// The memory as a document; keys and passwords stand in it as they are.
    var savedMemory: JSON {
        .object([
            "nbt-chip": .integer(Self.savedVersion),
            "variant": .string(settings.hasECC ? "nbt2000" : "nbt1000"),
            "uid": .string(memory.uid.hex),
            "random-position": .string(String(memory.randomPosition)),
            "files": .object(memory.files.map { ($0.key.rawValue, $0.value) }),
            "configuration": .object(memory.configuration.map { ($0.key.rawValue, $0.value) }),
            "passwords": .array(
                memory.passwords.sorted { $0.key < $1.key }.map { id, password in
                    .object([
                        "id": .integer(Int(id)), "value": .string(password.value.hex),
                        "response": .string(password.response.hex), "limit": .integer(Int(password.limit)),
                        "tries-left": .integer(Int(password.triesLeft)),
                    ])
                }
            ),
            "ecc-key": memory.eccKey.map { .string($0.hex) } ?? .null,
            "cott-key": memory.cottKey.map { .string($0.hex) } ?? .null,
            "backend-test-off": .boolean(memory.isBackendTestOff),
        ])
    }

    /// Takes over a document; nothing changes when it is none of this variant.
    mutating func restore(_ text: String) throws(EmulatorOptionError) {
        let document: JSON
        do {
            document = try JSON(parsing: text)
        } catch {
            throw EmulatorOptionError(
                "the saved chip is no JSON text: \(error.message)",
                at: EmulatorOptionError.TextPlace(line: error.line, column: error.column)
            )
        }
        guard let version = document["nbt-chip"]?.integer else {
            throw EmulatorOptionError("the saved state is not that of an NBT of this program")
        }
        guard version == Self.savedVersion else {
            throw EmulatorOptionError(
                "the saved chip has version \(version), this program reads \(Self.savedVersion); start without it"
            )
        }
        let own = settings.hasECC ? "nbt2000" : "nbt1000"
        guard document["variant"]?.string == own else {
            let name = document["variant"]?.string ?? "?"
            throw EmulatorOptionError("the saved chip is an '\(name)', the option 'variant' says '\(own)'")
        }
        let fields = try SavedFields(document, keys: ChipMemory.keys)
        let saved = try ChipMemory(fields, like: memory)
        guard saved.files[.accessPolicy].map(isPolicy) == true else {
            throw fields.wrong("files.\(NBTFile.accessPolicy.savedName)", "it is no access policy")
        }
        guard !settings.isUIDGiven || saved.uid == settings.uid else {
            throw EmulatorOptionError(
                "the saved chip has the UID \(saved.uid.hex), the option 'uid' says \(settings.uid.hex)"
            )
        }
        replaceMemory(saved)
    }

    /// Version of the document.
    private static let savedVersion = 1
}

extension ChipMemory {
    fileprivate static let keys = [
        "nbt-chip", "variant", "uid", "random-position", "files", "configuration", "passwords", "ecc-key",
        "cott-key", "backend-test-off",
    ]

    /// Reads a document; files and settings must be those of another memory, with the same sizes.
    fileprivate init(_ saved: SavedFields, like other: ChipMemory) throws(EmulatorOptionError) {
        self.init(
            uid: try saved.bytes("uid", counts: [other.uid.count]),
            files: [:],
            configuration: [:]
        )
        guard let position = try UInt64(saved.text("random-position")) else {
            throw saved.wrong("random-position", "it is no number")
        }
        randomPosition = position
        let files = try saved.object("files", keys: other.files.keys.map(\.savedName))
        for (file, content) in other.files {
            self.files[file] = try files.bytes(file.savedName, counts: [content.count])
        }
        let configuration = try saved.object("configuration", keys: other.configuration.keys.map(\.savedName))
        for (tag, value) in other.configuration {
            let bytes = try configuration.bytes(tag.savedName, counts: [value.count])
            guard ConfiguratorValues.allowed[tag]?.contains(bytes) ?? true else {
                throw configuration.wrong(tag.savedName, "\(bytes.hex) is no value of it")
            }
            self.configuration[tag] = bytes
        }
        let count = 0...PasswordLimits.countLimit
        for item in try saved.objects("passwords", count: count, keys: StoredPassword.keys) {
            let id = UInt8(truncatingIfNeeded: try item.number("id", in: 1...0x1F))
            guard passwords.updateValue(try StoredPassword(item), forKey: id) == nil else {
                throw item.wrong("id", "another password has it")
            }
        }
        if !saved.isNull("ecc-key") {
            let key = try saved.bytes("ecc-key", counts: [32])
            guard ChipState.isKey(key) else { throw saved.wrong("ecc-key", "it is no key of the curve") }
            eccKey = key
        }
        if !saved.isNull("cott-key") { cottKey = try saved.bytes("cott-key", counts: [16]) }
        isBackendTestOff = try saved.flag("backend-test-off")
    }
}

extension StoredPassword {
    fileprivate static let keys = ["id", "value", "response", "limit", "tries-left"]

    fileprivate init(_ saved: SavedFields) throws(EmulatorOptionError) {
        let limit = try saved.number("limit", in: 0...0xFFFF)
        self.init(
            value: try saved.bytes("value", counts: [PasswordLimits.valueSize]),
            response: try saved.bytes("response", counts: [PasswordLimits.responseSize]),
            limit: UInt16(truncatingIfNeeded: limit),
            triesLeft: UInt16(truncatingIfNeeded: try saved.number("tries-left", in: 0...limit))
        )
    }
}

extension RawRepresentable where RawValue == UInt16 {
    /// The number in hex, as saved states have it.
    fileprivate var savedName: String { String(rawValue, radix: 16, uppercase: true) }
}

extension JSON {
    /// Bytes by two-byte number, in the order of the numbers.
    fileprivate static func object(_ values: [(UInt16, [UInt8])]) -> JSON {
        .object(
            values.sorted { $0.0 < $1.0 }.map { number, bytes in
                JSON.Member(String(number, radix: 16, uppercase: true), .string(bytes.hex))
            }
        )
    }
}
