// SPDX-License-Identifier: MIT

import CardConnection

extension ChipSettings {
    /// The options that a chip takes.
    static let options: [EmulatorOption] =
        contents + identity + memorySizes + passwords + token + passThrough + power + refusals + times

    private static let contents: [EmulatorOption] = [
        EmulatorOption(
            "state",
            .choice(["delivery", "adt", "pass-through", "brand-protection"]),
            default: "delivery",
            "access policy and capability container at the start; brand-protection brings message and certificate"
        ),
        EmulatorOption(
            "variant",
            .choice(["nbt2000", "nbt1000"]),
            default: "nbt2000",
            "product; nbt1000 has no ECC"
        ),
        EmulatorOption(
            "life-cycle",
            .choice(["personalization", "operational"]),
            default: "personalization",
            "life cycle at the start"
        ),
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
        EmulatorOption(
            "cc-ndef-rights",
            .hex,
            default: "0000",
            "read and write byte of the NDEF file in the container"
        ),
        EmulatorOption("user-file-fill", .hex, default: "00", "byte that FILE_1 to FILE_4 start with"),
        EmulatorOption("ndef", .hex, default: "", "NDEF message at the start; empty: what the state has"),
        EmulatorOption(
            "ecc-key",
            .choice(["development", "none"]),
            default: "development",
            "key of AUTHENTICATE TAG: made from the seed, or none before personalization"
        ),
        EmulatorOption(
            "cott-key",
            .choice(["development", "none"]),
            default: "development",
            "key of the one-time token: the published one of the development kits, or none"
        ),
        EmulatorOption(
            "configuration",
            .hex,
            default: "",
            "settings of the configurator at the start that differ: tag (2 bytes), length, value, ..."
        ),
    ]

    private static let identity: [EmulatorOption] = [
        EmulatorOption("uid", .hex, default: "", "UID of 7 bytes; empty: made from the seed"),
        EmulatorOption("atr", .hex, default: "3B80800101", "answer to reset that a reader reports"),
        EmulatorOption("atqa", .hex, default: "4400", "answer to request, in the order of the air"),
        EmulatorOption("sak", .hex, default: "20", "select acknowledge"),
        EmulatorOption("ats", .hex, default: "0578807002", "answer to select"),
        EmulatorOption("version", .hex, default: "01010001", "major, minor, build (2 bytes) of GET DATA"),
    ]

    private static let memorySizes: [EmulatorOption] = [
        EmulatorOption("memory-persistent", .number(0...65_535), default: "4096", "free persistent memory"),
        EmulatorOption("memory-reset", .number(0...65_535), default: "1024", "free memory, cleared on reset"),
        EmulatorOption(
            "memory-deselect",
            .number(0...65_535),
            default: "512",
            "free memory, cleared on deselection"
        ),
    ]

    private static let passwords: [EmulatorOption] = [
        EmulatorOption(
            "password-response",
            .choice(PasswordResponse.allCases.map(\.rawValue)),
            default: "tagged",
            "what SELECT answers to a password: tag, length and response, the response alone, or nothing"
        ),
        EmulatorOption(
            "wrong-password",
            .choice(WrongPassword.allCases.map(\.rawValue)),
            default: "9000",
            "status word of SELECT with a wrong password; where it is not 9000, the file before stays selected"
        ),
        EmulatorOption(
            "password-success",
            .choice(["restore", "keep"]),
            default: "restore",
            "what the right password does to the tries that are left"
        ),
        EmulatorOption(
            "password-lasts",
            .choice(PasswordScope.allCases.map(\.rawValue)),
            default: "selection",
            "how long a password counts: until the next SELECT, or until one of an application"
        ),
        EmulatorOption(
            "password-limit",
            .number(1...65_534),
            default: "127",
            "highest retry limit besides FFFF, which never blocks"
        ),
        EmulatorOption(
            "wrong-master",
            .hex,
            default: "6985",
            "status word of CHANGE and UNBLOCK PASSWORD with a wrong master password"
        ),
    ]

    private static let token: [EmulatorOption] = [
        EmulatorOption(
            "cott",
            .choice(["content", "off"]),
            default: "content",
            "whether a message with cott= and 44 characters shows a token there over NFC"
        ),
        EmulatorOption(
            "cott-refresh",
            .choice(TokenRefresh.allCases.map(\.rawValue)),
            default: "select",
            "when the token changes: with each SELECT, each read from offset 0, or when power comes"
        ),
    ]

    private static let passThrough: [EmulatorOption] = [
        EmulatorOption(
            "pass-through-timeout",
            .duration,
            default: "5s",
            "how long the chip waits for the host's PUT RESPONSE"
        ),
        EmulatorOption(
            "pass-through-unanswered",
            .hex,
            default: "",
            "status word when the host does not answer in time; empty: no answer at all"
        ),
        EmulatorOption(
            "put-without-fetch",
            .hex,
            default: "6985",
            "status word of PUT RESPONSE when no command was fetched"
        ),
        EmulatorOption(
            "pass-through-end",
            .choice(["own-select", "field"]),
            default: "own-select",
            "what ends pass-through: SELECT of an own application or the field, or the field alone"
        ),
    ]

    private static let power: [EmulatorOption] = [
        EmulatorOption(
            "supply",
            .choice(["field", "kit"]),
            default: "field",
            "what the chip runs on: losing the field cuts a write and resets the chip, or does neither"
        ),
        EmulatorOption(
            "i2c-in-field",
            .choice(["silent", "answers"]),
            default: "silent",
            "what the I2C side does while a field is there, pass-through apart"
        ),
        EmulatorOption(
            "nfc-during-i2c",
            .choice(ConcurrentNFC.allCases.map(\.rawValue)),
            default: "answers",
            "what NFC does with a command while one over I2C is still carried out: as ever, after it, or nothing"
        ),
        EmulatorOption(
            "implicit-select",
            .choice(["no", "yes"]),
            default: "no",
            "whether the tag application is selected when power comes"
        ),
        EmulatorOption(
            "i2c-link",
            .choice(["commands", "blocks"]),
            default: "commands",
            "what the role i2c speaks: bare commands, or blocks of T=1'"
        ),
        EmulatorOption(
            "i2c-wtx",
            .number(0...255),
            default: "0",
            "how often the chip asks for more time, by S(WTX) of T=1', before each answer in blocks"
        ),
    ]

    private static let refusals: [EmulatorOption] = [
        EmulatorOption(
            "finalize-files",
            .choice(["keep", "clear"]),
            default: "keep",
            "what FINALIZE does to FILE_1 to FILE_4"
        ),
        EmulatorOption(
            "configurator-operational",
            .choice(["open", "closed"]),
            default: "open",
            "whether SET CONFIGURATION works in the operational state (closed: 6985)"
        ),
        EmulatorOption(
            "long-setting",
            .choice(["6700", "whole"]),
            default: "6700",
            "GET CONFIGURATION of a setting that no short answer holds (C052): a status word, or the setting all the same"
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
            "backend-test-nfc",
            .hex,
            default: "6985",
            "status word of BACKEND TEST over NFC, where it is not meant to be"
        ),
        EmulatorOption(
            "backend-test-off",
            .hex,
            default: "6985",
            "status word of BACKEND TEST after it was switched off"
        ),
    ]

    private static let times: [EmulatorOption] = [
        EmulatorOption("command-time", .duration, default: "3ms", "time that each command takes"),
        EmulatorOption("write-byte-time", .duration, default: "20us", "time that each written byte adds"),
        EmulatorOption("signature-time", .duration, default: "40ms", "time that a signature adds"),
    ]
}
