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
            "ecc-key": memory.eccKey.map { .string($0.hex) },
            "cott-key": memory.cottKey.map { .string($0.hex) },
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
        guard let saved = ChipMemory(document, like: memory), saved.files[.accessPolicy].map(isPolicy) == true
        else {
            throw EmulatorOptionError("the saved chip is damaged; start without it")
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
    /// Reads a document; files and settings must be those of another memory, with the same sizes.
    fileprivate init?(_ document: JSON, like other: ChipMemory) {
        guard let uid = document["uid"]?.bytes, uid.count == other.uid.count,
            let position = document["random-position"]?.string.flatMap({ UInt64($0) }),
            let files = document["files"]?.values, let configuration = document["configuration"]?.values,
            let passwords = document["passwords"]?.array
        else { return nil }
        self.init(uid: uid, files: [:], configuration: [:])
        for (file, content) in other.files {
            guard let saved = files[file.rawValue], saved.count == content.count else { return nil }
            self.files[file] = saved
        }
        for (tag, value) in other.configuration {
            guard let saved = configuration[tag.rawValue], saved.count == value.count,
                ConfiguratorValues.allowed[tag]?.contains(saved) ?? true
            else { return nil }
            self.configuration[tag] = saved
        }
        for item in passwords {
            guard let id = item["id"]?.integer, (1...0x1F).contains(id),
                let password = StoredPassword(item), self.passwords[UInt8(id)] == nil
            else { return nil }
            self.passwords[UInt8(id)] = password
        }
        guard let eccKey = document.optionalBytes("ecc-key", count: 32),
            let cottKey = document.optionalBytes("cott-key", count: 16),
            self.passwords.count <= PasswordLimits.countLimit,
            eccKey.map(ChipState.isKey) ?? true
        else { return nil }
        self.eccKey = eccKey
        self.cottKey = cottKey
        isBackendTestOff = document["backend-test-off"]?.boolean ?? false
        randomPosition = position
    }
}

extension StoredPassword {
    fileprivate init?(_ item: JSON) {
        guard let value = item["value"]?.bytes, value.count == PasswordLimits.valueSize,
            let response = item["response"]?.bytes, response.count == PasswordLimits.responseSize,
            let limit = item["limit"]?.integer.flatMap(UInt16.init(exactly:)),
            let left = item["tries-left"]?.integer.flatMap(UInt16.init(exactly:)), left <= limit
        else { return nil }
        self.init(value: value, response: response, limit: limit, triesLeft: left)
    }
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

    /// The bytes of hex text; nil when it is none.
    fileprivate var bytes: [UInt8]? {
        guard let text = string else { return nil }
        do { return try HexText.bytes(text) } catch { return nil }
    }

    /// Bytes by number, as ``object(_:)`` wrote them; nil when something else is there.
    fileprivate var values: [UInt16: [UInt8]]? {
        guard let members else { return nil }
        var out: [UInt16: [UInt8]] = [:]
        for member in members {
            guard let number = UInt16(member.key, radix: 16), let bytes = member.value.bytes else {
                return nil
            }
            out[number] = bytes
        }
        return out
    }

    /// Bytes that may be missing: `.some(nil)` then, nil when they are wrong.
    fileprivate func optionalBytes(_ key: String, count: Int) -> [UInt8]?? {
        guard let item = self[key] else { return .some(nil) }
        guard let bytes = item.bytes, bytes.count == count else { return nil }
        return .some(bytes)
    }
}
