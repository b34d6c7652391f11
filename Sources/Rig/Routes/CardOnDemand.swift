// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// A card that is made when somebody reaches for it: most cases need no second one, and keys take time.
final class CardOnDemand: Card {
    private enum State {
        case promised(@Sendable () throws(EmulatorOptionError) -> any Card)
        case made(any Card)
        /// It could not be made, so that it never answers.
        case missing
    }

    private let state: Mutex<State>

    init(_ make: @escaping @Sendable () throws(EmulatorOptionError) -> any Card) {
        state = Mutex(.promised(make))
    }

    private var card: (any Card)? {
        state.withLock { state in
            switch state {
            case .made(let card): return card
            case .missing: return nil
            case .promised(let make):
                do throws(EmulatorOptionError) {
                    let card = try make()
                    state = .made(card)
                    return card
                } catch {
                    state = .missing
                    return nil
                }
            }
        }
    }

    var atr: [UInt8] { card?.atr ?? [] }

    var contactlessUID: [UInt8]? { card?.contactlessUID }

    var contactlessATS: [UInt8]? { card?.contactlessATS }

    func powerOn() { card?.powerOn() }

    func powerOff() { card?.powerOff() }

    func respond(to command: [UInt8]) -> CardAnswer {
        card?.respond(to: command) ?? CardAnswer([], ending: .mute)
    }
}
