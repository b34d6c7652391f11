// SPDX-License-Identifier: MIT

import DebugProbe
import Testing

@Test func `an error says its sentence`() {
    #expect("\(ProbeError("the probe is gone"))" == "the probe is gone")
}
