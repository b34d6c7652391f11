// SPDX-License-Identifier: MIT

import CardConnection
import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the OPTIGA Authenticate NBT: `nbt.policy`, `nbt.version`.
let nbtVerbs: [Verb] = [policyVerb, versionVerb]

private let policyVerb = Verb(
    VerbSpec(
        "nbt.policy",
        "Reads the file access policy, or writes the record of one file.",
        discussion: """
            Without arguments the 42 bytes of the policy are read. With `file` and `rights` (I2C read, I2C write, NFC
            read, NFC write, one byte each: 40 always, 00 never, 80 + id after a password) that record is written.
            """,
        arguments: [
            ArgumentSpec("file", .file, "file whose record is written"),
            ArgumentSpec("rights", .bytes, "four bytes: I2C read, I2C write, NFC read, NFC write"),
        ],
        results: [ResultSpec("policy", .bytes, "all records, six bytes each")]
    )
) { call in
    let file = try call.bytes("file")
    let rights = try call.bytes("rights")
    guard file != nil || rights != nil else {
        let table = try chip(of: call) { (tag) throws(NBTError) in try tag.readAccessTable() }
        call.observation.fields["policy"] = .bytes(table.bytes)
        return
    }
    guard let file, file.count == 2 else { throw call.wrong("file", "it is missing beside rights") }
    guard let rights, rights.count == 4 else {
        throw call.wrong("rights", "four bytes are needed, here are \(rights?.count ?? 0)")
    }
    let policy = FileAccessPolicy(
        file: NBTFile(rawValue: UInt16(file[0]) << 8 | UInt16(file[1])),
        i2cRead: AccessCondition(rawValue: rights[0]),
        i2cWrite: AccessCondition(rawValue: rights[1]),
        nfcRead: AccessCondition(rawValue: rights[2]),
        nfcWrite: AccessCondition(rawValue: rights[3])
    )
    try chip(of: call) { (tag) throws(NBTError) in try tag.write(policy) }
}

private let versionVerb = Verb(
    VerbSpec(
        "nbt.version",
        "Reads the applet's version (GET DATA DF3A).",
        results: [ResultSpec("version", .text, "major.minor.build")]
    )
) { call in
    let version = try chip(of: call) { (tag) throws(NBTError) in try tag.version() }
    call.observation.fields["version"] = .text("\(version)")
}

/// Runs the host library, and turns its errors into the verb's end.
@discardableResult
private func chip<Result>(
    of call: VerbCall,
    _ work: (NBTTag) throws(NBTError) -> Result
) throws(VerbStop) -> Result {
    do throws(NBTError) {
        return try work(NBTTag(ObservedConnection(call)))
    } catch {
        switch error {
        case .transport(let fault): throw .fault(fault)
        case .unexpectedStatus(let status):
            guard let exchange = call.observation.exchanges.last else {
                throw .device(name: error.word, detail: "\(error)")
            }
            throw .status(of: exchange, what: status.command)
        default: throw .device(name: error.word, detail: "\(error)")
        }
    }
}
