// SPDX-License-Identifier: MIT

import CardConnection
import TangemConstants

extension CardSettings {
    /// The options that a card takes.
    static let options: [EmulatorOption] = contents + times + choices

    private static let contents: [EmulatorOption] = [
        EmulatorOption(
            "start",
            .choice(Start.allCases.map(\.rawValue)),
            default: "empty",
            "what the card is at the start: not personalized, without a wallet, with one"
        ),
        EmulatorOption(
            "keys",
            .choice(["seed", "test"]),
            default: "seed",
            "keys of card and first wallet: made from the seed, or 11..11 and 22..22"
        ),
        EmulatorOption("atr", .hex, default: "3B80800101", "answer to reset that a reader reports"),
        EmulatorOption("uid", .hex, default: "", "UID of 4 or 7 bytes; empty: made from the seed"),
        EmulatorOption("card-id", .hex, default: "", "card identifier, 8 bytes; empty: made from the seed"),
        EmulatorOption("batch", .hex, default: "FFFF", "batch, 2 bytes"),
        EmulatorOption("settings", .hex, default: "", "settings mask, 2 or 4 bytes; empty: the profile's"),
        EmulatorOption(
            "encryption",
            .choice(["none", "fast", "strong"]),
            default: "none",
            "least encryption that the card takes"
        ),
        EmulatorOption("wallets", .number(0...255), default: "0", "slots from 4.0 on; 0: the profile's"),
        EmulatorOption(
            "curve",
            .choice(TangemCurve.allCases.map(\.rawValue)),
            default: TangemCurve.secp256k1.rawValue,
            "curve of the card's own wallet"
        ),
        EmulatorOption(
            "max-signatures",
            .number(0...Int(UInt32.max)),
            default: "1000000",
            "operations that a wallet may sign before 4.0"
        ),
        EmulatorOption("access-code", .hex, default: "", "SHA-256 of the access code; empty: the default"),
        EmulatorOption("passcode", .hex, default: "", "SHA-256 of the passcode; empty: the default"),
        EmulatorOption("cvc", .hex, default: "303030", "verification code, where the settings ask for it"),
        EmulatorOption("ndef", .hex, default: "", "NDEF message of the card's tag"),
        EmulatorOption("health", .number(0...255), default: "0", "not 0: hardware trouble, in all answers"),
    ]

    private static let times: [EmulatorOption] = [
        EmulatorOption("delay", .duration, default: "15s", "security delay"),
        EmulatorOption("delay-tick", .duration, default: "1s", "how often the card tells of its delay"),
        EmulatorOption("delay-scale", .number(1...1000), default: "1", "how many times faster delays pass"),
        EmulatorOption(
            "delay-in-flash",
            .choice(["no", "yes"]),
            default: "no",
            "whether the progress of a delay survives the loss of power (tag 28)"
        ),
        EmulatorOption(
            "wrong-codes-free",
            .number(0...1000),
            default: "3",
            "wrong codes in a row that cost no time"
        ),
        EmulatorOption(
            "wrong-code-delay",
            .duration,
            default: "1s",
            "delay that each further wrong code adds to the next check"
        ),
        EmulatorOption("wrong-code-delay-limit", .duration, default: "60s", "where that delay stops growing"),
        EmulatorOption("command-time", .duration, default: "20ms", "time that each command takes"),
        EmulatorOption("sign-time", .duration, default: "50ms", "time that each signature adds"),
        EmulatorOption("key-time", .duration, default: "1s", "time that a new key adds"),
    ]

