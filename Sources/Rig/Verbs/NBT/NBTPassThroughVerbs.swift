// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the pass-through: the phone's side of the vendor's example, and the host's side over I2C.
let nbtPassThroughVerbs: [Verb] = [passThroughVerb, fetchVerb, putResponseVerb]

private let passThroughVerb = Verb(
    VerbSpec(
        "nbt.pass-through",
        "Switches the LED of the vendor's pass-through example, as a phone does.",
        discussion: """
            It selects the host's application 0102030405 first, which opens the pass-through; without `led` that is all.
            The host must be there and answer; where nobody does, the chip's answer or silence is the step's.
            """,
        arguments: [
            ArgumentSpec("led", .word(["on", "off"]), "what the LED shall do"),
            ArgumentSpec("select", .boolean, "whether the application is selected first; yes by default"),
            ArgumentSpec("le", .boolean, "whether SELECT carries Le 00; yes by default, as on iOS"),
        ],
        rules: [
            ArgumentRule(["led", "select"]) { values in
                guard values["led"] == nil, values["select"] == .boolean(false) else { return nil }
                return ArgumentRule.Complaint(
                    "select",
                    "without 'led' and the selection there is nothing to do"
                )
            }
        ],
        bare: "led"
    )
) { call in
    let led = call.text("led")
    let selects = call.boolean("select") ?? true
    guard led != nil || selects else {
        throw call.wrong("led", "without it and select there is nothing to do")
    }
    if selects {
        let command = try call.made(of: "le") { () throws(NBTError) in
            try NBTCommandBuilder.selectPassThroughExample(hasLe: call.boolean("le") ?? true)
        }
        guard led != nil else {
            try call.send(command)
            return
        }
        try call.sendFirst(command, "SELECT pass-through example")
    }
    try call.sendOnly("led") { () throws(NBTError) in try NBTCommandBuilder.passThroughLED(on: led == "on") }
}

private let fetchVerb = Verb(
    VerbSpec(
        "nbt.fetch",
        "Asks the chip, from the host's side, what the phone did (FETCH DATA).",
        discussion: "For a connection over I2C: `on: i2c`.",
        results: [
            ResultSpec("status", .bytes, "the status, 2 bytes"),
            ResultSpec("events", .list(.any), "the words of the bits that are set"),
            ResultSpec("command", .bytes, "the phone's command; absent when none waits"),
        ]
    )
) { call in
    let request = try call.nbt { (commands) throws(NBTError) in try commands.fetchData() }
    let status = request.status.rawValue
    call.give("status", .bytes([UInt8(status >> 8), UInt8(status & 0xFF)]))
    call.give("events", .list(request.status.words.map { .text($0) }))
    call.give("command", .optional(request.command))
}

private let putResponseVerb = Verb(
    VerbSpec(
        "nbt.put-response",
        "Answers the phone from the host's side (PUT RESPONSE).",
        discussion: "For a connection over I2C: `on: i2c`. The frame is none of ISO/IEC 7816.",
        arguments: [
            ArgumentSpec(
                "response",
                .bytes(2...65_535),
                isRequired: true,
                "what the phone gets: data and status word"
            )
        ],
        bare: "response"
    )
) { call in
    guard let bytes = try call.bytes("response"), let response = try? ResponseAPDU(bytes: bytes) else {
        throw call.wrong("response", "a status word of two bytes is the least")
    }
    let frame = try call.made(of: "response") { () throws(NBTError) in
        try NBTCommandBuilder.putResponse(response)
    }
    try call.send(bytes: frame)
}
