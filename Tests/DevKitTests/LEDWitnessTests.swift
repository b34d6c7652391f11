// SPDX-License-Identifier: MIT

import Testing

@testable import DevKit

/// Sentences about witnesses of a LED that is not as it was wanted.
@Suite struct LEDWitnessTests {
    private func account(_ probe: LEDState?, log: LEDState? = nil, file: LEDState? = nil) -> String {
        var witnesses = [LEDWitness("the probe", probe)]
        if let log { witnesses.append(LEDWitness("the log", log)) }
        if let file { witnesses.append(LEDWitness("FILE_2", file)) }
        return LEDWitness.account(witnesses, wanted: .lit)
    }

    @Test func `The witness that is alone is named, or that all agree`() {
        #expect(
            account(.dark, log: .lit, file: .lit)
                == "the probe says dark, while the log and FILE_2 say that the LED is lit"
        )
        #expect(account(.dark, file: .lit) == "the probe says dark, while FILE_2 says that the LED is lit")
        #expect(
            account(.dark, log: .dark, file: .dark)
                == "the probe, the log and FILE_2 agree that the LED is dark"
        )
        #expect(account(.dark, file: .dark) == "the probe and FILE_2 agree that the LED is dark")
        #expect(
            account(.dark, log: .dark, file: .lit)
                == "the probe says dark and the log says dark, while FILE_2 says that the LED is lit"
        )
    }
}
