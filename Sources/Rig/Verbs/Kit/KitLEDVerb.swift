// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario

/// A state, or blinking.
private let look = ArgumentChoice.exactlyOne("look")

/// Where no change is waited for, there is no time of one.
private let changeGaps: [ResultSpec.Gap] = [.beside("blink"), .beside("for", unless: ["was", "within"])]

let kitLEDVerb = Verb(
    VerbSpec(
        "kit.led",
        "Judges the kit's LED.",
        discussion: """
            `{was: dark, is: lit}` with `expect: {within: 1s}` wants the change: three equal bursts of looks at uneven
            gaps, the first look within the limit (1 s by default, 60 ms at least). `{is: dark, for: 2s}` wants it to
            stay so from now on, for 60 ms at least; beside `was` or `within` it first has to come to the state, and to stay so from then on. `{is: lit}`
            alone wants the state within the limit, whatever it was before. `{blink: 500ms}` wants it to blink with that
            period, 20 % off at most. A LED that changes every 2 ms to 38 ms is never taken for a steady one. Where a
            state did not come, the firmware's log and FILE_2 of an NBT are asked too, and the failure says who
            disagrees. A kit with a debug probe shows what its firmware commands; a pin that the firmware does not
            drive cannot be judged, which is an error of the rig.
            """,
        arguments: [
            ArgumentSpec(
                "was",
                .word(["lit", "dark"]),
                excludes: ["blink"],
                "the state before; a LED that was already there proves nothing"
            ),
            ArgumentSpec(
                "is",
                .word(["lit", "dark"]),
                choice: look,
                "the state that is expected"
            ),
            ArgumentSpec(
                "for",
                .duration,
                "how long it must stay so, 60ms at least, or be looked at while it blinks"
            ),
            ArgumentSpec(
                "blink",
                .duration(atLeast: .milliseconds(2)),
                choice: look,
                "the period with which it must blink, in place of `is`"
            ),
        ],
        rules: [
            ArgumentRule(["is", "for"]) { values in
                guard values["is"] != nil, case .duration(let span)? = values["for"] else { return nil }
                return LEDExpectation(is: .lit, for: span).objection { "`\($0)`" }.map {
                    ArgumentRule.Complaint($0.part, $0.text)
                }
            },
            ArgumentRule(["was", "is"]) { values in
                guard let was = values["was"], was == values["is"] else { return nil }
                return ArgumentRule.Complaint(
                    "was",
                    "`was` and `is` name the same state; a change is between two, and `for` judges that it stays"
                )
            },
        ],
        bare: "is",
        results: [
            ResultSpec("state", .word(["lit", "dark"]), "the state at the end"),
            ResultSpec(
                "latency",
                .duration,
                gaps: changeGaps,
                "time from the start of the step to the first sample of the new state; absent beside `blink`, and "
                    + "beside `for` without `was` or `within`"
            ),
            ResultSpec(
                "sincePress",
                .duration,
                gaps: changeGaps,
                "the same from the press of the button; absent where `latency` is, and before the first press"
            ),
            ResultSpec(
                "sinceWrite",
                .duration,
                gaps: changeGaps,
                "the same from the answer to the last UPDATE BINARY; absent where `latency` is, and before the first"
            ),
            ResultSpec(
                "period",
                .duration,
                gaps: [.without("blink")],
                "the time from one lighting to the next; absent without `blink`"
            ),
        ],
        needs: ["kit.led"],
        exchanges: false,
        waits: true,
        within: WithinRule(
            shortest: LEDJudge.shortestLimit,
            reason: "judging a LED takes",
            excludedBy: ["blink"]
        )
    )
) { call in
    let kit = try call.kit()
    let judge = LEDJudge(clock: call.session.clock)
    let begin = call.session.clock.now
    let look = { () throws(TransportFault) -> LEDLook in try kit.lookAtLED() }
    let before = call.session.ledBeforePress
    let expectation = LEDExpectation(
        was: call.ledState("was"),
        is: call.ledState("is"),
        within: call.step.expectation?.within,
        for: call.duration("for"),
        blink: call.duration("blink")
    )
    if let objection = expectation.objection({ "`\($0)`" }) {
        throw call.wrong(objection.part, objection.text)
    }
    let verdict = try call.touching { () throws(TransportFault) in
        try judge.watch(
            expectation,
            before: before,
            after: before == nil ? nil : call.session.stimulus,
            look: look
        )
    }
    call.session.ledBeforePress = nil
    report(verdict, of: call, since: begin)
    guard !verdict.holds else { return }
    let hint =
        expectation.hold == nil && expectation.blink == nil && !verdict.isUnsteady && !verdict.missedOld
        ? hint(for: call) : ""
    var sentence = ""
    var areAgreed = true
    // Who looks once sees one of two states of a LED that changes; no agreement says anything of it.
    let missing = verdict.missedOld ? expectation.was : expectation.wanted
    if let wanted = missing, let seen = verdict.lastSeen, seen != wanted, !verdict.isUnsteady {
        let witnesses = LEDWitness.questioned(
            seen,
            by: call,
            kit: kit,
            upTo: verdict.missedOld ? before?.time : nil
        )
        if witnesses.count > 1 { sentence = "; " + LEDWitness.account(witnesses, wanted: wanted) }
        areAgreed = witnesses.allSatisfy { $0.state == seen }
    }
    throw VerbStop.mismatch(
        Mismatch(
            .probeMismatch,
            verdict.text + sentence,
            expected: expected(expectation, verdict),
            received: verdict.received,
            decoded: lastLines(of: kit),
            hint: areAgreed ? hint : "",
            at: call.step.position
        )
    )
}

/// What was expected, in a few words; a change has two states.
private func expected(_ expectation: LEDExpectation, _ verdict: LEDVerdict) -> String {
    guard let wanted = expectation.wanted else { return "a blinking LED" }
    let old = verdict.missedOld ? expectation.was.map { "\($0.rawValue), then " } : nil
    return "LED \(old ?? "")\(wanted.rawValue)"
}

/// Leaves the verdict and its times in the call.
private func report(_ verdict: LEDVerdict, of call: VerbCall, since begin: Duration) {
    call.assertions += 1
    call.details.append(verdict.text)
    if let state = verdict.lastSeen {
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
