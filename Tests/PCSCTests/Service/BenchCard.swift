// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// A card whose instruction byte picks an answer or a fault.
///
///     80 10 hi lo   hi lo bytes A5 and 9000         80 33   no bytes
///     80 20 hi lo   9000 after hi lo milliseconds   80 34   one byte
///     80 30         leaves before it answers        80 35   never answers
///     80 37         9000, then resets itself        80 60   9000 when selected since power-on, else 6985
///     80 50         the command's length, 9000      00 A4   9000, and is selected
final class BenchCard: Card {
    struct State: Sendable {
        var isSelected = false
        var isPowered = false
        var powerOnCount = 0
        var commands: [[UInt8]] = []
    }

    let atr: [UInt8]
    private let state = Mutex(State())

    init(atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]) {
        self.atr = atr
    }

    var snapshot: State { state.withLock { $0 } }

    func powerOn() {
        state.withLock { state in
            state.isPowered = true
            state.isSelected = false
            state.powerOnCount += 1
        }
    }

    func powerOff() {
        state.withLock { state in
            state.isPowered = false
            state.isSelected = false
        }
    }

    func respond(to command: [UInt8]) -> CardAnswer {
        let isSelected = state.withLock { state in
            state.commands.append(command)
            if command.count >= 4, command[1] == 0xA4 { state.isSelected = true }
            return state.isSelected
        }
        guard command.count >= 4 else { return CardAnswer([0x67, 0x00]) }
        let number = Int(command[2]) << 8 | Int(command[3])
        switch (command[0], command[1]) {
        case (0x00, 0xA4): return CardAnswer([0x90, 0x00])
        case (0x80, 0x10): return CardAnswer([UInt8](repeating: 0xA5, count: number) + [0x90, 0x00])
        case (0x80, 0x20): return CardAnswer([0x90, 0x00], time: .milliseconds(number))
        case (0x80, 0x30): return CardAnswer([], ending: .removed)
        case (0x80, 0x33): return CardAnswer([])
        case (0x80, 0x34): return CardAnswer([0x90])
        case (0x80, 0x35): return CardAnswer([], ending: .mute)
        case (0x80, 0x37): return CardAnswer([0x90, 0x00], ending: .resetAfterwards)
        case (0x80, 0x50):
            let count = command.count
            return CardAnswer([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + [0x90, 0x00])
        case (0x80, 0x60): return CardAnswer(isSelected ? [0x90, 0x00] : [0x69, 0x85])
        default: return CardAnswer([0x6D, 0x00])
        }
    }
}
