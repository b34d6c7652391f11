// SPDX-License-Identifier: MIT

import Scenario

/// `delay`: lets time pass.
let delayVerb = Verb(
    VerbSpec(
        "delay",
        "Waits.",
        discussion: "On the emulator's modelled clock it costs nothing.",
        arguments: [ArgumentSpec("time", .duration, isRequired: true, "how long, with its unit")],
        bare: "time",
        exchanges: false
    )
) { call in
    if let time = call.duration("time") { try call.session.wait(time) }
}

/// `log`: a line for the report.
let logVerb = Verb(
    VerbSpec(
        "log",
        "Puts a line into the report and the trace.",
        arguments: [ArgumentSpec("text", .text, isRequired: true, "the line; may hold ${variables}")],
        bare: "text",
        exchanges: false
    )
) { call in
    if let text = call.text("text") { call.details.append(text) }
}
