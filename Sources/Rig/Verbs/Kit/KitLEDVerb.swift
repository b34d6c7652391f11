// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario

/// A state, or blinking.
private let look = ArgumentChoice.exactlyOne("look")

let kitLEDVerb = Verb(
    VerbSpec(
        "kit.led",
        "Judges the kit's LED.",
        discussion: """
            `{was: dark, is: lit}` with `expect: {within: 1s}` wants the change: three equal samples at uneven gaps,
            within the limit (1 s by default). `{is: dark, for: 2s}` wants it to stay so. `{is: lit}` alone wants the
            state within the limit, whatever it was before. `{blink: 500ms}` wants it to blink with that period, 20 %
            off at most. A kit with a debug probe shows what its firmware commands; a pin that the firmware does not
            drive cannot be judged, which is an error of the rig.
            """,
        arguments: [
            ArgumentSpec(
                "was",
                .word(["lit", "dark"]),
                "the state before; a LED that was already there proves nothing"
            ),
            ArgumentSpec("is", .word(["lit", "dark"]), choice: look, "the state that is expected"),
            ArgumentSpec("for", .duration, "how long it must stay so, or be looked at while it blinks"),
            ArgumentSpec(
                "blink",
                .duration,
                choice: look,
                "the period with which it must blink, in place of `is`"
            ),
        ],
        bare: "is",
        results: [
            ResultSpec("state", .word(["lit", "dark"]), "the state at the end"),
            ResultSpec(
                "latency",
                .duration,
                "time from the start of the step to the first sample of the new state"
            ),
            ResultSpec("sincePress", .duration, "the same from the press of the button"),
            ResultSpec("sinceWrite", .duration, "the same from the answer to the last UPDATE BINARY"),
            ResultSpec("period", .duration, "the time from one lighting to the next, with `blink`"),
        ],
        needs: ["kit.led"],
        exchanges: false,
        waits: true
    )
) { call in
    let kit = try call.kit()
    let judge = LEDJudge(clock: call.session.clock)
    let begin = call.session.clock.now
    let look = { () throws(TransportFault) -> LEDLook in try kit.lookAtLED() }
    let before = call.session.ledBeforePress
    let verdict: LEDVerdict
    let expected: String
    if let period = call.duration("blink") {
        guard call.text("is") == nil, call.text("was") == nil else {
            throw call.wrong("blink", "a LED blinks, or comes to a state; leave `is` and `was` out")
        }
        guard period >= .milliseconds(2) else { throw call.wrong("blink", "a period is 2 ms at least") }
        expected = "a blinking LED"
        verdict = try call.touching { () throws(TransportFault) in
            try judge.watchBlinking(period: period, for: call.duration("for"), look: look)
        }
    } else {
        guard let wanted = call.ledState("is") else { throw call.wrong("is", "it is missing") }
        expected = "LED \(wanted.rawValue)"
        verdict = try call.touching { () throws(TransportFault) in
            if let time = call.duration("for") {
                return try judge.watchHold(is: wanted, for: time, look: look)
            }
            return try judge.watch(
                was: call.ledState("was"),
                is: wanted,
                within: call.step.expectation?.within ?? LEDJudge.defaultLimit,
                before: before,
                after: before == nil ? nil : call.session.stimulus,
                look: look
            )
        }
    }
    call.session.ledBeforePress = nil
    report(verdict, of: call, since: begin)
    guard !verdict.holds else { return }
    let state = verdict.lastState(wanted: call.ledState("is"))
    let disagreement = otherWitness(of: kit, against: state)
    let isOneChange = call.duration("for") == nil && call.duration("blink") == nil
    throw VerbStop.mismatch(
        Mismatch(
            .probeMismatch,
            verdict.text + disagreement,
            expected: expected,
            received: state.map { "LED \($0.rawValue)" } ?? "no LED seen",
            decoded: lastLines(of: kit),
            hint: isOneChange && disagreement.isEmpty ? hint(for: call) : "",
            at: call.step.position
        )
    )
}

/// Leaves the verdict and its times in the call.
private func report(_ verdict: LEDVerdict, of call: VerbCall, since begin: Duration) {
    call.assertions += 1
    call.details.append(verdict.text)
    if let state = verdict.lastState(wanted: call.ledState("is")) {
        call.observation.fields["state"] = .text(state.rawValue)
    }
    if let period = verdict.period { call.observation.fields["period"] = .duration(period) }
    guard call.duration("blink") == nil, let first = verdict.firstNew else { return }
    call.observation.fields["latency"] = .duration(first.time - begin)
    if let press = call.session.pressTime {
        call.observation.fields["sincePress"] = .duration(first.time - press)
    }
    if let write = call.session.lastWrite {
        call.observation.fields["sinceWrite"] = .duration(first.time - write)
    }
}

extension LEDVerdict {
    /// The state at the end; nil when none was seen.
    fileprivate func lastState(wanted: LEDState?) -> LEDState? {
        if let wanted, holds { return wanted }
        return firstNew?.state ?? lastOld?.state ?? wanted?.other
    }
}

/// What the firmware's log says, where that is something else than what was seen.
private func otherWitness(of kit: any Kit, against state: LEDState?) -> String {
    guard let said = LEDWitness.log(kit.uartLines(since: 0)), let state, said != state else { return "" }
    return
        "; the firmware's log says that it turned \(said == .lit ? "ON" : "OFF"), so probe and log disagree"
}

private func hint(for call: VerbCall) -> String {
    guard call.session.field == .on else {
        return
            "the field is off, so the firmware can reach the chip; "
            + (call.session.stimulus.map { "\($0): is its loop running?" }
                ?? "was the button pressed, is its loop running?")
    }
    return
        "the field was on all the time: the firmware cannot reach the chip over I2C until the reader drops it"
}
