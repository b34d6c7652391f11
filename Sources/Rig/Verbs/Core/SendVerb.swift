// SPDX-License-Identifier: MIT

import Scenario
import SmartCard

private let command = ArgumentChoice.exactlyOne("command")

/// `send`: a command as it is written, or from its fields.
let sendVerb = Verb(
    VerbSpec(
        "send",
        "Sends a command APDU.",
        discussion: """
            Either hex text of a whole command (`send: 00B0000001`), which goes out byte for byte, or its fields
            (`send: {cla: 00, ins: B0, p1: 00, p2: 00, le: 1}`), from which Lc is computed.
            """,
        arguments: [
            ArgumentSpec("apdu", .bytes(4 ... .max), choice: command, "the whole command"),
            ArgumentSpec("ins", .bytes(1), choice: command, "instruction byte"),
            ArgumentSpec("cla", .bytes(1), beside: ["ins"], "class byte; 00 by default"),
            ArgumentSpec("p1", .bytes(1), beside: ["ins"], "first parameter byte; 00 by default"),
            ArgumentSpec("p2", .bytes(1), beside: ["ins"], "second parameter byte; 00 by default"),
            ArgumentSpec("data", .bytes(0...65_535), beside: ["ins"], "command data"),
            ArgumentSpec(
                "le",
                .number(0...65_536),
                beside: ["ins"],
                "expected length; 0 is Le 00, as many as there are; none by default"
            ),
            ArgumentSpec(
                "extended",
                .boolean,
                beside: ["ins"],
                "extended length fields also where short ones would do"
            ),
        ],
        bare: "apdu"
    )
) { call in
    if let apdu = try call.bytes("apdu") {
        guard call.argument("ins") == nil else {
            throw call.wrong("apdu", "a whole command and its fields cannot stand together")
        }
        // Malformed commands are sent as they are: how a card refuses them is worth testing. One byte never is:
        // no header, and some readers take it for a control code.
        guard apdu.count >= 4 else {
            throw call.wrong("apdu", "\(APDUError.headerTooShort(count: apdu.count))")
        }
        try call.send(bytes: apdu)
        return
    }
    guard call.argument("ins") != nil else {
        throw call.wrong(
            "ins",
            "it is missing; give a whole command as hex text, or at least its instruction"
        )
    }
    func byte(_ name: String) throws(VerbStop) -> UInt8 {
        guard let bytes = try call.bytes(name) else { return 0 }
        guard bytes.count == 1 else { throw call.wrong(name, "one byte is needed, here are \(bytes.count)") }
        return bytes[0]
    }
    let isExtended = call.boolean("extended") ?? false
    var ne = try call.number("le")
    if ne == 0 { ne = isExtended ? CommandAPDU.extendedNeLimit : CommandAPDU.shortNeLimit }
    let command: CommandAPDU
    do {
        command = try CommandAPDU(
            cla: byte("cla"),
            ins: byte("ins"),
            p1: byte("p1"),
            p2: byte("p2"),
            data: call.bytes("data") ?? [],
            ne: ne ?? 0,
            isExtended: isExtended
        )
    } catch let stop as VerbStop {
        throw stop
    } catch {
        throw call.wrong("data", "\(error)")
    }
    try call.send(command)
}
