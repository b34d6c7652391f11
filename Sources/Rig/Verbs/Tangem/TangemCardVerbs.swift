// SPDX-License-Identifier: MIT

import Cryptography
import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs about a wallet card as a whole: scan, attestation, personalization.
let tangemCardVerbs: [Verb] = [scanVerb, attestCardVerb, entropyVerb, personalizeVerb, depersonalizeVerb]

private let outcomes = ["skipped", "verified", "warning", "unverifiable", "failed"]

private let cardResults: [ResultSpec] = [
    ResultSpec("cardId", .bytes, "identifier, 8 bytes"),
    ResultSpec("firmware", .text, "version with its letters: 4.12r"),
    ResultSpec("status", .number(0...255), "0 not personalized, 1 empty, 2 loaded, 3 purged"),
    ResultSpec("cardPublicKey", .bytes, "public key of the card"),
    ResultSpec("issuerPublicKey", .bytes, "public key of the issuer for data"),
    ResultSpec("manufacturer", .text, "name of the manufacturer"),
    ResultSpec("issuer", .text, "name of the issuer"),
    ResultSpec("batch", .text, "batch, 4 hex digits"),
    ResultSpec("settings", .bytes, "settings mask, 4 bytes"),
    ResultSpec("userSettings", .bytes, "user settings mask, 4 bytes; absent where the card has none"),
    ResultSpec(
        "securityDelay",
        .duration,
        "length of the security delay; absent where the card does not tell"
    ),
    ResultSpec("walletsCount", .number(0...255), "slots for wallets"),
    ResultSpec(
        "wallets",
        .list(.any),
        parts: [
            "publicKey", "curve", "index", "status", "imported", "settings", "signedHashes",
            "remainingSignatures", "chainCode",
        ],
        "the wallets: publicKey, curve, index, status, imported, and settings, signedHashes, "
            + "remainingSignatures, chainCode where the card tells"
    ),
    ResultSpec("accessCodeIsDefault", .boolean, "absent where the card does not tell"),
    ResultSpec("passcodeIsDefault", .boolean, "absent where the card does not tell"),
    ResultSpec(
        "backupStatus",
        .number(0...255),
        "0 none, 1 linked, 2 active; absent where the card does not tell"
    ),
    ResultSpec(
        "health",
        .number(0...255),
        "0 unless the hardware is in trouble; absent where the card does not tell"
    ),
]

private let scanVerb = tangemVerb(
    "scan",
    "Reads the card and its wallets, and lets them prove their keys.",
    discussion: """
        `attestation` says what is proven: `none`, `card` (the card owns its key) or `full` (each wallet too). A
        signature that is wrong is the error cardVerificationFailed; a wallet whose key the card does not confirm in
        answer to this scan is unverifiable. Between firmware 1.19 and 4.01 only a try tells whether the passcode is the
        default: `check-codes: yes` makes it, and a card with a passcode of its own counts it as a wrong one.
        """,
    arguments: [
        ArgumentSpec("attestation", .word(["none", "card", "full"]), "what is proven; full by default"),
        ArgumentSpec(
            "check-codes",
            .boolean,
            "whether the passcode in use is tried where the card does not tell (1.19 to 4.01); no by default"
        ),
    ],
    rules: [
        ArgumentRule(["attestation", "check-codes"]) { values in
            guard values["attestation"] == .text("none"), values["check-codes"] == .boolean(true) else {
                return nil
            }
            return ArgumentRule.Complaint(
                "check-codes",
                "a scan with 'attestation: none' only reads and tries no code; leave one of both out"
            )
        }
    ],
    results: cardResults + [
        ResultSpec("attestation", .word(outcomes), "the worst outcome of all proofs"),
        ResultSpec("manufacturerProof", .word(outcomes), "whether the manufacturer signed the identifier"),
    ]
) { call in
    let attestation = SessionConfiguration.Attestation(rawValue: call.text("attestation") ?? "full") ?? .full
    let card = try call.tangem(attestation: attestation) { session throws(TangemError) in try session.scan() }
    give(card, to: call)
    call.give("attestation", .text(card.attestation.overall.rawValue))
    call.give("manufacturerProof", .text(card.attestation.manufacturer.rawValue))
}

