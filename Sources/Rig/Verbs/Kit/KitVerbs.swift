// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Scenario

/// Verbs of the dev kit that carries the device: `kit.button`, `kit.led`, `kit.agree`, `kit.reset`, `kit.uart`.
let kitVerbs: [Verb] = [kitButtonVerb, kitResetVerb, kitLEDVerb, kitAgreeVerb, kitUARTVerb]

extension VerbCall {
    /// The kit of the case.
    func kit() throws(VerbStop) -> any Kit {
        guard let kit = session.kit else {
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

    /// A state of the LED; nil when the argument was left out.
    func ledState(_ name: String) -> LEDState? { text(name).flatMap(LEDState.init(rawValue:)) }

    /// Notes the LED as it is: a change is judged against the last look before the stimulus.
    ///
    /// A kit whose LED cannot be seen has no such look.
    func noteLED(_ kit: any Kit) {
        guard let state = (try? kit.lookAtLED())?.steady else { return }
        session.ledBeforePress = LEDSample(state, at: session.clock.now)
    }
}

/// The last lines of a kit's log, for the details of a failure.
func lastLines(of kit: any Kit) -> [String] {
    kit.uartLines(since: 0).filter { !$0.source.isEmpty && $0.source != UARTExchangeReader.source }.suffix(3)
        .map { "kit log: \($0.line)" }
}
