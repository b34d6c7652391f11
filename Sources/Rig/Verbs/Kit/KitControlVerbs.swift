// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario
import Wording

let kitButtonVerb = Verb(
    VerbSpec(
        "kit.button",
        "Presses the kit's button.",
        discussion: """
            The kit's firmware acts on the button, and only while the reader's field is off: a chip in the field
            does not answer over I2C. `{action: press, via: reset}` resets the micro-controller instead, whose
            firmware then runs its loop once.
            """,
        arguments: [
            ArgumentSpec("action", .word(["press"]), "press and let go"),
            ArgumentSpec(
                "via",
                .word(ButtonPress.allCases.map(\.rawValue)),
                "how a probe brings the event about: the pin's interrupt (irq), or a reset"
            ),
        ],
        bare: "action",
        needs: ["kit.button"],
        exchanges: false
    )
) { call in
    let kit = try call.kit()
    let press = call.text("via").flatMap(ButtonPress.init(rawValue:)) ?? .irq
    call.noteLED(kit)
    try call.touching { () throws(TransportFault) in try kit.pressButton(by: press) }
    call.session.pressTime = call.session.clock.now
    call.session.stimulus =
        press == .reset ? "the micro-controller was reset in place of the button" : "the button was pressed"
}

let kitResetVerb = Verb(
    VerbSpec(
        "kit.reset",
        "Resets the kit's micro-controller.",
        discussion: """
            The chip under test keeps its power. `hold` pulls the reset line until `release`; the LED of a kit that
            is held in reset cannot be judged.
            """,
        arguments: [
            ArgumentSpec(
                "action",
                .word(["pulse", "hold", "release"]),
                "pull the line for a moment (pulse), or hold and release it"
            )
        ],
        bare: "action",
        needs: ["kit.reset"],
        exchanges: false
    )
) { call in
    let kit = try call.kit()
    call.noteLED(kit)
    let action = call.text("action")
    try call.touching { () throws(TransportFault) in
        switch action {
        case "hold": try kit.holdReset(true)
        case "release": try kit.holdReset(false)
        default: try kit.reset()
        }
    }
    call.session.pressTime = call.session.clock.now
    call.session.stimulus =
        switch action {
        case "hold": "the micro-controller was put into reset"
        case "release": "the micro-controller came out of reset"
        default: "the micro-controller was reset"
        }
}

let kitUARTVerb = Verb(
    VerbSpec(
        "kit.uart",
        "Looks for a line in the kit's log.",
        discussion: """
            Lines since the start of the case count, or with `since: press` those since the button was last pressed or
            the kit reset, which the case must have done.
            With `expect: {within: 2s}` the line may come until then; without it, for a second. A serial device that was
            lost is a `probe` fault.
            """,
        arguments: [
            ArgumentSpec("contains", .filledText, isRequired: true, "text that a line must hold"),
            ArgumentSpec("since", .word(["start", "press"]), "from when on lines count"),
        ],
        bare: "contains",
        results: [ResultSpec("line", .text, "the line that was found")],
        needs: ["kit.uart"],
        exchanges: false,
        waits: true
    )
) { call in
    let kit = try call.kit()
    let wanted = call.text("contains") ?? ""
    var begin: Duration?
    if call.text("since") == "press" {
        guard let press = call.session.pressTime else {
            throw VerbStop.fault(
                TransportFault(
                    .control,
                    "the case has not pressed the button, so no line can be since then",
                    hint: "add a `kit.button: press` before the step"
                )
            )
        }
        begin = press
    }
    let clock = call.session.clock
    let end = clock.now + (call.step.expectation?.within ?? LEDJudge.defaultLimit)
    call.assertions += 1
    while true {
        let lines = kit.uartLines(since: 0).filter { line in begin.map { line.time >= $0 } ?? true }
        if let line = lines.last(where: { $0.line.contains(wanted) }) {
            call.observation.fields["line"] = .text(line.line)
            return
        }
        guard clock.now < end else {
            try call.touching { () throws(TransportFault) in try kit.checkUART() }
            throw VerbStop.mismatch(
                Mismatch(
                    .probeMismatch,
                    "no line of the kit's log holds '\(wanted)'",
                    expected: "a line with '\(wanted)'",
                    received: Amount.text(lines.count, "other line"),
                    decoded: lastLines(of: kit),
                    at: call.step.position
                )
            )
        }
        try call.session.wait(.milliseconds(20))
    }
}
