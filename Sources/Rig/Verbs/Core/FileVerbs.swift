// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Type4Tag

/// Verbs of ISO/IEC 7816-4 files: `select`, `read`, `write`.
let fileVerbs: [Verb] = [selectVerb, readVerb, writeVerb]

private let selectVerb = Verb(
    VerbSpec(
        "select",
        "Selects an application by its AID, or a file by its id or name.",
        discussion: """
            Two bytes or a name of the device's dictionary select a file (P1 00, P2 0C), 5 to 16 bytes an application
            (P1 04, P2 00). When the answer carries a DF name (tag 84), it must be the AID or begin with it.
            """,
        arguments: [
            ArgumentSpec("target", .selector, isRequired: true, "AID, file id or name"),
            ArgumentSpec(
                "le",
                .boolean,
                "whether the command carries Le 00; by default as the device wants it"
            ),
            ArgumentSpec("strict", .boolean, "an answer without tag 84 is a failure, not a warning"),
        ],
        bare: "target",
        results: [
            ResultSpec(
                "confirmation",
                .word(["confirmed", "unconfirmed", "mismatch"]),
                "whether tag 84 of the answer names the AID"
            )
        ]
    )
) { call in
    guard let name = try call.bytes("target") else { throw call.wrong("target", "it is missing") }
    let command = try selectCommand(name, withLe: call.boolean("le"), call: call)
    let response = try call.send(command)
    guard name.count > 2, response.sw == .success else { return }
    try checkConfirmation(of: name, response: response, call: call)
}

/// The SELECT command for a file id or an AID, with Le as the device's dictionary wants it.
func selectCommand(_ name: [UInt8], withLe le: Bool?, call: VerbCall) throws(VerbStop) -> CommandAPDU {
    let isFile = name.count == 2
    guard isFile || (5...16).contains(name.count) else {
        throw call.wrong("target", "a file id has 2 bytes and an AID 5 to 16, here are \(name.count)")
    }
    let hasLe = le ?? (isFile ? false : SelectConvention.of(call.target).applicationHasLe)
    do {
        return try CommandAPDU(
            cla: 0x00,
            ins: 0xA4,
            p1: isFile ? 0x00 : 0x04,
            p2: isFile ? 0x0C : 0x00,
            data: name,
            ne: hasLe ? 256 : 0
        )
    } catch {
        throw call.wrong("target", "\(error)")
    }
}

private func checkConfirmation(of aid: [UInt8], response: ResponseAPDU, call: VerbCall) throws(VerbStop) {
    guard let check = SelectCheck(selecting: aid, response: response) else { return }
    call.observation.fields["confirmation"] = .text(check.word)
    call.assertions += 1
    // Who expects a confirmation, or its absence, has the last word.
    guard call.step.expectation?.asksFor(field: "confirmation") != true else { return }
    switch check {
    case .confirmed: break
    case .mismatch(let other):
        throw .mismatch(
            Mismatch(
                .unexpectedData,
                "the card selected \(other.hex), not \(aid.hex)",
                expected: "tag 84 \(aid.hex)",
                received: "tag 84 \(other.hex)",
                hint: "the answer belongs to another application; is the right card on the reader?",
                at: call.step.position
            )
        )
    case .unconfirmed:
        if call.boolean("strict") == true {
            throw .mismatch(
                Mismatch(
                    .unexpectedData,
                    "SELECT \(aid.hex) is not confirmed by the answer",
                    expected: "tag 84 \(aid.hex)",
                    received: "no tag 84",
                    hint: "some cards answer 9000 to any SELECT",
                    at: call.step.position
                )
            )
        }
        if SelectConvention.of(call.target).promisesFCI {
            call.warnings.append("SELECT \(aid.hex) answered 9000 without tag 84: not confirmed")
        }
    }
}

