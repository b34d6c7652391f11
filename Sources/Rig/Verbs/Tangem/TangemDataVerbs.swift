// SPDX-License-Identifier: MIT

import Cryptography
import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs about data of issuer and user, and about the codes of a card.
let tangemDataVerbs: [Verb] = [
    writeIssuerDataVerb, readIssuerDataVerb, writeIssuerExtraDataVerb, readIssuerExtraDataVerb,
    writeUserDataVerb, readUserDataVerb, setAccessCodeVerb, setPasscodeVerb, resetCodesVerb, checkCodesVerb,
    settingsVerb,
]

let counterArgument = ArgumentSpec(
    "counter",
    .number(0...4_294_967_295),
    "counter that grows with each change, where the settings ask for one"
)

// MARK: - Issuer data

private let issuerResults: [ResultSpec] = [
    ResultSpec("issuerData", .bytes, "the data"),
    ResultSpec("signature", .bytes, "signature of the issuer; absent where the card gives none"),
    ResultSpec("counter", .number(0...4_294_967_295), "counter; absent where the card gives none"),
]

private let writeIssuerDataVerb = tangemVerb(
    "write-issuer-data",
    "Writes issuer data, at most 512 bytes.",
    discussion: """
        Without `signature` the data are signed with the published development key of the issuer. A signature that is
        not the issuer's is verificationFailed, and a missing counter missingCounter, before anything is written.
        """,
    arguments: [
        ArgumentSpec("data", .bytes, isRequired: true, "the data"), counterArgument,
        ArgumentSpec("signature", .bytes, "signature of card identifier, data and counter"),
    ],
    bare: "data"
) { call in
    let data = try call.needed("data")
    let counter = try call.counter()
    let given = try call.bytes("signature")
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        let id = try session.cardID()
        let signature =
            try issuerSignature(given, SignedMessage.issuerData(id, data: data, counter: counter))
        try session.writeIssuerData(data, signature: signature, counter: counter)
    }
}

private let readIssuerDataVerb = tangemVerb(
    "read-issuer-data",
    "Reads issuer data and checks the issuer's signature.",
    results: issuerResults
) { call in
    let data = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.readIssuerData()
    }
    give(data, to: call)
}

private let writeIssuerExtraDataVerb = tangemVerb(
    "write-issuer-extra-data",
    "Writes issuer extra data, at most 32 KiB, block by block (before firmware 4.0).",
    discussion: "Without signatures the data are signed with the published development key of the issuer.",
    arguments: [
        ArgumentSpec("data", .bytes, isRequired: true, "the data"), counterArgument,
        ArgumentSpec("starting-signature", .bytes, "signature of card identifier, counter and size"),
        ArgumentSpec("finalizing-signature", .bytes, "signature of card identifier, data and counter"),
    ],
    bare: "data"
) { call in
    let data = try call.needed("data")
    let counter = try call.counter()
    let start = try call.bytes("starting-signature")
    let end = try call.bytes("finalizing-signature")
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        let id = try session.cardID()
        let size = UInt16(clamping: data.count)
        try session.writeIssuerExtraData(
            data,
            startingSignature: issuerSignature(
                start,
                SignedMessage.extraDataStart(id, size: size, counter: counter)
            ),
            finalizingSignature: issuerSignature(
                end,
                SignedMessage.issuerData(id, data: data, counter: counter)
            ),
            counter: counter
        )
    }
}

private let readIssuerExtraDataVerb = tangemVerb(
    "read-issuer-extra-data",
    "Reads issuer extra data and checks the issuer's signature (before firmware 4.0).",
    results: issuerResults
) { call in
    let data = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.readIssuerExtraData()
    }
    give(data, to: call)
}

private func give(_ data: IssuerData, to call: VerbCall) {
    call.give("issuerData", .bytes(data.data))
    call.give("signature", .optional(data.signature))
    call.give("counter", data.counter.map { .number(Int($0)) })
}

/// The given signature, else one with the published key of the issuer of development cards.
func issuerSignature(_ given: [UInt8]?, _ message: [UInt8]) throws(TangemError) -> [UInt8] {
    if let given { return given }
    let key: PrivateKey
    do {
        key = try PrivateKey(
            try HexText.bytes(TangemDevelopmentKeys.issuerData.privateKey),
            curve: .secp256k1
        )
    } catch {
        throw TangemError(.cryptoUtilsError, "\(error)")
    }
    return try SignatureCheck.sign(message, with: key)
}

