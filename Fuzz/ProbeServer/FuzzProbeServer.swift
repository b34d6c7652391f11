// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import NBTEmulator

@testable import DevKitEmulator

/// The emulated debug probe: any packets, and any bytes of a TCP client, are answered within the packet size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    guard let probe = probe(input.rest.first ?? 0) else {
        preconditionFailure("the probe's own options are refused")
    }
    // The bytes of a client come in two pieces, cut anywhere.
    let bytes = input.bytes
    let cut = bytes.isEmpty ? 0 : Int(bytes[0]) % bytes.count
    var stream = ProbeStream(probe: probe)
    var frames = 0
    for part in [bytes[..<cut], bytes[cut...]] {
        let outcome = stream.take(part)
        frames += outcome.frames.count
        guard outcome.end == nil else { break }
    }
    precondition(frames <= bytes.count, "more frames than bytes came")
    _ = input.byte()
    while let packet = input.piece() {
        guard case .packets(let answers) = probe.respond(to: packet) else { continue }
        for answer in answers {
            precondition((1...probe.packetSize).contains(answer.count), "an answer that no packet can be")
        }
    }
    return 0
}

/// The probe that a byte asks for, with a kit of its own behind it.
private func probe(_ byte: UInt8) -> EmulatedProbe? {
    let clock = ModelClock()
    let options = [
        "probe-packet": byte & 1 == 0 ? "64" : "512", "system-port": byte & 2 == 0 ? "open" : "closed",
        "reset-link": byte & 4 == 0 ? "lost" : "kept", "probe-wait": String(byte >> 6),
    ]
    return attempt {
        let chip = try NBTChip(seed: 1, clock: clock)
        return try EmulatedProbe(kit: EmulatedKit(i2c: chip.i2c, clock: clock), options: options)
    }
}
