// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs about sets of cards: one primary card and one or two backup cards (from firmware 4.39).
///
/// Each is one side of the procedure; `on: ROLE` says which card it speaks to. What the cards sign and encrypt for
/// each other stands in no source: the verbs carry the bytes and cannot check them.
let tangemBackupVerbs: [Verb] = [
    backupStartVerb, backupJoinVerb, backupLinkVerb, backupReadVerb, backupFinishVerb, backupAcceptVerb,
    backupWriteVerb, backupResetVerb,
]

private let newCodeArguments: [ArgumentSpec] = [
    ArgumentSpec(
        "new-access-code",
        .text,
        isRequired: true,
        "the access code of all cards from then on, 4 characters or more"
    ),
    ArgumentSpec(
        "new-passcode",
        .text,
        isRequired: true,
        "the passcode of all cards from then on, 4 characters or more"
    ),
]

private let backupStatusResult = ResultSpec("backupStatus", .number(0...255), "0 none, 1 linked, 2 active")

private let backupStartVerb = tangemVerb(
    "backup-start",
    "Step 1, primary card: makes its linking key.",
    results: [
        ResultSpec("linkingKey", .bytes, "linking key of the primary card"),
        ResultSpec("cardPublicKey", .bytes, "public key of the card, for its certificate"),
    ]
) { call in
    let (key, card) = try call.tangem { session throws(TangemError) in
        (try session.run(StartPrimaryCardLinkingCommand()), session.card?.publicKey)
    }
    call.give("linkingKey", .bytes(key))
    call.give("cardPublicKey", .optional(card))
}

private let backupJoinVerb = tangemVerb(
    "backup-join",
    "Step 2, backup card: makes its linking key for a primary card.",
    arguments: [ArgumentSpec("primary", .bytes, isRequired: true, "linking key of the primary card")],
    bare: "primary",
    results: [
        ResultSpec("linkingKey", .bytes, "linking key of the backup card"),
        ResultSpec("attestSignature", .bytes, "signature of the backup card"),
        ResultSpec("cardPublicKey", .bytes, "public key of the card, for its certificate"),
    ]
) { call in
    let primary = try call.needed("primary")
    let (link, card) = try call.tangem { session throws(TangemError) in
        (
            try session.run(StartBackupCardLinkingCommand(primaryLinkingKey: primary)),
            session.card?.publicKey
        )
    }
    call.give("linkingKey", .bytes(link.linkingKey))
    call.give("attestSignature", .bytes(link.attestSignature))
    call.give("cardPublicKey", .optional(card))
}

private let backupLinkVerb = tangemVerb(
    "backup-link",
    "Step 3, primary card: learns of its backup cards and takes the codes of the set.",
    discussion: """
        The three lists have one entry for each backup card, in one order. Certificates that are not given are made with
        the published development key of the issuer.
        """,
    arguments: [
        ArgumentSpec("linking-keys", .list(.bytes), isRequired: true, "linking keys of the backup cards"),
        ArgumentSpec("card-keys", .list(.bytes), isRequired: true, "public keys of the backup cards"),
        ArgumentSpec("attest-signatures", .list(.bytes), isRequired: true, "signatures of the backup cards"),
        ArgumentSpec("certificates", .list(.bytes), "the issuer's signatures of the cards' keys"),
    ] + newCodeArguments,
    rules: [
        equalLists(["linking-keys", "card-keys", "attest-signatures", "certificates"], each: "backup card")
    ],
    results: [ResultSpec("attestSignature", .bytes, "signature of the primary card")]
) { call in
    let keys = try call.byteList("linking-keys")
    let cards = try call.byteList("card-keys")
    let signatures = try call.byteList("attest-signatures")
    let issuers = try call.byteList("certificates")
    guard keys.count == cards.count, keys.count == signatures.count,
        issuers.isEmpty || issuers.count == keys.count
    else { throw call.wrong("linking-keys", "the lists must have one entry for each backup card") }
    let attest = try call.tangem { session throws(TangemError) in
        let codes = try call.newCodes()
        var links: [LinkBackupCardsCommand.Link] = []
        for index in keys.indices {
            links.append(
                LinkBackupCardsCommand.Link(
                    linkingKey: keys[index],
                    certificate: try certificate(cards[index], issuers.isEmpty ? nil : issuers[index]),
                    attestSignature: signatures[index]
                )
            )
        }
        return try session.run(
            LinkBackupCardsCommand(links: links, accessCode: codes.access, passcode: codes.pass)
        )
    }
    call.give("attestSignature", .bytes(attest))
}

