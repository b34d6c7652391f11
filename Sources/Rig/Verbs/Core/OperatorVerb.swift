// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// `operator`: asks a person, or a program in a person's place.
let operatorVerb = Verb(
    VerbSpec(
        "operator",
        "Asks the operator to do something, and waits until it is done.",
        discussion: """
            On a terminal it is a prompt; a bench may name a program that does it. Where nobody can be asked, as in
            CI, the case is skipped with the reason.
            """,
        arguments: [
            ArgumentSpec("ask", .text, isRequired: true, "what is to be done; may hold ${variables}"),
            ArgumentSpec("within", .duration, "how long to wait; as long as it takes by default"),
        ],
        bare: "ask",
        needs: ["operator"],
        exchanges: false
    )
) { call in
    let request = call.text("ask") ?? ""
    guard let port = call.session.operatorPort else {
        throw VerbStop.fault(TransportFault(.control, "nobody is there to be asked: \(request)"))
    }
    let limit = call.duration("within")
    let answer = port.ask(request, within: limit)
    // A signal ends the wait for a person too: the case is interrupted then, and nobody has refused anything.
    if answer != .done { try call.session.wait(.zero) }
    switch answer {
    case .done: call.details.append(request)
    case .refused(let reason):
        throw VerbStop.fault(TransportFault(.control, "the operator refused '\(request)': \(reason)"))
    case .silent:
        let time = limit.map { " within \(DurationText.text($0))" } ?? ""
        throw VerbStop.fault(TransportFault(.control, "the operator did not answer '\(request)'\(time)"))
    }
}
