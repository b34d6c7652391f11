// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// The options of a chip, read once.
struct ChipSettings: Sendable {
    let atr: [UInt8]
    let uid: [UInt8]
    let profile: [UInt8]
    let containerVersion: UInt8
    let largestRead: Int
    let largestWrite: Int
    let userFileFill: UInt8
    let ndefMessage: [UInt8]
    let version: [UInt8]
    let persistentMemory: Int
    let clearOnResetMemory: Int
    let clearOnDeselectMemory: Int
    let unknownInstruction: StatusWord
    let unknownClass: StatusWord
    let unknownToConfigurator: StatusWord
    let selectsImplicitly: Bool
    let commandTime: Duration
    let writeByteTime: Duration

    static let options: [EmulatorOption] = [
        EmulatorOption(
            "state",
            .choice(["delivery", "adt", "pass-through", "brand-protection"]),
            default: "delivery",
            "access policy and capability container that the chip starts with"
        ),
        EmulatorOption("atr", .hex, default: "3B80800101", "answer to reset that a reader reports"),
        EmulatorOption("uid", .hex, default: "", "UID of 7 bytes; empty: made from the seed"),
        EmulatorOption("cc-version", .hex, default: "20", "mapping version in the capability container"),
        EmulatorOption(
            "mle",
            .number(15...65_535),
            default: "256",
            "largest READ BINARY that the container allows"
        ),
        EmulatorOption(
            "mlc",
            .number(1...65_535),
            default: "255",
            "largest UPDATE BINARY that the container allows"
        ),
        EmulatorOption("user-file-fill", .hex, default: "00", "byte that FILE_1 to FILE_4 start with"),
        EmulatorOption("ndef", .hex, default: "", "NDEF message that the tag starts with"),
        EmulatorOption("version", .hex, default: "01010001", "major, minor, build (2 bytes) of GET DATA"),
        EmulatorOption("memory-persistent", .number(0...65_535), default: "4096", "free persistent memory"),
        EmulatorOption("memory-reset", .number(0...65_535), default: "1024", "free memory, cleared on reset"),
        EmulatorOption(
            "memory-deselect",
            .number(0...65_535),
            default: "512",
            "free memory, cleared on deselection"
        ),
        EmulatorOption(
            "unknown-instruction",
            .hex,
            default: "6D00",
            "status word for an unknown instruction"
        ),
        EmulatorOption("unknown-class", .hex, default: "6E00", "status word for an unknown class"),
        EmulatorOption(
            "configurator-unknown",
            .hex,
            default: "6A00",
            "status word of the configurator for a class or instruction that it does not know"
        ),
        EmulatorOption(
            "implicit-select",
            .choice(["no", "yes"]),
            default: "no",
            "whether the tag application is selected when power comes"
        ),
        EmulatorOption("command-time", .duration, default: "3ms", "time that each command takes"),
        EmulatorOption("write-byte-time", .duration, default: "20us", "time that each written byte adds"),
    ]

    init(_ given: [String: String], seed: UInt64) throws(EmulatorOptionError) {
        let values = try EmulatorOptionValues(given, of: Self.options)
        atr = values.bytes("atr")
        uid = try Self.uid(values, seed: seed)
        profile =
            switch values.text("state") {
            case "adt": AccessProfile.asynchronousDataTransfer
            case "pass-through": AccessProfile.passThrough
            case "brand-protection": AccessProfile.brandProtection
            default: AccessProfile.delivery
            }
        containerVersion = try Self.fixed(values, "cc-version", count: 1)[0]
        largestRead = values.number("mle")
        largestWrite = values.number("mlc")
        userFileFill = try Self.fixed(values, "user-file-fill", count: 1)[0]
        ndefMessage = values.bytes("ndef")
        let room = (NBTFile.ndef.size ?? 0) - 2
        guard ndefMessage.count <= room else {
            throw EmulatorOptionError("option 'ndef' has \(ndefMessage.count) bytes, the file takes \(room)")
        }
        version = try Self.fixed(values, "version", count: 4)
        persistentMemory = values.number("memory-persistent")
        clearOnResetMemory = values.number("memory-reset")
        clearOnDeselectMemory = values.number("memory-deselect")
        unknownInstruction = try Self.statusWord(values, "unknown-instruction")
        unknownClass = try Self.statusWord(values, "unknown-class")
        unknownToConfigurator = try Self.statusWord(values, "configurator-unknown")
        selectsImplicitly = values.text("implicit-select") == "yes"
        commandTime = values.duration("command-time")
        writeByteTime = values.duration("write-byte-time")
    }

    private static func fixed(
        _ values: EmulatorOptionValues,
        _ name: String,
        count: Int
    ) throws(EmulatorOptionError) -> [UInt8] {
        let bytes = values.bytes(name)
        guard bytes.count == count else {
            throw EmulatorOptionError("option '\(name)' has \(bytes.count) bytes, but takes \(count)")
        }
        return bytes
    }

    private static func statusWord(
        _ values: EmulatorOptionValues,
        _ name: String
    ) throws(EmulatorOptionError) -> StatusWord {
        let bytes = try fixed(values, name, count: 2)
        return StatusWord(sw1: bytes[0], sw2: bytes[1])
    }

    /// Takes the given UID, or makes one from the seed: `05`, the maker's first byte, then six bytes.
    private static func uid(_ values: EmulatorOptionValues, seed: UInt64) throws(EmulatorOptionError)
        -> [UInt8]
    {
        guard values.text("uid").isEmpty else { return try fixed(values, "uid", count: 7) }
        // One step of SplitMix64 spreads neighbouring seeds over the whole range.
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return [0x05] + (0..<6).map { UInt8(truncatingIfNeeded: mixed >> UInt64(8 * $0)) }
    }
}