extension Tangem.CardSession {
    /// The identifier of the card that was read.
    func cardID() throws(TangemError) -> CardID {
        guard let card else { throw TangemError(.missingPreflightRead) }
        return card.id
    }
}

// MARK: - User data

private let writeUserDataVerb = tangemVerb(
    "write-user-data",
    "Writes data and counter of the user, at most 512 bytes; protected ones need the passcode.",
    arguments: [
        ArgumentSpec("data", .bytes, choice: .atLeastOne("content"), "the data"),
        ArgumentSpec(
            "counter",
            .number(0...4_294_967_295),
            choice: .atLeastOne("content"),
            "counter beside the data"
        ),
        ArgumentSpec("protected", .boolean, "whether the protected ones are written; no by default"),
    ],
    bare: "data"
) { call in
    let data = try call.bytes("data")
    let counter = try call.counter()
    let isProtected = call.boolean("protected") ?? false
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        if isProtected {
            try session.writeUserProtectedData(data, counter: counter)
        } else {
            try session.writeUserData(data, counter: counter)
        }
    }
}

private let readUserDataVerb = tangemVerb(
    "read-user-data",
    "Reads all data and counters of the user.",
    results: [
        ResultSpec("userData", .bytes, "data that need no passcode"),
        ResultSpec("counter", .number(0...4_294_967_295), "counter beside them"),
        ResultSpec("protectedData", .bytes, "data that need the passcode to be written"),
        ResultSpec("protectedCounter", .number(0...4_294_967_295), "counter beside them"),
    ]
) { call in
    let answer = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.readUserData()
    }
    call.give("userData", .bytes(answer.data))
    call.give("counter", .number(answer.counter))
    call.give("protectedData", .bytes(answer.protectedData))
    call.give("protectedCounter", .number(answer.protectedCounter))
}

// MARK: - Codes and settings

private let codeResults: [ResultSpec] = [
    ResultSpec("accessCodeChanged", .boolean, "whether the card changed the access code"),
    ResultSpec("passcodeChanged", .boolean, "whether the card changed the passcode"),
]

private let setAccessCodeVerb = tangemVerb(
    "set-access-code",
    "Changes the access code.",
    discussion: """
        Fewer than 4 characters are accessCodeTooShort, the default code is accessCodeCannotBeDefault. Steps that
        follow must give the new code as `access-code`.
        """,
    arguments: [ArgumentSpec("new", .text, isRequired: true, "the new code")],
    results: codeResults
) { call in
    let new = call.text("new") ?? ""
    let answer = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.setCodes(accessCode: new)
    }
    give(answer, to: call)
}

private let setPasscodeVerb = tangemVerb(
    "set-passcode",
    "Changes the passcode.",
    discussion: """
        Fewer than 4 characters are passcodeTooShort, the default code is passcodeCannotBeDefault. Steps that follow
        must give the new code as `passcode`.
        """,
    arguments: [ArgumentSpec("new", .text, isRequired: true, "the new code")],
    results: codeResults
) { call in
    let new = call.text("new") ?? ""
    let answer = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.setCodes(passcode: new)
    }
    give(answer, to: call)
}

private let resetCodesVerb = tangemVerb(
    "reset-codes",
    "Sets access code and passcode back to those that every card comes with.",
    results: codeResults
) { call in
    let answer = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.resetCodes()
    }
    give(answer, to: call)
}

private let checkCodesVerb = tangemVerb(
    "check-codes",
    "Asks the card whether the codes in use are right; nothing is changed.",
    results: [ResultSpec("right", .boolean, "whether the card takes the codes")]
) { call in
    let isRight = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.areCodesRight()
    }
    call.give("right", .boolean(isRight))
}

private func give(_ answer: SetPINCommand.Answer, to call: VerbCall) {
    call.give("accessCodeChanged", .boolean(answer.isAccessCodeChanged))
    call.give("passcodeChanged", .boolean(answer.isPasscodeChanged))
}

private let settingsVerb = tangemVerb(
    "settings",
    "Changes the settings of the user: whether other cards of the set may reset the codes (from 6.21).",
    arguments: [ArgumentSpec("code-recovery", .boolean, isRequired: true, "whether they may")],
    bare: "code-recovery",
    results: [ResultSpec("userSettings", .bytes, "the mask that the card has now, 4 bytes")]
) { call in
    let isAllowed = call.boolean("code-recovery") ?? true
    let now = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.setUserSettings(isAllowed ? [] : .forbidResetPIN)
    }
    call.give("userSettings", .bytes(word(now.rawValue)))
}