private let backupReadVerb = tangemVerb(
    "backup-read",
    "Step 4, primary card: gives its wallets for one backup card, encrypted by the card.",
    arguments: [
        ArgumentSpec("linking-key", .bytes, isRequired: true, "linking key of the backup card"),
        ArgumentSpec("index", .number(0...255), "one slot alone; all of them when left out"),
    ],
    bare: "linking-key",
    results: [
        ResultSpec("data", .list(.bytes), "the encrypted slots"),
        ResultSpec("salts", .list(.bytes), "the bytes that go with each"),
    ]
) { call in
    let key = try call.needed("linking-key")
    let index = try call.number("index")
    let parts = try call.tangem { session throws(TangemError) in
        let slots = index.map { $0..<$0 + 1 } ?? 0..<(session.card?.walletsCount ?? 0)
        var parts: [BackupData] = []
        for slot in slots {
            parts.append(try session.run(ReadBackupDataCommand(backupLinkingKey: key, walletIndex: slot)))
        }
        return parts
    }
    call.give("data", .list(parts.map { .bytes($0.data) }))
    call.give("salts", .list(parts.map { .bytes($0.salt) }))
}

private let backupFinishVerb = tangemVerb(
    "backup-finish",
    "Step 5, primary card: gives no more wallets away (from firmware 6.21)."
) { call in
    try call.tangem { session throws(TangemError) in try session.finalizeReadingBackup() }
}

private let backupAcceptVerb = tangemVerb(
    "backup-accept",
    "Step 6, backup card: learns of its primary card and takes the codes of the set.",
    arguments: [
        ArgumentSpec("primary", .bytes, isRequired: true, "linking key of the primary card"),
        ArgumentSpec("card-key", .bytes, isRequired: true, "public key of the primary card"),
        ArgumentSpec("certificate", .bytes, "the issuer's signature of that key"),
        ArgumentSpec("attest-signature", .bytes, isRequired: true, "signature of the primary card"),
        ArgumentSpec("linking-keys", .list(.bytes), isRequired: true, "linking keys of all backup cards"),
    ] + newCodeArguments,
    results: [backupStatusResult]
) { call in
    let primary = try call.needed("primary")
    let card = try call.needed("card-key")
    let issuer = try call.bytes("certificate")
    let attest = try call.needed("attest-signature")
    let keys = try call.byteList("linking-keys")
    let status = try call.tangem { session throws(TangemError) in
        let codes = try call.newCodes()
        return try session.run(
            LinkPrimaryCardCommand(
                primaryLinkingKey: primary,
                certificate: certificate(card, issuer),
                attestSignature: attest,
                backupLinkingKeys: keys,
                accessCode: codes.access,
                passcode: codes.pass
            )
        )
    }
    call.give("backupStatus", .number(status))
}

private let backupWriteVerb = tangemVerb(
    "backup-write",
    "Step 7, backup card: takes the wallets.",
    arguments: [
        ArgumentSpec("data", .filledList(.bytes), isRequired: true, "the encrypted slots"),
        ArgumentSpec("salts", .filledList(.bytes), isRequired: true, "the bytes that go with each"),
    ],
    rules: [equalLists(["data", "salts"], each: "slot")],
    results: [backupStatusResult]
) { call in
    let data = try call.byteList("data")
    let salts = try call.byteList("salts")
    guard !data.isEmpty, data.count == salts.count else {
        throw call.wrong("salts", "there must be one for each of the data")
    }
    let status = try call.tangem { session throws(TangemError) in
        var status = 0
        for (data, salt) in zip(data, salts) {
            status = try session.run(
                WriteBackupDataCommand(BackupData(walletIndex: nil, data: data, salt: salt))
            )
        }
        return status
    }
    call.give("backupStatus", .number(status))
}

private let backupResetVerb = tangemVerb(
    "backup-reset",
    "Takes a card without wallets out of its set.",
    discussion: "A wallet of the backup that is left is resetBackupFailedHasBackedUpWallets.",
    results: [backupStatusResult]
) { call in
    let answer = try call.tangem { session throws(TangemError) in try session.run(BackupResetCommand()) }
    call.give("backupStatus", .number(answer.backupStatus))
}

/// Wants lists of one length, those that are given and not empty.
private func equalLists(_ names: [String], each what: String) -> ArgumentRule {
    ArgumentRule(names) { values in
        let counts = names.compactMap { name -> (name: String, count: Int)? in
            guard case .list(let list)? = values[name], !list.isEmpty else { return nil }
            return (name, list.count)
        }
        guard let first = counts.first, let odd = counts.first(where: { $0.count != first.count }) else {
            return nil
        }
        return ArgumentRule.Complaint(
            odd.name,
            "'\(odd.name)' has \(odd.count) and '\(first.name)' \(first.count); each \(what) needs one of both"
        )
    }
}

/// A certificate; without the issuer's signature one of the published development key.
private func certificate(_ key: [UInt8], _ signature: [UInt8]?) throws(TangemError) -> CardCertificate {
    CardCertificate(cardPublicKey: key, issuerSignature: try issuerSignature(signature, key))
}

extension VerbCall {
    /// The codes that a card or a set of cards gets.
    ///
    /// - Returns: Both codes.
    /// - Throws: `accessCodeTooShort` or `passcodeTooShort`, unless checks are off.
    func newCodes() throws(TangemError) -> (access: UserCode, pass: UserCode) {
        let (access, pass) = (text("new-access-code") ?? "", text("new-passcode") ?? "")
        guard boolean("checks") ?? true else { return (UserCode(access), UserCode(pass)) }
        return (try UserCode.new(access, .accessCode), try UserCode.new(pass, .passcode))
    }
}
