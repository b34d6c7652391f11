// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// A card that sends each command back with 9000, unless it was given another way to answer.
final class EchoCard: Card {
    struct Log: Sendable, Equatable {
        var events: [String] = []
        var isPowered = false
    }

    let atr: [UInt8]
    private let log = Mutex(Log())
    private let answer: @Sendable ([UInt8]) -> CardAnswer

    init(
        atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01],
        answer: @escaping @Sendable ([UInt8]) -> CardAnswer = { CardAnswer($0 + [0x90, 0x00]) }
    ) {
        self.atr = atr
        self.answer = answer
    }

    var events: [String] { log.withLock { $0.events } }
    var isPowered: Bool { log.withLock { $0.isPowered } }

    func powerOn() {
        log.withLock { log in
            log.events.append("on")
            log.isPowered = true
        }
    }

    func powerOff() {
        log.withLock { log in
            log.events.append("off")
            log.isPowered = false
        }
    }

    func respond(to command: [UInt8]) -> CardAnswer {
        log.withLock { $0.events.append("command") }
        return answer(command)
    }
}
