// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import JSONText
import TangemConstants

@testable import TangemEmulator

/// Saved wallet cards: any text is refused, or makes a card that answers every command and is saved as it was read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    guard let start = blanks[Int(input.byte()) % blanks.count] else {
        preconditionFailure("no card to start with")
    }
    var card = start
    guard attempt({ try card.restore(input.text) }) != nil else { return 0 }
    let saved = card.json.text
    var again = start
    precondition(attempt { try again.restore(saved) } != nil, "the card refuses its own saved state")
    precondition(again.json.text == saved, "a saved state does not come back")
    card.setPower(true)
    for command in commands {
        let answer = card.answer(command, at: .zero)
        precondition(answer.ending != .answered || answer.bytes.count >= 2, "an answer without a status word")
    }
    return 0
}

/// A blank card of each profile; what is saved names its own.
private let blanks: [CardState?] = TangemCard.profiles.map { profile in
    attempt { try CardState(settings: CardSettings(firmware: profile, options: ["delay": "0s"], seed: 1)) }
}

/// SELECT, then what works with wallets, files, data and keys.
private let commands: [[UInt8]] = {
    let codes: [UInt8] =
        [0x10, 0x20] + CodeDigest.defaultAccessCode + [0x11, 0x20] + CodeDigest.defaultPasscode
    let card: [UInt8] = codes + [0x01, 0x08, 0xBB, 0x03, 0, 0, 0, 0, 0, 0x04]
    let hash = [0x51, 1, 32, 0x50, 32] + [UInt8](repeating: 1, count: 32)
    let bodies: [(instruction: TangemInstruction, objects: [UInt8])] = [
        (.read, [0x23, 1, 1]), (.read, [0x23, 1, 2, 0x65, 1, 0]), (.read, [0x23, 1, 3]),
        (.sign, [0x65, 1, 0] + hash), (.readFileData, [0x26, 1, 0]), (.readUserData, []),
        (.readIssuerData, []), (.attestCardKey, [0x16, 16] + [UInt8](repeating: 3, count: 16)),
        (.attestWalletKey, [0x65, 1, 0, 0x16, 16] + [UInt8](repeating: 3, count: 16)),
        (.purgeWallet, [0x65, 1, 0]), (.createWallet, [0x65, 1, 1]),
    ]
    return [[0x00, TangemInstruction.select.rawValue, 0x04, 0x00, 0x08] + TangemLimits.walletAID]
        + bodies.map { instruction, objects in
            let body = card + objects
            return [
                0x00, instruction.rawValue, 0x00, 0x00, 0x00, 0x00, UInt8(truncatingIfNeeded: body.count),
            ]
                + body
        }
}()
