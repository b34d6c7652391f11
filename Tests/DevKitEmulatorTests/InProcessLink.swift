// SPDX-License-Identifier: MIT

import DebugProbe
import Synchronization

@testable import DevKitEmulator

/// A way from the rig's probe client to an emulated probe that needs no network.
final class InProcessLink: ProbeLink {
    let name = "emulated probe"
    private let probe: EmulatedProbe
    private let requests = Mutex<[[UInt8]]>([])

    init(_ probe: EmulatedProbe) {
        self.probe = probe
    }

    /// Everything that was sent.
    var sent: [[UInt8]] { requests.withLock { $0 } }

    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        requests.withLock { $0.append(request) }
        switch probe.respond(to: request) {
        case .packets(let packets):
            guard let first = packets.first else { throw ProbeError("no answer") }
            return first
        case .gone: throw ProbeError("unplugged")
        }
    }

    func close() {}
}
