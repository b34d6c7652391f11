// SPDX-License-Identifier: MIT

import Scenario

/// Words enough for the example scenarios, as the devices' modules would give them.
enum ReadingVocabulary {
    static let shared = Vocabulary(
        verbs: core + kit + tangem + wallet,
        dictionaries: dictionaries,
        capabilities: [
            "kit.led", "kit.button", "field.control", "field.cut", "extended-length", "wallet.purge",
            "cryptogram.check", "operator",
        ],
        faults: ["transport", "timeout", "card-removed", "guard"],
        errorTypes: ["LinkLost", "RigTimeout", "CardRemoved", "UnexpectedStatus"],
        finalErrorTypes: ["TeardownFailed"],
        emulatorOptions: [
            "nbt": [
                "policy": { ["open", "adt"].contains($0) ? nil : "'\($0)' is neither open nor adt" },
                "firmware": { $0.first?.isNumber == true ? nil : "'\($0)' is no version" },
            ],
            "tangem": ["security-delay": { $0.hasSuffix("s") ? nil : "'\($0)' is no time" }],
            "iso7816": ["card": { _ in nil }],
        ],
        fileOptions: ["iso7816": ["card"]],
        deviceFaults: ["wallet": ["storageUnrecoverable"]]
    )

    private static let dictionaries = [
        DeviceDictionary(
            target: "nbt",
            bytes: [
                "CC": [0xE1, 0x03], "NDEF": [0xE1, 0x04], "FILE_1": [0xE1, 0xA1], "FILE_2": [0xE1, 0xA2],
            ]
        ),
        DeviceDictionary(target: "tangem", tags: ["walletPublicKey": "60"]),
        DeviceDictionary(target: "wallet"), DeviceDictionary(target: "iso7816"),
    ]

    private static let core = [
        VerbSpec("connect", "Connects anew.", exchanges: false),
        VerbSpec(
            "reset",
            "Resets the card.",
            arguments: [.init("kind", .word(["warm", "cold"]), "How.")],
            bare: "kind"
        ),
        VerbSpec(
            "field",
            "Switches the field.",
            arguments: [.init("state", .word(["on", "off"]), isRequired: true, "State.")],
            bare: "state",
            exchanges: false
        ),
        VerbSpec(
            "select",
            "Selects.",
            arguments: [.init("file", .selector, isRequired: true, "What.")],
            bare: "file"
        ),
        VerbSpec(
            "read",
            "Reads.",
            arguments: [
                .init("file", .file, "File."), .init("offset", .number(0...65_535), "Offset."),
                .init("length", .number(1...65_536), "Length."),
            ]
        ),
        VerbSpec(
            "write",
            "Writes.",
            arguments: [
                .init("file", .file, "File."), .init("offset", .number(0...65_535), "Offset."),
                .init("data", .bytes, isRequired: true, "Bytes."),
            ]
        ),
        VerbSpec(
            "send",
            "Sends.",
            arguments: [
                .init("apdu", .bytes, "Whole command."), .init("cla", .bytes, "Class."),
                .init("ins", .bytes, "Code."),
                .init("p1", .bytes, "P1."), .init("p2", .bytes, "P2."), .init("data", .bytes, "Data."),
                .init("le", .number(0...65_536), "Le."),
            ],
            bare: "apdu"
        ),
        VerbSpec(
            "check",
            "Checks.",
            arguments: CheckForms.arguments,
            exchanges: false
        ),
        VerbSpec(
            "delay",
            "Waits.",
            arguments: [.init("time", .duration, isRequired: true, "How long.")],
            bare: "time",
            exchanges: false
        ),
        VerbSpec(
            "operator",
            "Asks.",
            arguments: [
                .init("ask", .text, isRequired: true, "What."), .init("within", .duration, "Limit."),
            ],
            bare: "ask",
            needs: ["operator"],
            exchanges: false
        ),
        VerbSpec(
            "log",
            "Says.",
            arguments: [.init("text", .text, isRequired: true, "Text.")],
            bare: "text",
            exchanges: false
        ),
    ]

    private static let kit = [
        VerbSpec(
            "kit.button",
            "Presses.",
            arguments: [.init("action", .word(["press"]), isRequired: true, "What.")],
            bare: "action",
            exchanges: false
        ),
        VerbSpec(
            "kit.led",
            "Looks.",
            arguments: [
                .init("is", .word(["lit", "dark"]), isRequired: true, "Now."),
                .init("was", .word(["lit", "dark"]), "Before."),
                .init("for", .duration, "How long."),
            ],
            exchanges: false,
            waits: true
        ),
    ]

    private static let tangem = [
        VerbSpec(
            "tangem.scan",
            "Reads the card.",
            results: [.init("cardId", .bytes, "Id."), .init("firmware", .text, "Version.")]
        ),
        VerbSpec(
            "tangem.create-wallet",
            "Makes a wallet.",
            arguments: [
                .init("curve", .word(["secp256k1", "ed25519", "secp256r1"]), isRequired: true, "Curve.")
            ],
            results: [.init("walletPublicKey", .bytes, "Key.")]
        ),
        VerbSpec(
            "tangem.sign",
            "Signs.",
            arguments: [
                .init("wallet", .bytes, isRequired: true, "Key."),
                .init("hashes", .list(.bytes), isRequired: true, "Hashes."),
            ],
            results: [.init("signature", .bytes, "Signature.")],
            errors: ["walletNotFound", "walletIsPurged"]
        ),
        VerbSpec("tangem.purge", "Purges.", arguments: [.init("wallet", .bytes, isRequired: true, "Key.")]),
        VerbSpec(
            "tangem.set-pin",
            "Sets a PIN.",
            arguments: [.init("pin", .bytes, isRequired: true, "PIN.")],
            bare: "pin"
        ),
    ]

    private static let wallet = [
        VerbSpec(
            "wallet.configure",
            "Configures.",
            arguments: [
                .init("cvm", .text, isRequired: true, "How."),
                .init("plist", .text, isRequired: true, "File."),
            ],
            errors: ["storageUnrecoverableError"]
        ),
        VerbSpec(
            "wallet.eligibility",
            "Asks.",
            results: [
                .init("deviceOwnerAuthentication", .text, "One."), .init("contactlessPayment", .text, "Two."),
            ]
        ),
        VerbSpec("wallet.id", "Tells the id.", results: [.init("value", .bytes, "Id.")]),
        VerbSpec("wallet.restart", "Restarts."),
        VerbSpec("wallet.reset-wallet", "Resets."),
        VerbSpec(
            "wallet.verify-user",
            "Verifies.",
            arguments: [
                .init("method", .text, isRequired: true, "How."),
                .init("result", .text, isRequired: true, "What."),
            ]
        ),
        VerbSpec(
            "wallet.pay",
            "Pays.",
            arguments: [
                .init("scheme", .text, isRequired: true, "Scheme."),
                .init("amount", .text, isRequired: true, "Amount."),
                .init("currency", .number(0...999), isRequired: true, "Currency."),
            ],
            results: [.init("outcome", .text, "How."), .init("cryptogram", .text, "Proof.")]
        ),
    ]
}
