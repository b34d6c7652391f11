// SPDX-License-Identifier: MIT

import Scenario
import SmartCard

/// Verbs of ISO/IEC 7816-4 that are no core words: `verify`, `get-data`, `read-record`, `get-challenge`.
let iso7816Verbs: [Verb] = [
    Verb(
        VerbSpec(
            "iso7816.verify",
            "Presents a reference value such as a PIN (VERIFY), or asks for the tries left.",
            discussion: """
                Without `value` the command is empty and the card answers 63Cx or 9000. The value is masked in traces
                and reports. Attempts are counted: at the floor (1 left) nothing is sent.
                """,
            arguments: [
                ArgumentSpec("reference", .bytes(1), "P2; 00 by default"),
                ArgumentSpec("value", .bytes(0...65_535), "the reference data"),
            ],
            results: [ResultSpec("tries", .number(0...15), "tries left, when the card tells (63Cx)")]
        )
    ) { call in
        let reference = try call.bytes("reference") ?? [0]
        guard reference.count == 1 else { throw call.wrong("reference", "one byte is needed") }
        let response = try call.send(
            plainCommand(ins: 0x20, p1: 0, p2: reference[0], data: call.bytes("value") ?? [], call: call)
        )
        if let tries = response.sw.triesLeft { call.observation.fields["tries"] = .number(tries) }
    },
    Verb(
        VerbSpec(
            "iso7816.get-data",
            "Reads a data object by its tag (GET DATA).",
            arguments: [
                ArgumentSpec("tag", .bytes(1...2), isRequired: true, "P1-P2"),
                ArgumentSpec("cla", .bytes(1), "class byte; 00 by default"),
            ],
            bare: "tag"
        )
    ) { call in
        guard let tag = try call.bytes("tag"), (1...2).contains(tag.count) else {
            throw call.wrong("tag", "one or two bytes are needed")
        }
        let padded = tag.count == 1 ? [0] + tag : tag
        let cla = try call.bytes("cla")?.first ?? 0
        try call.send(
            plainCommand(cla: cla, ins: 0xCA, p1: padded[0], p2: padded[1], ne: 256, call: call)
        )
    },
    Verb(
        VerbSpec(
            "iso7816.read-record",
            "Reads a record of a linear file (READ RECORD).",
            arguments: [
                ArgumentSpec("record", .number(1...254), isRequired: true, "number, from 1"),
                ArgumentSpec("sfi", .number(0...30), "short file id; 0, the default, is the selected file"),
            ],
            bare: "record"
        )
    ) { call in
        let record = try call.number("record") ?? 1
        let sfi = try call.number("sfi") ?? 0
        try call.send(
            plainCommand(ins: 0xB2, p1: UInt8(record), p2: UInt8(sfi << 3 | 4), ne: 256, call: call)
        )
    },
    Verb(
        VerbSpec(
            "iso7816.get-challenge",
            "Asks the card for random bytes (GET CHALLENGE).",
            arguments: [ArgumentSpec("length", .number(1...256), "number of bytes; 8 by default")],
            bare: "length"
        )
    ) { call in
        try call.send(plainCommand(ins: 0x84, p1: 0, p2: 0, ne: call.number("length") ?? 8, call: call))
    },
]

private func plainCommand(
    cla: UInt8 = 0,
    ins: UInt8,
    p1: UInt8,
    p2: UInt8,
    data: [UInt8] = [],
    ne: Int = 0,
    call: VerbCall
) throws(VerbStop) -> CommandAPDU {
    do {
        return try CommandAPDU(cla: cla, ins: ins, p1: p1, p2: p2, data: data, ne: ne)
    } catch {
        throw call.wrong("value", "\(error)")
    }
}
