// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario
import SmartCard

let kitAgreeVerb = Verb(
    VerbSpec(
        "kit.agree",
        "Compares three witnesses of the kit's LED: what is seen, the firmware's log, and FILE_2.",
        discussion: """
            `kit.agree: lit` wants all of them to say that the LED is lit. What is seen is the probe's word (or that of
            a bench's program): it says a state where three bursts of looks, as those of `kit.led`, show nothing else.
            The log's word is the last `LED turned ON` or `OFF`, and FILE_2 is read over NFC, so the field has to be on.
            A kit without a log is judged by the other two; one whose log was lost gives a `probe` fault. The failure
            names the witness that disagrees.
            """,
        arguments: [
            ArgumentSpec("is", .word(["lit", "dark"]), isRequired: true, "the state that all have to tell")
        ],
        bare: "is",
        results: [
            ResultSpec("seen", .word(["lit", "dark"]), "the LED as it is seen; absent while it changes"),
            ResultSpec("log", .word(["lit", "dark"]), "the LED by the firmware's log"),
            ResultSpec("file", .bytes, "the byte in FILE_2"),
        ],
        needs: ["kit.led"]
    )
) { call in
    let kit = try call.kit()
    guard let wanted = call.ledState("is") else { throw call.wrong("is", "it is missing") }
    let look = { () throws(TransportFault) -> LEDLook in try kit.lookAtLED() }
    let seen = try call.touching { () throws(TransportFault) in
        try LEDJudge(clock: call.session.clock).restingState(look: look)
    }
    let byte = try readStatusFile(call)
    try call.touching { () throws(TransportFault) in try kit.checkUART() }
    let log = LEDWitness.log(kit.uartLines(since: 0))
    var witnesses = [LEDWitness(kit.eye, seen)]
    if let log { witnesses.append(LEDWitness("the log", log)) }
    witnesses.append(LEDWitness("FILE_2", LEDWitness.file(byte)))
    call.observation.fields["seen"] = seen.map { .text($0.rawValue) }
    call.observation.fields["log"] = log.map { .text($0.rawValue) }
    call.observation.fields["file"] = .bytes(byte)
    call.assertions += witnesses.count
    let sentence = LEDWitness.sentence(witnesses, wanted: wanted)
    call.details.append(sentence)
    guard witnesses.contains(where: { $0.state != wanted }) else { return }
    throw VerbStop.mismatch(
        Mismatch(
            .probeMismatch,
            sentence,
            expected: "LED \(wanted.rawValue)",
            received: witnesses.map(\.description).joined(separator: ", "),
            decoded: lastLines(of: kit),
            at: call.step.position
        )
    )
}

/// Reads the byte by which the firmware tells the state over NFC.
private func readStatusFile(_ call: VerbCall) throws(VerbStop) -> [UInt8] {
    var data: [UInt8] = []
    for command in StatusFile.commands {
        let response = try call.send(bytes: command.bytes)
        data = response.data
        if command.bytes[1] == select, response.sw != .success, let exchange = call.observation.lastCommand {
            throw .earlierCommand(what: command.what, exchange)
        }
    }
    return data
}

/// Source: ISO/IEC 7816-4:2013 §11.1.1.
private let select: UInt8 = 0xA4