private let readVerb = Verb(
    VerbSpec(
        "read",
        "Reads bytes of a transparent file (READ BINARY).",
        discussion: """
            With `file` the file is selected first, and a card forgets passwords that came with an earlier selection. More
            than 256 bytes are read in pieces.
            """,
        arguments: [
            ArgumentSpec("file", .file, "file id or name, selected first"),
            ArgumentSpec("offset", .number(0...32_767), "first byte, from 0"),
            ArgumentSpec(
                "length",
                .number(1...65_536),
                "number of bytes; by default what the card gives for Le 00"
            ),
        ],
        bare: "file",
        results: [ResultSpec("content", .bytes, "the bytes of all pieces")]
    )
) { call in
    if let file = try call.bytes("file") {
        try call.sendFirst(selectCommand(file, withLe: false, call: call), "SELECT \(file.hex)")
    }
    let start = try call.number("offset") ?? 0
    guard let length = try call.number("length") else {
        let response = try call.send(binaryCommand(0xB0, offset: start, ne: 256, call: call))
        call.observation.fields["content"] = .bytes(response.data)
        return
    }
    var content: [UInt8] = []
    while content.count < length {
        let offset = start + content.count
        let piece = min(256, length - content.count)
        let command = try binaryCommand(0xB0, offset: offset, ne: piece, call: call)
        let isLast = piece == length - content.count
        let response =
            isLast ? try call.send(command) : try call.sendFirst(command, "READ BINARY at \(offset)")
        content += response.data
        // A short answer is the end of the file: asking on would only read beyond it.
        if isLast || response.data.count < piece { break }
    }
    call.observation.fields["content"] = .bytes(content)
}

private let writeVerb = Verb(
    VerbSpec(
        "write",
        "Writes bytes of a transparent file (UPDATE BINARY).",
        discussion: """
            With `file` the file is selected first, and a card forgets passwords that came with an earlier selection. More
            than 255 bytes are written in pieces.
            """,
        arguments: [
            ArgumentSpec("file", .file, "file id or name, selected first"),
            ArgumentSpec("offset", .number(0...32_767), "first byte, from 0"),
            ArgumentSpec("data", .bytes(1 ... .max), isRequired: true, "the bytes"),
        ],
        rules: [offsetRule]
    )
) { call in
    guard let data = try call.bytes("data"), !data.isEmpty else {
        throw call.wrong("data", "at least one byte is needed")
    }
    if let file = try call.bytes("file") {
        try call.sendFirst(selectCommand(file, withLe: false, call: call), "SELECT \(file.hex)")
    }
    let start = try call.number("offset") ?? 0
    var done = 0
    while done < data.count {
        let piece = Array(data[done..<min(done + 255, data.count)])
        let command = try binaryCommand(0xD6, offset: start + done, data: piece, call: call)
        done += piece.count
        if done < data.count {
            try call.sendFirst(command, "UPDATE BINARY at \(start + done - piece.count)")
        } else {
            try call.send(command)
        }
    }
}

/// Refuses to write where no command reaches.
///
/// A read is left alone: it may end before, where the file does.
private let offsetRule = ArgumentRule(["offset", "data"]) { values in
    var start = 0
    if case .number(let offset)? = values["offset"] { start = offset }
    guard case .bytes(let data)? = values["data"], !data.isEmpty else { return nil }
    let last = start + (data.count - 1) / 255 * 255
    return last <= largestOffset ? nil : ArgumentRule.Complaint("data", beyond(last))
}

/// The largest offset of 15 bits.
private let largestOffset = 0x7FFF

private func beyond(_ offset: Int) -> String {
    "\(offset) is beyond \(largestOffset), the largest offset that P1-P2 can hold"
}

/// READ BINARY or UPDATE BINARY at an offset of 15 bits.
///
/// Source: ISO/IEC 7816-4:2013 §11.2.
private func binaryCommand(
    _ ins: UInt8,
    offset: Int,
    data: [UInt8] = [],
    ne: Int = 0,
    call: VerbCall
) throws(VerbStop) -> CommandAPDU {
    guard (0...largestOffset).contains(offset) else { throw call.wrong("offset", beyond(offset)) }
    do {
        return try CommandAPDU(
            cla: 0x00,
            ins: ins,
            p1: UInt8(offset >> 8),
            p2: UInt8(offset & 0xFF),
            data: data,
            ne: ne
        )
    } catch {
        throw call.wrong("data", "\(error)")
    }
}
