// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import DevKitEmulator
import Foundation
import NBTEmulator
import Testing

@testable import DevKit

/// The client over TCP, in both framings, against the emulator's server.
@Suite struct ProbeOverNetworkTests {
    /// A server on a free port of this host.
    private func serving<Result>(
        _ options: [String: String] = [:],
        _ body: (UInt16) throws -> Result
    ) throws -> Result {
        let clock = SystemClock()
        let chip = try NBTChip(options: [:], clock: clock)
        let board = try EmulatedKit(i2c: chip.i2c, clock: clock)
        let probe = try EmulatedProbe(kit: board, options: options)
        let server = try ProbeServer(probe: probe, endpoints: [("127.0.0.1", 0)])
        let port = try #require(server.addresses.first?.split(separator: ":").last.flatMap { UInt16($0) })
        let thread = Thread { server.run() }
        thread.start()
        defer { server.stop() }
        return try body(port)
    }

    private func setup(_ framing: ProbeFraming, _ port: UInt16) -> KitSetup {
        KitSetup(probe: .network(framing, host: "127.0.0.1", port: port))
    }

    @Test(
        arguments: [ProbeFraming.openOCD, .elaphureLink],
        [[:], ["tcp-delivery": "pieces"], ["probe-packet": "512"]] as [[String: String]]
    )
    func `The LED is seen in both framings, however answers are cut`(
        framing: ProbeFraming,
        options: [String: String]
    ) throws {
        try serving(options) { port in
            let kit = try setup(framing, port).makeKit(name: "kit")
            defer { kit.close() }
            #expect(try kit.led() == .dark)
            #expect(try kit.lookAtLED().samples.count == 13)
        }
    }

    @Test(arguments: [ProbeFraming.openOCD, .elaphureLink])
    func `A probe that another program has is busy, and free again afterwards`(framing: ProbeFraming) throws {
        try serving { port in
            let first = try setup(framing, port).makeKit(name: "first")
            let second = try setup(framing, port).makeKit(name: "second")
            defer { second.close() }
            #expect(try first.led() == .dark)
            let fault = #expect(throws: TransportFault.self) { try second.led() }
            #expect(fault?.kind == .busy)
            #expect(fault?.description.contains("so another program seems to use it; end that") == true)
            first.close()
            #expect(try second.led() == .dark)
        }
    }

    @Test func `A probe that goes away in the middle is a fault that says so`() throws {
        try serving(["probe-gone-after": "17"]) { port in
            let kit = try setup(.openOCD, port).makeKit(name: "kit")
            let fault = #expect(throws: TransportFault.self) {
                for _ in 0..<20 { _ = try kit.led() }
            }
            #expect(fault?.kind == .probe)
            #expect(fault?.description.contains("was lost: the other side closed the connection") == true)
        }
    }

    @Test func `Where nobody listens, the address is named`() throws {
        // A port that was free a moment ago, and that nobody was told of.
        let port = try serving { $0 }
        let error = #expect(throws: ProbeError.self) {
            try TCPProbeLink(.openOCD, host: "127.0.0.1", port: port == 1 ? 2 : 1)
        }
        #expect(error?.kind == .absent)
        #expect(error?.description.contains("the probe at tcp:127.0.0.1:1 cannot be reached") == true)
    }
}
