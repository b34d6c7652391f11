// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs about the files of a card (from firmware 3.29).
let tangemFileVerbs: [Verb] = [
    writeFileVerb, readFilesVerb, deleteFilesVerb, changeFileVerb, fileChecksumVerb,
]

private let writeFileVerb = tangemVerb(
    "write-file",
    "Writes a new file, block by block.",
    discussion: """
        With the passcode (from 3.34), or with `counter` as the issuer's file: signatures that are not given are made
        with the published development key. With `name` the data go into a named file.
        """,
    arguments: [
        ArgumentSpec("data", .bytes, isRequired: true, "the data"),
        ArgumentSpec("name", .text, "name of a named file"),
        ArgumentSpec(
            "public",
            .boolean,
            "whether it is read without the passcode; the card decides when left out"
        ),
        ArgumentSpec("permanent", .boolean, "whether it cannot be deleted; no by default"),
        ArgumentSpec("wallet", .bytes, "public key of the wallet that it belongs to"),
        ArgumentSpec("counter", .number(0...4_294_967_295), "counter of the issuer's file"),
        ArgumentSpec("starting-signature", .bytes, "signature of card identifier, counter and size")
            .beside("counter"),
        ArgumentSpec("finalizing-signature", .bytes, "signature of card identifier, data and counter")
            .beside("counter"),
    ],
    bare: "data",
    results: [ResultSpec("index", .number(0...255), "its place in the list")]
) { call in
    let payload = try call.needed("data")
    let name = call.text("name")
    let wallet = try call.bytes("wallet")
    let counter = try call.counter()
    let start = try call.bytes("starting-signature")
    let end = try call.bytes("finalizing-signature")
    let settings = rights(of: call)
    let index = try call.tangem(preflight: wallet == nil ? .cardOnly : .full) { session throws(TangemError) in
        let data = if let name { try NamedFile(name: name, payload: payload).data() } else { payload }
        var owner: NewFile.Owner?
        if let counter {
            let id = try session.cardID()
            let size = UInt16(clamping: data.count)
            owner = NewFile.Owner(
                startingSignature: try issuerSignature(
                    start,
                    SignedMessage.fileStart(id, size: size, counter: counter)
                ),
                finalizingSignature: try issuerSignature(
                    end,
                    SignedMessage.fileEnd(id, data: data, counter: counter)
                ),
                counter: counter
            )
        }
        let file = NewFile(data: data, settings: settings, walletPublicKey: wallet, owner: owner)
        return try session.writeFiles([file]).first
    }
    call.give("index", .optional(index))
}

private let readFilesVerb = tangemVerb(
    "read-files",
    "Reads files.",
    discussion: """
        Private files come only with `private: yes`, which sends the passcode. Without it a file that the card refuses
        is passed over; where nothing else was read, the step ends with that refusal.
        """,
    arguments: [
        ArgumentSpec("private", .boolean, "whether private files are read too; no by default"),
        ArgumentSpec("name", .text, "files of this name alone"),
        ArgumentSpec("wallet", .bytes, "files of this wallet alone"),
    ],
    results: [
        ResultSpec("count", .number(0...256), "number of files"),
        ResultSpec("content", .bytes, "the data of the first file"),
        ResultSpec(
            "files",
            .list(.any),
            parts: ["index", "content", "public", "permanent", "wallet", "name", "payload"],
            "the files: index, content, and public, permanent, wallet, name, payload where they are"
        ),
    ]
) { call in
    let wallet = try call.bytes("wallet")
    let name = call.text("name")
    let isPrivate = call.boolean("private") ?? false
    let files = try call.tangem(preflight: wallet == nil ? .cardOnly : .full) { session throws(TangemError) in
        try session.readFiles(readsPrivateFiles: isPrivate, fileName: name, walletPublicKey: wallet)
    }
    call.give("count", .number(files.count))
    call.give("content", .optional(files.first?.data))
    call.give("files", .list(files.map(value)))
}

private let deleteFilesVerb = tangemVerb(
    "delete-files",
    "Deletes files; all of them without indices.",
    arguments: [ArgumentSpec("indices", .list(.number(0...255)), "places in the list")],
    bare: "indices"
) { call in
    var indices: [Int]?
    switch call.argument("indices") {
    case .list(let values)?:
        var numbers: [Int] = []
        for value in values {
            guard case .number(let number) = value else { throw call.wrong("indices", "each is a number") }
            numbers.append(number)
        }
        indices = numbers
    case .number(let number)?: indices = [number]
    default: break
    }
    let wanted = indices
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in try session.deleteFiles(wanted) }
}

private let changeFileVerb = tangemVerb(
    "change-file",
    "Changes the rights of a file.",
    arguments: [
        ArgumentSpec("index", .number(0...255), isRequired: true, "its place in the list"),
        ArgumentSpec("public", .boolean, isRequired: true, "whether it is read without the passcode"),
        ArgumentSpec("permanent", .boolean, "whether it cannot be deleted; no by default"),
    ]
) { call in
    guard let index = try call.number("index"), let settings = rights(of: call) else {
        throw call.wrong("index", "index and public are needed")
    }
    try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.changeFileSettings([index: settings])
    }
}

private let fileChecksumVerb = tangemVerb(
    "file-checksum",
    "Lets the card compute the SHA-256 of a file (from firmware 3.34).",
    arguments: [
        ArgumentSpec("index", .number(0...255), choice: .exactlyOne("file"), "its place in the list"),
        ArgumentSpec("name", .text, choice: .exactlyOne("file"), "its name"),
        ArgumentSpec("private", .boolean, "whether the passcode goes along; no by default"),
    ],
    bare: "index",
    results: [ResultSpec("digest", .bytes, "the SHA-256 of its data")]
) { call in
    let index = try call.number("index")
    let name = call.text("name")
    let isPrivate = call.boolean("private") ?? false
    let answer = try call.tangem(preflight: .cardOnly) { session throws(TangemError) in
        try session.fileChecksum(index: index, fileName: name, readsPrivateFiles: isPrivate)
    }
    call.give("digest", .bytes(answer.digest))
}

private func rights(of call: VerbCall) -> FileSettings? {
    let isPermanent = call.boolean("permanent") ?? false
    guard let isPublic = call.boolean("public") ?? (isPermanent ? true : nil) else { return nil }
    return FileSettings(isPublic: isPublic, isPermanent: isPermanent)
}

private func value(of file: FileRecord) -> Value {
    var map: [String: Value] = ["index": .number(file.index), "content": .bytes(file.data)]
    if let settings = file.settings {
        map["public"] = .boolean(settings.isPublic)
        map["permanent"] = .boolean(settings.isPermanent)
    }
    map["wallet"] = .optional(file.walletIndex)
    if let named = file.named {
        map["name"] = .text(named.name)
        map["payload"] = .bytes(named.payload)
    }
    return .map(map)
}
