// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs that reset lost codes with another card of the set, one-time passwords, and what nobody has published.
let tangemRecoveryVerbs: [Verb] = [
    recoveryTokenVerb, recoveryVouchVerb, recoveryAcceptVerb, recoveryResetVerb, otpVerb, unpublishedVerb,
]

private let withoutCodes = """
    With `card-id` the card is not read before, so that its lost access code is not needed.
    """

extension VerbCall {
    /// Without its code a card can be named, but not read.
    fileprivate func recoveryPreflight() throws(VerbStop) -> SessionConfiguration.Preflight {
        try bytes("card-id") == nil ? .cardOnly : .none
    }

    fileprivate func unexpected() -> TangemError {
        TangemError(.deserializeApduFailed, "the answer belongs to another step of AUTHORIZE")
    }
}

private let recoveryTokenVerb = tangemVerb(
    "recovery-token",
    "Asks the card whose codes are lost for a token (from firmware 4.39, in an active set).",
    discussion: withoutCodes,
    results: [
        ResultSpec("linkingKey", .bytes, "linking key of the card"),
        ResultSpec("signature", .bytes, "signature of the card"),
        ResultSpec("token", .bytes, "the bytes to vouch for"),
    ]
) { call in
    let answer = try call.tangem(preflight: try call.recoveryPreflight()) { session throws(TangemError) in
        guard case .token(let token) = try session.run(AuthorizeCommand.getToken) else {
            throw call.unexpected()
        }
        return token
    }
    call.give("linkingKey", .bytes(answer.linkingKey))
    call.give("signature", .bytes(answer.signature))
    call.give("token", .bytes(answer.challenge))
}

private let recoveryVouchVerb = tangemVerb(
    "recovery-vouch",
    "Lets another card of the set sign the token.",
    discussion: "A card that does not belong to the set is resetPinWrongCard. \(withoutCodes)",
    arguments: [
        ArgumentSpec("token", .bytes, isRequired: true, "token of the first card"),
        ArgumentSpec("linking-key", .bytes, isRequired: true, "linking key of the first card"),
        ArgumentSpec("signature", .bytes, isRequired: true, "signature of the first card"),
    ],
    results: [
        ResultSpec("linkingKey", .bytes, "linking key of the other card"),
        ResultSpec("salt", .bytes, "bytes of the other card"),
        ResultSpec("signature", .bytes, "signature of the other card"),
    ]
) { call in
    let token = AuthorizeCommand.Token(
        linkingKey: try call.needed("linking-key"),
        signature: try call.needed("signature"),
        challenge: try call.needed("token")
    )
    let answer = try call.tangem(preflight: try call.recoveryPreflight()) { session throws(TangemError) in
        guard case .signedToken(let signed) = try session.run(AuthorizeCommand.sign(token)) else {
            throw call.unexpected()
        }
        return signed
    }
    call.give("linkingKey", .bytes(answer.linkingKey))
    call.give("salt", .bytes(answer.salt))
    call.give("signature", .bytes(answer.signature))
}

private let recoveryAcceptVerb = tangemVerb(
    "recovery-accept",
    "Gives the signed token to the first card, which believes it once.",
    discussion: withoutCodes,
    arguments: [
        ArgumentSpec("linking-key", .bytes, isRequired: true, "linking key of the other card"),
        ArgumentSpec("salt", .bytes, isRequired: true, "bytes of the other card"),
        ArgumentSpec("signature", .bytes, isRequired: true, "signature of the other card"),
    ]
) { call in
    let token = AuthorizeCommand.SignedToken(
        linkingKey: try call.needed("linking-key"),
        salt: try call.needed("salt"),
        signature: try call.needed("signature")
    )
    try call.tangem(preflight: try call.recoveryPreflight()) { session throws(TangemError) in
        guard case .authenticated = try session.run(AuthorizeCommand.authenticate(token)) else {
            throw call.unexpected()
        }
    }
}

private let recoveryResetVerb = tangemVerb(
    "recovery-reset",
    "Sets new codes after another card vouched for the user.",
    discussion: """
        \(withoutCodes) A card that is lost here is not looked for: with its power it forgets that the other card
        vouched, so the recovery begins anew.
        """,
    arguments: [
        ArgumentSpec("new-access-code", .text, isRequired: true, "the new access code, 4 characters or more"),
        ArgumentSpec("new-passcode", .text, isRequired: true, "the new passcode, 4 characters or more"),
    ],
    results: [
        ResultSpec("accessCodeChanged", .boolean, "whether the card changed the access code"),
        ResultSpec("passcodeChanged", .boolean, "whether the card changed the passcode"),
    ]
) { call in
    let answer = try call.tangem(preflight: try call.recoveryPreflight()) { session throws(TangemError) in
        let codes = try call.newCodes()
        return try session.run(ResetPINCommand(accessCode: codes.access, passcode: codes.pass))
    }
    call.give("accessCodeChanged", .boolean(answer.isAccessCodeChanged))
    call.give("passcodeChanged", .boolean(answer.isPasscodeChanged))
}

private let otpVerb = tangemVerb(
    "otp",
    "Asks for the root of one-time passwords, its counter and the wallet that they belong to.",
    discussion:
        "Which cards have the command is not published; the emulated one has it with the option otp=yes.",
    results: [
        ResultSpec("root", .bytes, "root of the passwords"),
        ResultSpec("counter", .number(0...4_294_967_295), "counter of the passwords"),
        ResultSpec("walletPublicKey", .bytes, "public key of the wallet"),
    ]
) { call in
    let answer = try call.tangem { session throws(TangemError) in try session.run(GenerateOTPCommand()) }
    call.give("root", .bytes(answer.root))
    call.give("counter", .number(answer.counter))
    call.give("walletPublicKey", .bytes(answer.walletPublicKey))
}

private let unpublishedVerb = tangemVerb(
    "unpublished",
    "Stands for the commands whose data objects no source tells: always the error unsupportedCommand.",
    discussion: "Nothing is sent for them. Whoever knows their bytes can `send` them.",
    arguments: [
        ArgumentSpec(
            "command",
            .word(UnpublishedCommands.all.compactMap(\.name)),
            isRequired: true,
            "the command"
        )
    ],
    bare: "command"
) { call in
    let name = call.text("command")
    guard let instruction = UnpublishedCommands.all.first(where: { $0.name == name }) else {
        throw call.wrong("command", "'\(name ?? "")' is published, or no command at all")
    }
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.run(unpublished: instruction)
    }
}
