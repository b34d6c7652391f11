// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Synchronization

/// A card with a volatile counter: `80 01` raises it and tells it, `80 02 00 00` tells it, the rest is `6D00`.
///
/// Commands that ask for an ending or a time: `80 10` mute, `80 11` removed after 2 s, `80 12` reset afterwards, `80 13`
/// one byte, `80 14` 300 bytes.
final class TestCard: Card {
    let atr: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var counter: UInt8 = 0
        var isPowered = false
        var received: [String] = []
        var powerOns = 0
    }

    init(atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]) {
        self.atr = atr
    }

    var received: [String] { state.withLock { $0.received } }
    var isPowered: Bool { state.withLock { $0.isPowered } }
    var powerOns: Int { state.withLock { $0.powerOns } }

    func powerOn() {
        state.withLock { state in
            state.isPowered = true
            state.powerOns += 1
            state.counter = 0
        }
    }

    func powerOff() {
        state.withLock { $0.isPowered = false }
    }

    func respond(to command: [UInt8]) -> CardAnswer {
        state.withLock { state in
            state.received.append(command.hex)
            guard state.isPowered, command.count >= 4, command[0] == 0x80 else {
                return CardAnswer([0x6D, 0x00])
            }
            switch command[1] {
            case 0x01:
                state.counter += 1
                return CardAnswer([state.counter, 0x90, 0x00], time: .milliseconds(3))
            case 0x02: return CardAnswer([state.counter, 0x90, 0x00])
            case 0x10: return CardAnswer([], ending: .mute)
            case 0x11: return CardAnswer([], time: .seconds(2), ending: .removed)
            case 0x12: return CardAnswer([0x90, 0x00], ending: .resetAfterwards)
            case 0x13: return CardAnswer([0x90])
            case 0x14: return CardAnswer(Array(repeating: 0xAA, count: 298) + [0x90, 0x00])
            default: return CardAnswer([0x6D, 0x00])
            }
        }
    }
}

/// The commands of ``TestCard``.
enum TestCommand {
    static let raise: [UInt8] = [0x80, 0x01, 0x00, 0x00]
    static let tell: [UInt8] = [0x80, 0x02, 0x00, 0x00]
    static let mute: [UInt8] = [0x80, 0x10, 0x00, 0x00]
    static let leave: [UInt8] = [0x80, 0x11, 0x00, 0x00]
    static let foreignReset: [UInt8] = [0x80, 0x12, 0x00, 0x00]
    static let short: [UInt8] = [0x80, 0x13, 0x00, 0x00]
    static let long: [UInt8] = [0x80, 0x14, 0x00, 0x00]
}

/// The fault that a call ends in; nil when it succeeds.
func fault(of call: () throws(TransportFault) -> Void) -> TransportFault? {
    do throws(TransportFault) {
        try call()
        return nil
    } catch {
        return error
    }
}

/// The fault that a command ends in; nil when it is answered.
func fault(of command: [UInt8], on connection: any Connection) -> TransportFault? {
    fault { () throws(TransportFault) in _ = try connection.transmit(command) }
}