    /// What no source tells, with the default that the documentation of the card states.
    private static let choices: [EmulatorOption] = [
        flag("implicit-select", default: "yes", "whether the wallet application answers before a SELECT"),
        EmulatorOption("fci", .hex, default: "", "data that SELECT answers"),
        EmulatorOption("unknown-application", .hex, default: "6A82", "status word of SELECT for another AID"),
        EmulatorOption("not-selected", .hex, default: "6D00", "status word before SELECT"),
        EmulatorOption("unknown-class", .hex, default: "6E00", "status word for an unknown class"),
        EmulatorOption(
            "unknown-instruction",
            .hex,
            default: "6D00",
            "status word for an unknown instruction"
        ),
        EmulatorOption("wrong-length", .hex, default: "6700", "status word for bytes that are no command"),
        EmulatorOption(
            "switched-off",
            .hex,
            default: "6D00",
            "status word for data that the settings forbid"
        ),
        EmulatorOption(
            "permanent-wallet",
            .hex,
            default: "6985",
            "status word for purging a permanent wallet"
        ),
        EmulatorOption("code-change-refused", .hex, default: "6985", "status word for a forbidden new code"),
        EmulatorOption(
            "wrong-card",
            .hex,
            default: "6A86",
            "status word for a command with another card's identifier"
        ),
        EmulatorOption("bls-refused", .hex, default: "6A86", "status word for a wallet on a BLS curve"),
        EmulatorOption(
            "wrong-code",
            .choice(["firmware", "6A86", "6AF1"]),
            default: "firmware",
            "answer to a wrong code: by firmware (6A86 before 4.01), always 6A86, or 6AF1 and 6AF2"
        ),
        EmulatorOption(
            "wallet-settings",
            .choice(["firmware", "own", "card"]),
            default: "firmware",
            "whose settings rule a wallet: by firmware (the card's from 4.39), its own, the card's"
        ),
        EmulatorOption(
            "attest-status",
            .choice(["firmware", "yes", "no"]),
            default: "firmware",
            "whether ATTEST_WALLET_KEY tells and signs the wallet's status: by firmware (from 4.39), always, never"
        ),
        EmulatorOption(
            "attest-counter",
            .choice(["firmware", "yes", "no"]),
            default: "firmware",
            "whether ATTEST_WALLET_KEY tells how often it was asked: by firmware (from 4.0), always, never"
        ),
        flag(
            "smart-delay",
            default: "yes",
            "whether a passcode of the user's own stands in for the delay where the settings have bit 0800"
        ),
        EmulatorOption(
            "unknown-objects",
            .choice(["ignore", "refuse"]),
            default: "ignore",
            "objects of a command that the card does not know"
        ),
        EmulatorOption(
            "counter-overflow",
            .choice(["stay", "refuse"]),
            default: "stay",
            "a counter at its end: it stays there, or SIGN is refused with 6985"
        ),
        EmulatorOption(
            "le",
            .choice(ExpectedLength.allCases.map(\.rawValue)),
            default: "any",
            "commands by their Le: all, those without, those with one; others get the status word of wrong-length"
        ),
        flag("session-uid", default: "yes", "whether OPEN_SESSION answers the UID"),
        EmulatorOption("salt-length", .number(1...64), default: "16", "length of the card's salts"),
        EmulatorOption("pause-length", .number(1...4), default: "2", "least length of tag 1C"),
        EmulatorOption("hash-limit", .number(1...16), default: "10", "hashes that one SIGN takes"),
        EmulatorOption(
            "hash-lengths",
            .choice(["any", "32"]),
            default: "any",
            "hash sizes of ECDSA wallets"
        ),
        flag("high-s", default: "no", "whether secp256k1 signatures have a high s"),
        flag("otp", default: "no", "whether GENERATE_OTP is there"),
        flag("personalizable", default: "yes", "whether PERSONALIZE and DEPERSONALIZE are there"),
        EmulatorOption(
            "new-files",
            .choice(["public", "private"]),
            default: "public",
            "rights of a file that came without settings"
        ),
        flag(
            "unreadable-counts",
            default: "yes",
            "whether an encrypted command that does not open counts as a wrong access code"
        ),
        flag(
            "recovery-in-clear",
            default: "yes",
            "whether a card that asks for encryption takes the recovery of its codes in the clear"
        ),
    ]

    private static func flag(_ name: String, default text: String, _ summary: String) -> EmulatorOption {
        EmulatorOption(name, .choice(["no", "yes"]), default: text, summary)
    }
}
