// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import DevKit
import DevKitEmulator
import NBTEmulator

/// An emulated board with its probe, in the place of a real one.
final class EmulatedBoardLink: ProbeLink {
    let name = "emulated probe"
    private let clock = ModelClock()
    private let probe: EmulatedProbe

    init(_ options: [String: String] = [:]) throws {
        let chip = try NBTChip(options: [:], clock: clock)
        probe = try EmulatedProbe(kit: EmulatedKit(i2c: chip.i2c, clock: clock, options: options))
    }

    /// The kit as a bench sees it through the probe.
    func kit(_ board: BoardProfile) -> ProbedKit {
        ProbedKit(name: "kit", board: board, clock: clock) { [self] () throws(ProbeError) in self }
    }

    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        guard case .packets(let packets) = probe.respond(to: request), let first = packets.first else {
            throw ProbeError("the \(name) was unplugged")
        }
        return first
    }

    func close() {}
}