private let attestCardVerb = tangemVerb(
    "attest-card",
    "Lets the card sign a challenge, and checks the signature with the card's key.",
    arguments: [
        ArgumentSpec("challenge", .bytes, "bytes to sign; 16 random ones when left out"),
        ArgumentSpec("full", .boolean, "whether the keys of the backup cards are asked for (from 6.21)"),
    ],
    results: [
        ResultSpec("challenge", .bytes, "the bytes of the host"),
        ResultSpec("salt", .bytes, "the bytes of the card"),
        ResultSpec("signature", .bytes, "signature of the challenge and the salt"),
        ResultSpec("cardPublicKey", .bytes, "public key of the card"),
    ]
) { call in
    let challenge = try call.bytes("challenge")
    let isFull = call.boolean("full") ?? false
    let (answer, key) = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        (try session.attestCard(challenge: challenge, isFull: isFull), session.card?.publicKey)
    }
    call.give("challenge", .bytes(answer.challenge))
    call.give("salt", .bytes(answer.salt))
    call.give("signature", .bytes(answer.signature))
    call.give("cardPublicKey", .optional(key))
}

private let entropyVerb = tangemVerb(
    "entropy",
    "Reads random bytes of the card (from firmware 6.21).",
    results: [ResultSpec("entropy", .bytes, "the bytes")]
) { call in
    let bytes = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in try session.entropy() }
    call.give("entropy", .bytes(bytes))
}

private let personalizeVerb = tangemVerb(
    "personalize",
    "Makes a development card out of a blank one.",
    discussion: """
        Issuer, manufacturer and acquirer are the published development keys. Access code and passcode, where given,
        are those that the card gets. A card that is not blank is the error alreadyPersonalized. A blank card has no
        identifier: `card-id` can only be the same as `id`.
        """,
    arguments: [
        ArgumentSpec("id", .bytes(8), isRequired: true, "card identifier"),
        ArgumentSpec(
            "settings",
            .bytes(anyOf: [2, 4]),
            "settings mask; what the functions need when left out"
        ),
        ArgumentSpec("batch", .bytes(2), "batch; FFFF by default"),
        ArgumentSpec("curve", .word(curveWords), "curve of the card's own wallet; secp256k1 by default"),
        ArgumentSpec("delay", .pause, "security delay; 15 s by default"),
        ArgumentSpec(
            "slots",
            .number(1...255),
            "slots for wallets, from 4.0 on; before that every card has one"
        ),
        ArgumentSpec("wallet", .boolean, "whether a wallet is made at once"),
        ArgumentSpec(
            "max-signatures",
            .number(1...4_294_967_295),
            "operations that a wallet may sign before 4.0"
        ),
    ],
    bare: "id",
    results: cardResults
) { call in
    let id = try call.needed("id")
    guard let id = CardID(id) else { throw call.wrong("id", "8 bytes are needed, here are \(id.count)") }
    let mask = try call.bytes("settings")
    if let mask, mask.count != 2, mask.count != 4 { throw call.wrong("settings", "a mask has 2 or 4 bytes") }
    let batch = try call.bytes("batch") ?? [0xFF, 0xFF]
    guard batch.count == 2 else { throw call.wrong("batch", "2 bytes are needed, here are \(batch.count)") }
    var configuration = PersonalizationConfiguration(
        id: id,
        settings: mask.map { TangemSettings(rawValue: $0.reduce(0) { $0 << 8 | UInt32($1) }) }
            ?? openSettings,
        batch: batch,
        date: CardDate(year: 2021, month: 3, day: 15)
    )
    if let curve = try call.curve() { configuration.curve = curve }
    if let delay = call.duration("delay") {
        configuration.securityDelayMilliseconds = Int(delay / .milliseconds(1))
    }
    configuration.walletsCount = try call.number("slots")
    configuration.createsWallet = call.boolean("wallet") ?? false
    configuration.maxSignatures = try call.counter("max-signatures")
    if let code = call.text("access-code") { configuration.accessCode = UserCode(code) }
    if let code = call.text("passcode") { configuration.passcode = UserCode(code) }
    let wanted = configuration
    let card = try call.tangem(preflight: .none) { session throws(TangemError) in
        try session.personalize(wanted)
    }
    if let slots = wanted.walletsCount, slots != card.walletsCount {
        throw call.wrong(
            "slots",
            "the card \(card.id) of firmware \(card.firmware) has \(card.walletsCount), not \(slots); cards have several "
                + "from 4.0 on"
        )
    }
    give(card, to: call)
}

