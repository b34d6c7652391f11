// SPDX-License-Identifier: MIT

import CardConnection

/// The board's way to the chip over I2C, with the trace that the vendor's protocol layer logs.
struct ChipBus: Sendable {
    private let chip: any Card

    init(_ chip: any Card) {
        self.chip = chip
    }

    /// Gives the chip power.
    func powerOn() { chip.powerOn() }

    /// Takes the chip's power and gives it again.
    func restart() {
        chip.powerOff()
        chip.powerOn()
    }

    /// Sends a command; nil when the chip does not answer.
    func exchange(_ command: [UInt8], on hardware: inout BoardHardware) -> [UInt8]? {
        trace(">>", command, on: &hardware)
        let answer = chip.respond(to: command)
        guard answer.ending == .answered, answer.bytes.count >= 2 else { return nil }
        trace("<<", answer.bytes, on: &hardware)
        return answer.bytes
    }

    /// Sends a command that must succeed.
    ///
    /// - Returns: The data of the answer; nil when there was none, or another status word than 9000.
    func data(_ command: [UInt8], on hardware: inout BoardHardware) -> [UInt8]? {
        guard let answer = exchange(command, on: &hardware), answer.suffix(2) == [0x90, 0x00] else {
            return nil
        }
        return Array(answer.dropLast(2))
    }

    private func trace(_ direction: String, _ bytes: [UInt8], on hardware: inout BoardHardware) {
        let text = bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        hardware.log("DEBUG", "\(direction) \(text)", from: "APDU-PROTOCOL")
    }
}
