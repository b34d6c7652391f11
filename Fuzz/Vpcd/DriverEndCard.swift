// SPDX-License-Identifier: MIT

import CardConnection
import Glibc

/// A card that empties the driver's end before each answer, so that one thread can play both sides.
// Safe to share: the fuzzer calls from one thread, and the card is served on that same one.
final class DriverEndCard: Card, @unchecked Sendable {
    private let driver: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// All that the driver was sent.
    private(set) var heard: [UInt8] = []
    private(set) var isPowered = false

    init(driver: Int32) {
        self.driver = driver
    }

    var atr: [UInt8] {
        hear()
        return [0x3B, 0x80, 0x80, 0x01, 0x01]
    }

    func powerOn() {
        precondition(!isPowered, "power came twice")
        isPowered = true
    }

    func powerOff() {
        precondition(isPowered, "power went twice")
        isPowered = false
    }

    func respond(to command: [UInt8]) -> CardAnswer {
        precondition(isPowered, "a command without power")
        hear()
        return Self.answer(to: command)
    }

    /// Reads what has come so far.
    func hear() {
        while true {
            let count = recv(driver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            heard += buffer.prefix(count)
        }
    }

    /// The command's own bytes; its first byte may ask for something else.
    static func answer(to command: [UInt8]) -> CardAnswer {
        switch command.first {
        case 0xF0: CardAnswer([], ending: .mute)
        case 0xF1: CardAnswer([], ending: .removed)
        case 0xF2: CardAnswer(command, ending: .resetAfterwards)
        case 0xF3: CardAnswer([])
        default: CardAnswer(command)
        }
    }
}
