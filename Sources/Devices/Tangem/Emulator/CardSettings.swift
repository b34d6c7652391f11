// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import TangemConstants

/// The options of a card, read once.
///
/// What no public source tells of a card (status words of rare refusals, lengths, times, growth of delays) is an
/// option here, with a default of our own choice.
struct CardSettings: Sendable {
    let profile: CardProfile
    let seed: UInt64

    // What the card is at the start.
    let start: Start
    let hasTestKeys: Bool
    let atr: [UInt8]
    let uid: [UInt8]
    let cardID: [UInt8]
    let batch: [UInt8]
    let mask: TangemSettings
    let wallets: Int
    let curve: TangemCurve
    let maxSignatures: Int
    let accessCode: [UInt8]
    let passcode: [UInt8]
    let cvc: [UInt8]
    let ndefMessage: [UInt8]
    let health: Int

    // Times.
    let pause: Duration
    let delayTick: Duration
    let delayScale: Int
    let keepsDelayInFlash: Bool
    let freeWrongCodes: Int
    let wrongCodeDelay: Duration
    let wrongCodeDelayLimit: Duration
    let commandTime: Duration
    let signTime: Duration
    let keyTime: Duration

    // Choices where nothing is published.
    let selectsImplicitly: Bool
    let fci: [UInt8]
    let unknownApplication: StatusWord
    let notSelected: StatusWord
    let unknownClass: StatusWord
    let unknownInstruction: StatusWord
    let wrongLength: StatusWord
    let switchedOff: StatusWord
    let permanentWallet: StatusWord
    let codeChangeRefused: StatusWord
    let blsRefused: StatusWord
    let wrongCard: StatusWord
    let tellsWhichCode: Bool
    let passcodeReplacesDelay: Bool
    let refusesUnknownObjects: Bool
    let refusesOverflow: Bool
    let expectedLength: ExpectedLength
    let ignoresWalletSettings: Bool
    let attestsStatus: Bool
    let countsAttestations: Bool
    let sendsUID: Bool
    let saltLength: Int
    let pauseLength: Int
    let hashLimit: Int
    let takesDigestsOnly: Bool
    let signsHighS: Bool
    let hasOTP: Bool
    let isPersonalizable: Bool
    let publicFiles: Bool
    let countsUnreadable: Bool
    let recoversInClear: Bool

    /// What the card is at the start.
    enum Start: String, CaseIterable {
        case blank
        case empty
        case loaded
    }

    /// Which commands the card takes by their Le.
    enum ExpectedLength: String, CaseIterable {
        case any
        case absent
        case present
    }

