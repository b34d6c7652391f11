// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

extension Expectation {
    /// Whether a transport fault is what is expected here.
    var expectsFault: Bool { !expectedFaults.isEmpty }

    /// Whether this very fault is expected.
    func expects(_ fault: TransportFault) -> Bool { expectedFaults.contains(fault.kind.rawValue) }
}

extension Step {
    /// Whether any transport fault is what the step, or the end of its poll, waits for.
    var expectsFault: Bool {
        switch poll?.goal {
        case .until(let goal)?, .whileHolding(let goal)?: if goal.expectsFault { return true }
        case nil: break
        }
        return expectation?.expectsFault == true
    }
}
