// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import JSONText
import TangemConstants

@testable import TangemEmulator

/// A wallet card that gets any commands, in the clear and well encrypted, and answers each as a card does.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let start = cards[Int(input.byte()) % cards.count]
    var card = start
    card.setPower(true)
    var now = Duration.zero
    while let piece = input.piece() {
        switch piece.count == 1 ? piece[0] & 3 : nil {
        case nil:
            let answer = card.answer(command(piece, to: card), at: now)
            precondition(answer.time >= .zero, "time went back")
            now += answer.time
            check(answer)
        case 0: now += .seconds(20)
        case 1: card.tornWrite = piece[0] & 4 == 0 ? .oldState : .newState
        default:
            card.setPower(false)
            card.setPower(true)
        }
    }
    guard card.memory != start.memory else { return 0 }
    let text = card.json.prettyText
    var restored = start
    precondition(attempt { try restored.restore(text) } != nil, "the card refuses its own saved state")
    precondition(restored.json.prettyText == text, "a saved state does not come back")
    return 0
}

/// The bytes as they are, or as the body of an encrypted command where the first byte asks for that.
///
/// No fuzzer guesses a packet that decrypts; behind the mark stand the instruction and the data objects.
private func command(_ piece: [UInt8], to card: CardState) -> [UInt8] {
    let (cipher, p1): (SessionCipher?, UInt8) =
        switch piece.first {
        case 0xFE: (card.field.session, card.field.session?.mode ?? 0)
        case 0xFD: (.personalization, 0)
        default: (nil, 0)
        }
    guard let cipher, piece.count > 1, let body = attempt({ try cipher.seal(Array(piece.dropFirst(2))) })
    else { return piece }
    let length = [0, UInt8(truncatingIfNeeded: body.count >> 8), UInt8(truncatingIfNeeded: body.count)]
    return [0x00, piece[1], p1, 0x00] + length + body
}

private func check(_ answer: CardAnswer) {
    switch answer.ending {
    case .answered, .resetAfterwards:
        precondition(answer.bytes.count >= 2, "an answer without a status word")
        precondition(answer.bytes.count <= TangemLimits.largestAnswer + 2, "an answer longer than a card's")
    case .mute, .removed:
        precondition(answer.bytes.isEmpty, "bytes that are never sent")
    }
}

/// The cards that the first byte chooses from, made once: keys take their time.
private let cards: [CardState] = {
    let kinds: [(firmware: String, options: [String: String])] = [
        ("4.12r", [:]), ("4.12r", ["start": "loaded", "keys": "test"]), ("6.33d", ["start": "loaded"]),
        ("2.11r", ["start": "loaded"]), ("3.05r", ["start": "loaded"]), ("3.34d", ["start": "loaded"]),
        ("4.45d", ["start": "loaded"]), ("6.33d", ["start": "blank"]), ("4.12r", ["start": "blank"]),
        ("4.12r", ["start": "loaded", "encryption": "strong"]), ("6.33d", [:]), ("3.34d", ["delay": "15s"]),
    ]
    return kinds.map { kind in
        var options = ["delay": "0s", "card-id": "BB03000000000004"]
        options.merge(kind.options) { $1 }
        let made = attempt {
            try CardState(settings: CardSettings(firmware: kind.firmware, options: options, seed: 1))
        }
        guard let card = made else { preconditionFailure("the card's own options are refused") }
        return card
    }
}()
