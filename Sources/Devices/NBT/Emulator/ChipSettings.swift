// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// The options of a chip, read once.
///
/// What no public source tells of the chip is an option here, with a default of our own choice.
struct ChipSettings: Sendable {
    let seed: UInt64

    // What the chip is at the start.
    let profile: [UInt8]
    let hasECC: Bool
    let lifeCycle: [UInt8]
    let uid: [UInt8]
    let isUIDGiven: Bool
    let containerVersion: UInt8
    let largestRead: Int
    let largestWrite: Int
    let messageRights: [UInt8]
    let userFileFill: UInt8
    /// nil makes the message of the profile.
    let ndefMessage: [UInt8]?
    let isBrandProtected: Bool
    let hasSigningKey: Bool
    let hasTokenKey: Bool
    let configuration: [ConfigurationTag: [UInt8]]
    /// The settings that the option names.
    let namedSettings: Set<ConfigurationTag>
    let version: [UInt8]
    let persistentMemory: Int
    let clearOnResetMemory: Int
    let clearOnDeselectMemory: Int

    // What a reader sees before the first command.
    let atr: [UInt8]
    let atqa: [UInt8]
    let sak: UInt8
    let ats: [UInt8]

    // Passwords.
    let passwordResponse: PasswordResponse
    let wrongPassword: WrongPassword
    let restoresTries: Bool
    let passwordScope: PasswordScope
    let highestPasswordLimit: UInt16
    let wrongMaster: StatusWord

    // Token, pass-through, power.
    let patchesToken: Bool
    let tokenRefresh: TokenRefresh
    let hostPatience: Duration
    /// nil stands for silence.
    let unansweredByHost: StatusWord?
    let putWithoutFetch: StatusWord
    let ownSelectEndsPassThrough: Bool
    let isSuppliedByField: Bool
    let answersI2CInField: Bool
    let concurrentNFC: ConcurrentNFC
    let selectsImplicitly: Bool
    let speaksBlocks: Bool
    /// How often the chip asks for more time before each answer in blocks.
    let waitingTimeRequests: Int

    // Refusals and times.
    let keepsFilesOnFinalize: Bool
    let isConfigurableInOperation: Bool
    /// Whether GET CONFIGURATION answers with more than a short answer holds.
    let sendsLongSettings: Bool
    let unknownInstruction: StatusWord
    let unknownClass: StatusWord
    let unknownToConfigurator: StatusWord
    let backendTestOverNFC: StatusWord
    let backendTestOff: StatusWord
    let commandTime: Duration
    let writeByteTime: Duration
    let signatureTime: Duration

    /// The form of what SELECT answers to a password.
    enum PasswordResponse: String, CaseIterable {
        case tagged
        case bare
        case none
    }

    /// How a SELECT with a wrong password ends.
    enum WrongPassword: String, CaseIterable {
        case success = "9000"
        case securityNotSatisfied = "6982"
        case counter = "63CX"
    }

    /// How long a password that was presented counts.
    enum PasswordScope: String, CaseIterable {
        case selection
        case application
    }

    /// What NFC does while a command over I2C is carried out.
    enum ConcurrentNFC: String, CaseIterable {
        case answers
        case waits
        case silent
    }

    /// When a token is made.
    enum TokenRefresh: String, CaseIterable {
        case select
        case read
        case power
    }