    init(
        firmware: String,
        options: [String: String],
        seed: UInt64
    ) throws(EmulatorOptionError) {
        let values = try EmulatorOptionValues(options, of: Self.options)
        let profile = try CardProfile.named(firmware)
        self.profile = profile
        self.seed = seed
        start = Start(rawValue: values.text("start")) ?? .empty
        hasTestKeys = values.text("keys") == "test"
        atr = try values.answerToReset("atr")
        var random = CardRandom(seed: seed, stream: 1)
        uid = try Self.given(values, "uid", counts: [4, 7]) ?? [0x04] + random.bytes(6)
        cardID = try Self.given(values, "card-id", counts: [8]) ?? CardIdentifier.make(using: &random)
        batch = try Self.given(values, "batch", counts: [2]) ?? [0xFF, 0xFF]
        let given = try Self.given(values, "settings", counts: [2, 4])
        mask = Self.mask(given, values.text("encryption"), profile)
        let count = values.number("wallets")
        wallets = count > 0 && profile.has(.multiWallet) ? count : profile.wallets
        curve = TangemCurve(rawValue: values.text("curve")) ?? .secp256k1
        guard !curve.isBLS, profile.has(curve.since) else {
            throw EmulatorOptionError(
                "option 'curve' is '\(curve.rawValue)', which \(firmware) does not have"
            )
        }
        maxSignatures = values.number("max-signatures")
        accessCode = try Self.given(values, "access-code", counts: [32]) ?? CodeDigest.defaultAccessCode
        passcode = try Self.given(values, "passcode", counts: [32]) ?? CodeDigest.defaultPasscode
        cvc = values.bytes("cvc")
        ndefMessage = values.bytes("ndef")
        guard ndefMessage.count <= NDEFFiles.room else {
            throw EmulatorOptionError(
                "option 'ndef' has \(ndefMessage.count) bytes, the file takes \(NDEFFiles.room)"
            )
        }
        health = values.number("health")

        pause = values.duration("delay")
        guard pause <= .milliseconds(10 * 65_535) else {
            throw EmulatorOptionError(
                "option 'delay' is '\(values.text("delay"))', but takes 655.35s at most"
            )
        }
        delayTick = max(values.duration("delay-tick"), .milliseconds(10))
        delayScale = values.number("delay-scale")
        keepsDelayInFlash = values.text("delay-in-flash") == "yes"
        freeWrongCodes = values.number("wrong-codes-free")
        wrongCodeDelay = values.duration("wrong-code-delay")
        wrongCodeDelayLimit = values.duration("wrong-code-delay-limit")
        commandTime = values.duration("command-time")
        signTime = values.duration("sign-time")
        keyTime = values.duration("key-time")

        selectsImplicitly = values.text("implicit-select") == "yes"
        fci = values.bytes("fci")
        unknownApplication = try Self.statusWord(values, "unknown-application")
        notSelected = try Self.statusWord(values, "not-selected")
        unknownClass = try Self.statusWord(values, "unknown-class")
        unknownInstruction = try Self.statusWord(values, "unknown-instruction")
        wrongLength = try Self.statusWord(values, "wrong-length")
        switchedOff = try Self.statusWord(values, "switched-off")
        permanentWallet = try Self.statusWord(values, "permanent-wallet")
        codeChangeRefused = try Self.statusWord(values, "code-change-refused")
        blsRefused = try Self.statusWord(values, "bls-refused")
        wrongCard = try Self.statusWord(values, "wrong-card")
        passcodeReplacesDelay = values.text("smart-delay") == "yes"
        refusesUnknownObjects = values.text("unknown-objects") == "refuse"
        refusesOverflow = values.text("counter-overflow") == "refuse"
        expectedLength = ExpectedLength(rawValue: values.text("le")) ?? .any
        tellsWhichCode =
            switch values.text("wrong-code") {
            case "6A86": false
            case "6AF1": true
            default: profile.has(.pin2IsDefault)
            }
        ignoresWalletSettings =
            switch values.text("wallet-settings") {
            case "own": false
            case "card": true
            default: profile.has(.hdWallets)
            }
        attestsStatus = Self.choice(values, "attest-status", byFirmware: profile.has(.hdWallets))
        countsAttestations = Self.choice(values, "attest-counter", byFirmware: profile.has(.multiWallet))
        sendsUID = values.text("session-uid") == "yes"
        saltLength = values.number("salt-length")
        pauseLength = values.number("pause-length")
        hashLimit = values.number("hash-limit")
        takesDigestsOnly = values.text("hash-lengths") == "32"
        signsHighS = values.text("high-s") == "yes"
        hasOTP = values.text("otp") == "yes"
        isPersonalizable = values.text("personalizable") == "yes"
        publicFiles = values.text("new-files") == "public"
        countsUnreadable = values.text("unreadable-counts") == "yes"
        recoversInClear = values.text("recovery-in-clear") == "yes"
    }

    /// The card's mask with the least encryption that an option asks for.
    private static func mask(_ given: [UInt8]?, _ encryption: String, _ profile: CardProfile)
        -> TangemSettings
    {
        var mask = given.map { TangemSettings(rawValue: $0.reduce(0) { $0 << 8 | UInt32($1) }) }
        mask = mask ?? profile.settings
        guard var mask else { return profile.settings }
        if encryption == "fast" || encryption == "strong" { mask.remove(.allowUnencrypted) }
        if encryption == "strong" { mask.remove(.allowFastEncryption) }
        return mask
    }

    /// The bytes of an option, nil when it is empty.
    private static func given(
        _ values: EmulatorOptionValues,
        _ name: String,
        counts: [Int]
    ) throws(EmulatorOptionError) -> [UInt8]? {
        let bytes = values.bytes(name)
        guard !bytes.isEmpty else { return nil }
        guard counts.contains(bytes.count) else {
            let allowed = counts.map(String.init).joined(separator: " or ")
            throw EmulatorOptionError("option '\(name)' has \(bytes.count) bytes, but takes \(allowed)")
        }
        return bytes
    }

    /// What an option says that leaves it to the firmware when nobody chooses.
    private static func choice(_ values: EmulatorOptionValues, _ name: String, byFirmware: Bool) -> Bool {
        switch values.text(name) {
        case "yes": true
        case "no": false
        default: byFirmware
        }
    }

    private static func statusWord(
        _ values: EmulatorOptionValues,
        _ name: String
    ) throws(EmulatorOptionError) -> StatusWord {
        let bytes = values.bytes(name)
        guard bytes.count == 2 else {
            throw EmulatorOptionError("option '\(name)' has \(bytes.count) bytes, but takes 2")
        }
        return StatusWord(sw1: bytes[0], sw2: bytes[1])
    }
}
