// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard

/// What the case's own steps made of a card's volatile state, so that a lost command can be repeated in the same state.
struct VolatileState {
    /// The SELECT commands that count now, in order.
    private(set) var selections: [[UInt8]] = []
    /// True when something else was done that a reset undoes: a verified PIN, an open channel, an authentication.
    private(set) var isBeyondReplay = false

    /// Notes what a command that was answered did.
    mutating func note(_ exchange: Observation.Exchange) {
        let command = exchange.command
        guard command.count >= 4, let sw = exchange.response?.sw else { return }
        if command[1] == 0xA4 {
            if sw == .success { select(command) }
        } else if Self.volatile.contains(command[1]), sw == .success {
            isBeyondReplay = true
        }
    }

    /// The card has fresh power: nothing of it is left.
    mutating func forget() {
        self = VolatileState()
    }

    private mutating func select(_ command: [UInt8]) {
        if selections.last == command { return }
        if command[2] == 0x04 {
            // A SELECT by name starts anew; what was selected before it no longer counts.
            selections = [command]
        } else if let index = selections.firstIndex(of: command) {
            selections.removeSubrange((index + 1)...)
        } else {
            if selections.count == Self.limit { selections.remove(at: 1) }
            selections.append(command)
        }
    }

    /// VERIFY, MANAGE SECURITY ENVIRONMENT, MANAGE CHANNEL, and what belongs to authentications.
    ///
    /// Source: ISO/IEC 7816-4:2013 §5.4, table 4.
    private static let volatile: Set<UInt8> = [
        0x20, 0x21, 0x22, 0x26, 0x28, 0x2A, 0x70, 0x82, 0x84, 0x86, 0x87, 0x88,
    ]
    private static let limit = 16
}
