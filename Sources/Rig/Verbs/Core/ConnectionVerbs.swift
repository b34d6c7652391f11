// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// Verbs that act on the connection itself: `connect`, `reset`, `field`.
let connectionVerbs: [Verb] = [
    Verb(
        VerbSpec(
            "connect",
            "Connects to the card anew.",
            discussion: """
                Needed after a step that expected a fault such as card-removed: the link is down until this step or
                until `field: on`.
                """,
            exchanges: false
        )
    ) { call in
        try call.touching { () throws(TransportFault) in try call.session.connection.reconnect() }
        call.session.fieldCameOn()
    },
    Verb(
        VerbSpec(
            "reset",
            "Resets the card; selection and everything volatile is lost.",
            arguments: [
                ArgumentSpec(
                    "kind",
                    .word(["warm", "cold"]),
                    "warm keeps the power on, cold (the default) cuts it"
                )
            ],
            bare: "kind",
            exchanges: false
        )
    ) { call in
        let kind = call.text("kind").flatMap(ResetKind.init(rawValue:)) ?? .cold
        try call.touching { () throws(TransportFault) in try call.session.connection.reset(kind) }
        call.session.linkFault = nil
    },
    Verb(
        VerbSpec(
            "field",
            "Switches the reader's field (or the card's power) off or on.",
            discussion: """
                While the field is off the card has no power, and a kit's micro-controller can reach a chip over I2C.
                `{state: off, for: 200ms}` switches it off, waits and switches it on again.
                """,
            arguments: [
                ArgumentSpec("state", .word(["on", "off"]), isRequired: true, "on or off"),
                ArgumentSpec("for", .duration, "how long; then it is switched back"),
            ],
            bare: "state",
            needs: ["field.control"],
            exchanges: false
        )
    ) { call in
        let state = call.text("state").flatMap(FieldState.init(rawValue:)) ?? .off
        try switchField(state, of: call)
        if let time = call.duration("for") {
            try call.session.wait(time)
            try switchField(state == .on ? .off : .on, of: call)
        }
    },
]

private func switchField(_ state: FieldState, of call: VerbCall) throws(VerbStop) {
    let session = call.session
    try call.touching { () throws(TransportFault) in
        do throws(TransportFault) {
            try session.connection.setField(state)
        } catch {
            // A link that was lost cannot switch anything; made anew, its field is on.
            guard session.linkFault != nil else { throw error }
            try session.connection.reconnect()
            if state == .off { try session.connection.setField(state) }
        }
    }
    if state == .on { session.fieldCameOn() } else { session.field = .off }
}
