// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the file access policy.
let nbtPolicyVerbs: [Verb] = [policyVerb, installVerb]

private let useCaseWords = UseCase.allCases.map(\.rawValue)

private let policyVerb = Verb(
    VerbSpec(
        "nbt.policy",
        "Reads the file access policy, or writes the record of one file.",
        discussion: """
            Without `file` and `rights` the 42 bytes of the policy are read. With both (I2C read, I2C write, NFC read, NFC
            write, one byte each: 40 always, 00 never, 80 + id after a password) that record is written. Destructive is a
            record of FAP itself with a write right 00, or of a password that neither the case has seen on the chip nor,
            where the bench tells the chip by its identifier, an earlier run: on a real card it is written only in a case
            tagged `destructive`, on an allowed sample.
            """,
        arguments: [
            ArgumentSpec("file", .file, beside: ["rights"], "file whose record is written"),
            ArgumentSpec(
                "rights",
                .bytes(AccessPolicyLayout.recordSize - 2),
                beside: ["file"],
                "I2C read, I2C write, NFC read, NFC write"
            ),
            masterArgument,
        ],
        results: [
            ResultSpec("policy", .bytes, "all records, six bytes each; when it is read"),
            ResultSpec(
                "profile",
                .word(useCaseWords),
                "the use case that has this very policy; absent when none has"
            ),
        ]
    )
) { call in
    let file = try call.nbtFile()
    let rights = try call.bytes("rights")
    let master = try call.password("master")
    guard file != nil || rights != nil else {
        let table = try call.nbt { (commands) throws(NBTError) in
            try commands.readAccessTable(masterPassword: master)
        }
        call.give("policy", .bytes(table.bytes))
        call.give("profile", UseCase(table).map { .text($0.rawValue) })
        return
    }
    guard let file else { throw call.wrong("file", "it is missing beside rights") }
    guard let rights, rights.count == 4 else {
        throw call.wrong("rights", "four bytes are needed, here are \(rights?.count ?? 0)")
    }
    let policy = try call.made(of: "rights") { () throws(NBTError) in
        try FileAccessPolicy(file: file, rights: rights)
    }
    let update = try call.made(of: "rights") { () throws(NBTError) in
        try NBTCommandBuilder.updatePolicy(policy)
    }
    try call.refuseDanger(of: update.bytes, selected: .accessPolicy)
    try call.nbt { (commands) throws(NBTError) in try commands.write(policy, masterPassword: master) }
}

private let installVerb = Verb(
    VerbSpec(
        "nbt.install",
        "Installs the access policy of a use case.",
        discussion: """
            With `only-changes` the records that differ are written, without it the container's entries and all records, as
            the vendor's personalization apps do. `delivery` puts the NDEF file back too unless `only-changes` is given;
            keys, passwords and the other files stay as they are.
            """,
        arguments: [
            ArgumentSpec("profile", .word(useCaseWords), isRequired: true, "the use case"),
            ArgumentSpec(
                "only-changes",
                .boolean,
                "write what differs, and leave the container; no by default"
            ),
            masterArgument,
        ],
        bare: "profile",
        results: [ResultSpec("written", .number(0...7), "number of records that were written")]
    )
) { call in
    guard let useCase = call.text("profile").flatMap(UseCase.init(rawValue:)) else {
        throw call.wrong("profile", "it is missing")
    }
    let master = try call.password("master")
    let table = useCase.accessTable
    if call.boolean("only-changes") == true {
        let written = try call.nbt { (commands) throws(NBTError) in
            try commands.apply(table, masterPassword: master)
        }
        call.give("written", .number(written.count))
        return
    }
    try call.nbt { (commands) throws(NBTError) in
        if useCase == .delivery {
            try commands.resetToDelivery(masterPassword: master)
        } else {
            try commands.install(table, masterPassword: master)
        }
    }
    call.give("written", .number(table.policies.count))
}
