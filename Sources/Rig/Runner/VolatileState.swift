// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard

/// What the case's own steps made of a card's volatile state, so that a lost command can be repeated in the same state.
struct VolatileState {
    /// The commands that chose what is selected now, in order.
    private(set) var selections: [[UInt8]] = []
    /// True when something else was done that a reset undoes: a verified PIN, an open channel, an authentication.
    private(set) var isBeyondReplay = false
    /// False once a step gave the card fresh power: what the set-up did is gone as well, and stays gone.
    private(set) var holdsSetup = true
    /// True while the rest of an answer waits for GET RESPONSE; a reset loses it.
    private(set) var hasPendingResponse = false

    /// The selections in which the case itself wrote something; they outlive a reset, as what was written does.
    private(set) var written: Set<[UInt8]> = []

    /// Notes what a command that was answered did.
    mutating func note(_ exchange: Observation.Exchange) {
        let command = exchange.command
        guard command.count >= 4, let sw = exchange.response?.sw else { return }
        hasPendingResponse = sw.sw1 == 0x61
        let isNormal = sw == .success || (0x61...0x63).contains(sw.sw1)
        switch command[1] {
        case Self.select:
            guard isNormal else { return }
            // The next or the previous occurrence depends on what was selected before.
            if command[3] & 0x03 > 1 { isBeyondReplay = true }
            select(command)
        case Self.readBinary:
            // A read by short identifier selects the file.
            guard isNormal, command[2] & 0xE0 == 0x80 else { return }
            selections.removeAll { $0[1] == Self.readBinary }
            selections.append(command)
        case Self.readRecord:
            // A read by record identifier moves the pointer that the next such read starts from.
            if isNormal, command[3] & 0x04 == 0 { isBeyondReplay = true }
        case Self.updateBinary:
            if isNormal, let selected = selections.last { written.insert(selected) }
        case let instruction where Self.lasting.contains(instruction):
            break
        default:
            // Of an instruction that is not known to last, volatile effects are to be feared.
            if !Self.refusals.contains(sw.sw1) { isBeyondReplay = true }
        }
    }

    /// The same after more commands, those of a step that is still at work.
    func noting(_ exchanges: [Observation.Exchange]) -> VolatileState {
        var state = self
        for exchange in exchanges { state.note(exchange) }
        return state
    }

    /// The card has fresh power: nothing of it is left.
    mutating func forget() {
        let written = written
        self = VolatileState()
        self.written = written
        holdsSetup = false
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

    // Source: ISO/IEC 7816-4:2013 §5.4, table 4.
    private static let select: UInt8 = 0xA4
    private static let readBinary: UInt8 = 0xB0
    private static let readRecord: UInt8 = 0xB2
    private static let updateBinary: UInt8 = 0xD6
    /// Instructions whose effect outlives a reset, or that have none: GET DATA, GET RESPONSE, PUT DATA, and what writes,
    /// updates, appends and erases.
    ///
    /// Source: ISO/IEC 7816-4:2013 §5.4, table 4.
    private static let lasting: Set<UInt8> = [
        0xCA, 0xCB, 0xC0, 0xDA, 0xDB, 0xD0, 0xD1, 0xD2, 0xD7, 0xDC, 0xDD, 0xE2, 0x0C, 0x0E, 0x0F,
    ]
    /// First bytes of answers with which a command is refused for its form, before it did anything.
    ///
    /// Source: ISO/IEC 7816-4:2013 §5.6, table 5.
    private static let refusals: Set<UInt8> = [0x67, 0x68, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E]
    private static let limit = 16
}
