// SPDX-License-Identifier: MIT

import NBT
import Scenario
import SmartCard

/// Verbs of the NDEF file that know the chip: passwords, and the order of writing.
let nbtMessageVerbs: [Verb] = [readMessageVerb, writeMessageVerb]

private let readMessageVerb = Verb(
    VerbSpec(
        "nbt.read-message",
        "Reads the NDEF file as the vendor's libraries do, with its password where it has one.",
        discussion: """
            It does not look at the capability container; `ndef.read` does. The application must be selected. A length that
            the file cannot hold is the error malformedAnswer.
            """,
        arguments: [
            ArgumentSpec("password", .nbtPassword, "read password"),
            ArgumentSpec(
                "largest-read",
                .number(2...256),
                "most bytes that one READ BINARY asks for; 256 by default"
            ),
        ],
        results: [
            ResultSpec("message", .bytes, "the content, without its length field"),
            ResultSpec("length", .number(0...65_535), "number of bytes"),
        ]
    )
) { call in
    let password = try call.password("password")
    let limit = try call.number("largest-read") ?? 256
    let message = try call.nbt { (commands) throws(NBTError) in
        try commands.readNDEF(password: password, largestRead: limit)
    }
    call.give("message", .bytes(message))
    call.give("length", .number(message.count))
}

private let writeMessageVerb = Verb(
    VerbSpec(
        "nbt.write-message",
        "Writes the NDEF file, with its password where it has one.",
        discussion: """
            `order: length-first` writes as the vendor's libraries do: an interrupted write leaves a torn message.
            `length-last`, the default, has the length at 0000 meanwhile. The application must be selected.
            """,
        arguments: [
            ArgumentSpec(
                "message",
                .bytes(0...NBTCommandSet.largestMessage),
                isRequired: true,
                "the content, without a length field"
            ),
            ArgumentSpec("order", .word(["length-last", "length-first"]), "when the length is written"),
            ArgumentSpec("password", .nbtPassword, "write password"),
        ],
        bare: "message",
        results: [ResultSpec("length", .number(0...65_535), "number of bytes")]
    )
) { call in
    guard let message = try call.bytes("message") else { throw call.wrong("message", "it is missing") }
    let password = try call.password("password")
    let order: NDEFWriteOrder = call.text("order") == "length-first" ? .lengthFirst : .lengthLast
    try call.nbt { (commands) throws(NBTError) in
        try commands.writeNDEF(message, password: password, order: order)
    }
    call.give("length", .number(message.count))
}
