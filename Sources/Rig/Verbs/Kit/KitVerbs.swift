// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario

/// Verbs of the dev kit that carries the device: `kit.button`, `kit.led`, `kit.uart`.
let kitVerbs: [Verb] = [buttonVerb, ledVerb, uartVerb]

private let buttonVerb = Verb(
    VerbSpec(
        "kit.button",
        "Presses the kit's button.",
        discussion: """
            The kit's firmware acts on the button, and only while the reader's field is off: a chip in the field
            does not answer over I2C.
            """,
        arguments: [ArgumentSpec("action", .word(["press"]), "press and let go")],
        bare: "action",
        needs: ["kit.button"],
        exchanges: false
    )
) { call in
    let kit = try kit(of: call)
    try call.touching { () throws(TransportFault) in
        // A change is judged against the last look before the press; a kit without a visible LED has no such look.
        if let state = try? kit.led() {
            call.session.ledBeforePress = LEDSample(state, at: call.session.clock.now)
        }
        try kit.pressButton()
    }
}

private let ledVerb = Verb(
    VerbSpec(
        "kit.led",
        "Judges the kit's LED.",
        discussion: """
            `{was: dark, is: lit}` with `expect: {within: 1s}` wants the change: three equal samples at uneven gaps,
            within the limit (1 s by default). `{is: dark, for: 2s}` wants it to stay so. `{is: lit}` alone wants the
            state within the limit, whatever it was before.
            """,
        arguments: [
            ArgumentSpec(
                "was",
                .word(["lit", "dark"]),
                "the state before; a LED that was already there proves nothing"
            ),
            ArgumentSpec("is", .word(["lit", "dark"]), isRequired: true, "the state that is expected"),
            ArgumentSpec("for", .duration, "how long it must stay so"),
        ],
        bare: "is",
        results: [
            ResultSpec("state", .word(["lit", "dark"]), "the state at the end"),
            ResultSpec(
                "latency",
                .duration,
                "time from the start of the step to the first sample of the new state"
            ),
        ],
        needs: ["kit.led"],
        exchanges: false
    )
) { call in
    let kit = try kit(of: call)
    guard let wanted = call.text("is").flatMap(LEDState.init(rawValue:)) else {
        throw call.wrong("is", "it is missing")
    }
    let judge = LEDJudge(clock: call.session.clock)
    let begin = call.session.clock.now
    let look = { () throws(TransportFault) -> LEDState in try kit.led() }
    let verdict = try call.touching { () throws(TransportFault) in
        if let time = call.duration("for") { return try judge.judgeHold(is: wanted, for: time, sample: look) }
        return try judge.judge(
            was: call.text("was").flatMap(LEDState.init(rawValue:)),
            is: wanted,
            within: call.step.expectation?.within ?? LEDJudge.defaultLimit,
            before: call.session.ledBeforePress,
            after: call.session.ledBeforePress == nil ? nil : "the button was pressed",
            sample: look
        )
    }
    call.session.ledBeforePress = nil
    call.assertions += 1
    call.details.append(verdict.text)
    let state = verdict.holds ? wanted : verdict.firstNew?.state ?? verdict.lastOld?.state ?? wanted.other
    call.observation.fields["state"] = .text(state.rawValue)
    if let first = verdict.firstNew { call.observation.fields["latency"] = .duration(first.time - begin) }
    if !verdict.holds {
        throw VerbStop.mismatch(
            Mismatch(
                .probeMismatch,
                verdict.text,
                expected: "LED \(wanted.rawValue)",
                received: "LED \(state.rawValue)",
                decoded: lastLines(of: kit),
                hint: call.duration("for") == nil ? hint(for: call) : "",
                at: call.step.position
            )
        )
    }
}

private let uartVerb = Verb(
    VerbSpec(
        "kit.uart",
        "Looks for a line in the kit's log.",
        arguments: [
            ArgumentSpec("contains", .text, isRequired: true, "text that a line since the start must hold")
        ],
        bare: "contains",
        results: [ResultSpec("line", .text, "the line that was found")],
        needs: ["kit.uart"],
        exchanges: false
    )
) { call in
    let kit = try kit(of: call)
    let wanted = call.text("contains") ?? ""
    call.assertions += 1
    let lines = kit.uartLines(since: 0)
    guard let line = lines.last(where: { $0.line.contains(wanted) }) else {
        throw VerbStop.mismatch(
            Mismatch(
                .probeMismatch,
                "no line of the kit's log holds '\(wanted)'",
                expected: "a line with '\(wanted)'",
                received: "\(lines.count) other lines",
                decoded: lastLines(of: kit),
                at: call.step.position
            )
        )
    }
    call.observation.fields["line"] = .text(line.line)
}

private func kit(of call: VerbCall) throws(VerbStop) -> any Kit {
    guard let kit = call.session.kit else {
        throw .fault(
            TransportFault(
                .probe,
                "no kit is connected",
                hint: "add `needs: [kit.led]` to skip the case without one"
            )
        )
    }
    return kit
}

private func lastLines(of kit: any Kit) -> [String] {
    kit.uartLines(since: 0).filter { !$0.source.isEmpty && $0.source != "APDU-PROTOCOL" }.suffix(3).map {
        "kit log: \($0.line)"
    }
}

private func hint(for call: VerbCall) -> String {
    guard call.session.field == .on else {
        return
            "the field is off, so the firmware can reach the chip; was the button pressed, is its loop running?"
    }
    return
        "the field was on all the time: the firmware cannot reach the chip over I2C until the reader drops it"
}
