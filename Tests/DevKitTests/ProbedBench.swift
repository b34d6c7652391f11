// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import DevKitEmulator
import NBTEmulator
import SmartCard
import Synchronization
import Testing

@testable import DevKit

/// A chip on an emulated board, whose emulated probe the real client drives; all on one modelled clock.
struct ProbedBench {
    let clock = ModelClock()
    let chip: NBTChip
    let board: EmulatedKit
    let probe: EmulatedProbe
    let link: EmulatedLink
    let kit: ProbedKit

    init(
        kit options: [String: String] = [:],
        probe probeOptions: [String: String] = [:],
        profile: BoardProfile = .prototypingBoard
    ) throws {
        let chip = try NBTChip(options: [:], clock: clock)
        let board = try EmulatedKit(i2c: chip.i2c, clock: clock, options: options)
        chip.onFieldChange { [weak board] in board?.settle() }
        let probe = try EmulatedProbe(kit: board, options: probeOptions)
        let link = EmulatedLink(probe)
        (self.chip, self.board, self.probe, self.link) = (chip, board, probe, link)
        kit = ProbedKit(name: "kit", board: profile, clock: clock) { () throws(ProbeError) in
            link.openings.withLock { $0 += 1 }
            return link
        }
    }

    /// Another user of the same probe.
    func another() -> ProbedKit {
        let link = link
        return ProbedKit(name: "kit", board: .prototypingBoard, clock: clock) { () throws(ProbeError) in link
        }
    }

    /// Writes FILE_1 over NFC and switches the field off again.
    func writeFile1(_ byte: String) throws {
        chip.nfc.powerOn()
        for command in ["00A4040007D276000085010100", "00A4000C02E1A1", "00D6000001\(byte)"] {
            let answer = chip.nfc.respond(to: try HexText.bytes(command))
            #expect(answer.bytes.hex == "9000")
            clock.wait(answer.time)
        }
        chip.nfc.powerOff()
    }
}

/// The link to an emulated probe in this process, which keeps all packets.
final class EmulatedLink: ProbeLink {
    let name = "emulated probe"
    let openings = Mutex(0)
    private let probe: EmulatedProbe
    private let failures = Mutex(0)
    private let log = Mutex<[[UInt8]]>([])

    init(_ probe: EmulatedProbe) {
        self.probe = probe
    }

    /// Lets the next exchanges fail as if the plug was pulled.
    func fail(next count: Int) { failures.withLock { $0 = count } }

    var requests: [[UInt8]] { log.withLock { $0 } }

    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        log.withLock { $0.append(request) }
        let fails = failures.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if fails { throw ProbeError("the \(name) was unplugged; plug it in again") }
        switch probe.respond(to: request) {
        case .packets(let packets):
            guard let first = packets.first else { throw ProbeError("the \(name) does not answer") }
            return first
        case .gone: throw ProbeError("the \(name) was unplugged; plug it in again")
        }
    }

    func close() {}
}