    init(_ given: [String: String], seed: UInt64) throws(EmulatorOptionError) {
        let values = try EmulatorOptionValues(given, of: Self.options)
        self.seed = seed
        let state = values.text("state")
        profile =
            switch state {
            case "adt": AccessProfile.asynchronousDataTransfer
            case "pass-through": AccessProfile.passThrough
            case "brand-protection": AccessProfile.brandProtection
            default: AccessProfile.delivery
            }
        isBrandProtected = state == "brand-protection"
        hasECC = values.text("variant") == "nbt2000"
        lifeCycle =
            values.text("life-cycle") == "operational"
            ? LifeCycleWord.operational : LifeCycleWord.personalization
        uid = try Self.uid(values, seed: seed)
        isUIDGiven = !values.text("uid").isEmpty
        containerVersion = try Self.fixed(values, "cc-version", count: 1)[0]
        largestRead = values.number("mle")
        largestWrite = values.number("mlc")
        messageRights = try Self.fixed(values, "cc-ndef-rights", count: 2)
        userFileFill = try Self.fixed(values, "user-file-fill", count: 1)[0]
        ndefMessage = values.text("ndef").isEmpty ? nil : values.bytes("ndef")
        let room = (NBTFile.ndef.size ?? 0) - 2
        if let message = ndefMessage, message.count > room {
            throw EmulatorOptionError("option 'ndef' has \(message.count) bytes, the file takes \(room)")
        }
        hasSigningKey = hasECC && values.text("ecc-key") == "development"
        hasTokenKey = values.text("cott-key") == "development"
        (configuration, namedSettings) = try Self.configuration(values, hasECC: hasECC, lifeCycle: lifeCycle)
        version = try Self.fixed(values, "version", count: 4)
        persistentMemory = values.number("memory-persistent")
        clearOnResetMemory = values.number("memory-reset")
        clearOnDeselectMemory = values.number("memory-deselect")

        atr = try values.answerToReset("atr")
        atqa = try Self.fixed(values, "atqa", count: 2)
        sak = try Self.fixed(values, "sak", count: 1)[0]
        ats = values.bytes("ats")

        passwordResponse = PasswordResponse(rawValue: values.text("password-response")) ?? .tagged
        wrongPassword = WrongPassword(rawValue: values.text("wrong-password")) ?? .success
        restoresTries = values.text("password-success") == "restore"
        passwordScope = PasswordScope(rawValue: values.text("password-lasts")) ?? .selection
        highestPasswordLimit = UInt16(clamping: values.number("password-limit"))
        wrongMaster = try Self.statusWord(values, "wrong-master")

        patchesToken = values.text("cott") == "content"
        tokenRefresh = TokenRefresh(rawValue: values.text("cott-refresh")) ?? .select
        hostPatience = values.duration("pass-through-timeout")
        unansweredByHost =
            values.text("pass-through-unanswered").isEmpty
            ? nil : try Self.statusWord(values, "pass-through-unanswered")
        putWithoutFetch = try Self.statusWord(values, "put-without-fetch")
        ownSelectEndsPassThrough = values.text("pass-through-end") == "own-select"
        isSuppliedByField = values.text("supply") == "field"
        answersI2CInField = values.text("i2c-in-field") == "answers"
        concurrentNFC = ConcurrentNFC(rawValue: values.text("nfc-during-i2c")) ?? .answers
        selectsImplicitly = values.text("implicit-select") == "yes"
        speaksBlocks = values.text("i2c-link") == "blocks"
        waitingTimeRequests = values.number("i2c-wtx")

        keepsFilesOnFinalize = values.text("finalize-files") == "keep"
        isConfigurableInOperation = values.text("configurator-operational") == "open"
        sendsLongSettings = values.text("long-setting") == "whole"
        unknownInstruction = try Self.statusWord(values, "unknown-instruction")
        unknownClass = try Self.statusWord(values, "unknown-class")
        unknownToConfigurator = try Self.statusWord(values, "configurator-unknown")
        backendTestOverNFC = try Self.statusWord(values, "backend-test-nfc")
        backendTestOff = try Self.statusWord(values, "backend-test-off")
        commandTime = values.duration("command-time")
        writeByteTime = values.duration("write-byte-time")
        signatureTime = values.duration("signature-time")
    }
}

extension ChipSettings {
    fileprivate static func fixed(
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

    fileprivate static func statusWord(
        _ values: EmulatorOptionValues,
        _ name: String
    ) throws(EmulatorOptionError) -> StatusWord {
        let bytes = try fixed(values, name, count: 2)
        return StatusWord(sw1: bytes[0], sw2: bytes[1])
    }

    /// Takes the given UID, or makes one from the seed: `05`, the maker's first byte, then six bytes.
    fileprivate static func uid(
        _ values: EmulatorOptionValues,
        seed: UInt64
    ) throws(EmulatorOptionError) -> [UInt8] {
        guard values.text("uid").isEmpty else { return try fixed(values, "uid", count: 7) }
        // One step of SplitMix64 spreads neighbouring seeds over the whole range.
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return [0x05] + (0..<6).map { UInt8(truncatingIfNeeded: mixed >> UInt64(8 * $0)) }
    }

    /// The settings of the configurator at the start: its own ones, changed by those that the option names.
    fileprivate static func configuration(
        _ values: EmulatorOptionValues,
        hasECC: Bool,
        lifeCycle: [UInt8]
    ) throws(EmulatorOptionError) -> (all: [ConfigurationTag: [UInt8]], named: Set<ConfigurationTag>) {
        var settings = ConfiguratorValues.initial(hasECC: hasECC)
        var named: Set<ConfigurationTag> = []
        var rest = values.bytes("configuration")[...]
        while !rest.isEmpty {
            let isLong = rest.count >= 5 && rest[rest.startIndex + 2] == 0xFF
            guard rest.count >= 3 else { throw broken(rest) }
            let tag = ConfigurationTag(rawValue: rest.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
            let length = isLong ? rest.dropFirst(3).prefix(2) : rest.dropFirst(2).prefix(1)
            let count = length.reduce(0) { $0 << 8 | Int($1) }
            guard rest.endIndex - length.endIndex >= count else { throw broken(rest) }
            let value = Array(rest[length.endIndex..<length.endIndex + count])
            // Nobody tells how long the current limits are; all others have a length of their own.
            let isOfAnyLength = tag == .currentLimitEnable || tag == .currentLimitValue
            guard let current = settings[tag], isOfAnyLength || current.count == count, tag != .lifeCycle,
                ConfiguratorValues.allowed[tag]?.contains(value) ?? true
            else {
                throw EmulatorOptionError(
                    "option 'configuration' has a wrong tag or value in '\(rest.hex)'; write tag, length, value"
                )
            }
            settings[tag] = value
            named.insert(tag)
            rest = rest[(length.endIndex + count)...]
        }
        settings[.lifeCycle] = lifeCycle
        return (settings, named)
    }

    private static func broken(_ rest: ArraySlice<UInt8>) -> EmulatorOptionError {
        EmulatorOptionError(
            "option 'configuration' ends too early in '\(rest.hex)'; write tag (2 bytes), length, value"
        )
    }
}
