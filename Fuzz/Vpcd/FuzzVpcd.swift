// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import Glibc

@testable import VirtualReader

/// Bytes of a driver: any stream of them is served until it ends, and each message has its answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return 0 }
    defer { close(ends[0]) }
    // The driver says all that it has to say, then hangs up its half; the kernel keeps it.
    let isSaid = bytes.withUnsafeBytes { memory in
        size == 0 || send(ends[0], memory.baseAddress, size, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == size
    }
    guard isSaid else {
        close(ends[1])
        return 0
    }
    shutdown(ends[0], Int32(SHUT_WR))
    let card = DriverEndCard(driver: ends[0])
    let link = CardLink(card: card, host: "", port: 0, paces: false, onExchange: nil)
    let heard = link.serve(DriverSocket(descriptor: ends[1]), generation: 0)
    card.hear()
    let expected = ExpectedSession(bytes, atr: card.atr)
    precondition(card.heard == expected.answers, "the answers are not those of the messages")
    precondition(heard == expected.isHeard, "whether the driver was heard is wrong")
    precondition(link.state.exchangeCount == expected.exchanges, "a command was lost or made up")
    precondition(!card.isPowered, "a card without a link has power")
    return 0
}

/// What a session of these bytes leads to, told once more and in short.
private struct ExpectedSession {
    var answers: [UInt8] = []
    var exchanges = 0
    var isHeard = false

    init(_ bytes: [UInt8], atr: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 2 {
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            guard rest.count >= 2 + length else { return }
            let message = Array(rest.dropFirst(2).prefix(length))
            rest = rest.dropFirst(2 + length)
            isHeard = true
            if message == [0x04] { say(atr) }
            guard message.count > 1 else { continue }
            exchanges += 1
            let answer = DriverEndCard.answer(to: message)
            switch answer.ending {
            case .mute: continue
            case .removed: return
            case .answered, .resetAfterwards: break
            }
            // The driver would wait for the rest of an empty answer, so the link ends there.
            guard !answer.bytes.isEmpty else { return }
            say(answer.bytes)
        }
    }

    private mutating func say(_ bytes: [UInt8]) {
        answers += [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
        answers += bytes
    }
}
