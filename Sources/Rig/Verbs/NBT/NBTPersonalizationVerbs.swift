// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the personalization.
let nbtPersonalizationVerbs: [Verb] = [personalizeVerb, finalizeVerb]

private let whatToWrite = ArgumentChoice.exactlyOne("what")

private let personalizeVerb = Verb(
    VerbSpec(
        "nbt.personalize",
        "Writes a key, a password, a file or any data group (PERSONALIZE DATA).",
        discussion: """
            One data group a step: `cott-key`, `ecc-key`, `password` (with `id`, `response`, `tries`), `file` or `group`
            (with `data`). Keys and passwords are hidden in traces and reports. After `nbt.finalize` the
            chip answers 6985. Keys are destructive, since the old ones cannot be read back: on a real card they are
            written only in a case tagged `destructive`, on an allowed sample.
            """,
        arguments: [
            ArgumentSpec("cott-key", .bytes(16), choice: whatToWrite, "key of the one-time token"),
            ArgumentSpec("ecc-key", .bytes(32), choice: whatToWrite, "private key, a scalar of P-256"),
            ArgumentSpec(
                "password",
                .nbtPassword,
                choice: whatToWrite,
                beside: ["id"],
                "value of a password"
            ),
            ArgumentSpec(
                "file",
                .file,
                choice: whatToWrite,
                beside: ["data"],
                "file that `data` goes to"
            ),
            ArgumentSpec(
                "group",
                .bytes(2),
                choice: whatToWrite,
                beside: ["data"],
                "data group that `data` goes to"
            ),
            ArgumentSpec(
                "data",
                .bytes(0...NBTCommandBuilder.personalizationLimit),
                beside: ["file", "group"],
                "content of the file or group"
            ),
            ArgumentSpec("id", .number(1...31), beside: ["password"], "id of the password"),
        ] + passwordArguments.map { $0.beside("password") },
        rules: [
            ArgumentRule(["file", "data"]) { values in
                guard let file = values["file"].flatMap(NBTFile.init), case .bytes(let data)? = values["data"]
                else { return nil }
                return complaint(about: "data") { () throws(NBTError) in
                    try NBTCommandBuilder.personalize(file: file, content: data)
                }
            }
        ]
    )
) { call in
    let data = try call.bytes("data")
    func content() throws(VerbStop) -> [UInt8] {
        guard let data else { throw call.wrong("data", "it is missing") }
        return data
    }
    if let key = try call.bytes("cott-key") {
        try call.sendOnly("cott-key") { () throws(NBTError) in
            try NBTCommandBuilder.personalize(cottKey: key)
        }
    } else if let key = try call.bytes("ecc-key") {
        try call.sendOnly("ecc-key") { () throws(NBTError) in
            try NBTCommandBuilder.personalize(eccKey: key)
        }
    } else if let value = try call.password("password") {
        let password = try call.describedPassword(value, id: call.passwordID())
        try call.sendOnly("password") { () throws(NBTError) in
            try NBTCommandBuilder.personalize(password: password)
        }
    } else if let file = try call.nbtFile() {
        let content = try content()
        try call.sendOnly("data") { () throws(NBTError) in
            try NBTCommandBuilder.personalize(file: file, content: content)
        }
    } else if let group = try call.bytes("group") {
        guard group.count == 2 else {
            throw call.wrong("group", "two bytes are needed, here are \(group.count)")
        }
        let identifier = PersonalizationGroup(rawValue: UInt16(group[0]) << 8 | UInt16(group[1]))
        let content = try content()
        try call.sendOnly("data") { () throws(NBTError) in
            try NBTCommandBuilder.personalize(identifier, data: content)
        }
    } else {
        throw call.wrong("cott-key", "one of cott-key, ecc-key, password, file and group is needed")
    }
}

private let finalizeVerb = Verb(
    VerbSpec(
        "nbt.finalize",
        "Ends personalization for good (PERSONALIZE DATA BF63).",
        discussion:
            "Destructive: on a real card it runs only in a case tagged `destructive`, on an allowed sample."
    )
) { call in
    try call.sendOnly("finalize") { () throws(NBTError) in try NBTCommandBuilder.finalizePersonalization() }
}