private let depersonalizeVerb = tangemVerb(
    "depersonalize",
    "Makes a development card blank.",
    discussion: """
        The command names no card: with `card-id` the card is read first, and another one is wrongCardNumber. Without,
        whichever lies there loses its wallets.
        """
) { call in
    try call.tangem(preflight: .none) { session throws(TangemError) in try session.depersonalize() }
}

extension ArgumentType {
    /// A security delay as a card keeps it: 16 bits of 10 ms.
    fileprivate static let pause = ArgumentType.checked(
        .duration,
        ArgumentCheck("0ms to 655350ms, in steps of 10ms") { value in
            guard case .duration(let delay) = value else { return nil }
            let milliseconds = delay / .milliseconds(1)
            guard milliseconds <= 655_350 else {
                return "a card keeps 655350ms at most"
            }
            guard milliseconds.truncatingRemainder(dividingBy: 10) == 0 else {
                return "a card counts its delay in steps of 10ms"
            }
            return nil
        }
    )
}

/// Settings of a development card that has all functions.
private let openSettings: TangemSettings = [
    .isReusable, .allowSetPIN1, .allowSetPIN2, .smartSecurityDelay, .allowUnencrypted, .allowFastEncryption,
    .allowSelectBlockchain, .allowHDWallets, .allowKeysImport,
]

/// The words of curves, with the one that `check` uses for BIP340.
let curveWords = TangemCurve.allCases.map(\.rawValue) + ["bip340"]

private func give(_ card: CardRecord, to call: VerbCall) {
    call.give("cardId", .bytes(card.id.bytes))
    call.give("firmware", .text(card.firmware.description))
    call.give("status", .number(Int(card.status)))
    call.give("cardPublicKey", .bytes(card.publicKey))
    call.give("issuerPublicKey", .bytes(card.issuerPublicKey))
    call.give("manufacturer", .text(card.manufacturerName))
    call.give("issuer", .text(card.production.issuerName))
    call.give("batch", .text(card.production.batchID))
    call.give("settings", .bytes(word(card.settings.rawValue)))
    call.give("userSettings", card.userSettings.map { .bytes(word($0.rawValue)) })
    call.give("securityDelay", card.securityDelayMilliseconds.map { .duration(.milliseconds($0)) })
    call.give("walletsCount", .number(card.walletsCount))
    call.give("wallets", .list(card.wallets.map(value)))
    call.give("accessCodeIsDefault", .optional(card.isAccessCodeDefault))
    call.give("passcodeIsDefault", .optional(card.isPasscodeDefault))
    call.give("backupStatus", .optional(card.backupStatus))
    call.give("health", card.health.map { .number(Int($0)) })
}

private func value(of wallet: WalletRecord) -> Value {
    var map: [String: Value] = [
        "publicKey": .bytes(wallet.publicKey), "curve": .text(wallet.curve.rawValue),
        "index": .number(wallet.index), "status": .number(Int(wallet.status)),
        "imported": .boolean(wallet.isImported),
    ]
    map["settings"] = wallet.settings.map { .bytes(word($0.rawValue)) }
    map["signedHashes"] = .optional(wallet.signedHashes)
    map["remainingSignatures"] = .optional(wallet.remainingSignatures)
    map["chainCode"] = .optional(wallet.chainCode)
    return .map(map)
}

/// Four bytes, the highest first.
func word(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
}
