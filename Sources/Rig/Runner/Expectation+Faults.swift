// SPDX-License-Identifier: MIT

import Scenario

extension Expectation {
    /// Whether a transport fault is what is expected here.
    var expectsFault: Bool { !expectedFaults.isEmpty }
}
