// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// A card around a chip's contactless face that changes commands on their way in and answers on their way out.
final class FaultyTag: Card {
    /// What is wrong.
    struct Fault: Sendable {
        /// Changes the command; the selected file is told.
        var command: (@Sendable (inout [UInt8], _ file: [UInt8]) -> Void)?
        /// Whether the command is answered with 9000 and not carried out.
        var isIgnored: (@Sendable ([UInt8], _ file: [UInt8]) -> Bool)?
        /// Changes the answer to the command.
        var answer: (@Sendable (inout [UInt8], _ command: [UInt8]) -> Void)?
    }

    private let card: any Card
    private let fault: Fault
    private let file = Mutex<[UInt8]>([])

    init(_ card: any Card, _ fault: Fault) {
        self.card = card
        self.fault = fault
    }

    var atr: [UInt8] { card.atr }

    var contactlessUID: [UInt8]? { card.contactlessUID }

    func powerOn() { card.powerOn() }

    func powerOff() { card.powerOff() }

    func respond(to original: [UInt8]) -> CardAnswer {
        let selected = file.withLock { $0 }
        var command = original
        fault.command?(&command, selected)
        if fault.isIgnored?(command, selected) == true { return CardAnswer([0x90, 0x00]) }
        var answer = card.respond(to: command)
        if command.starts(with: [0x00, 0xA4, 0x00]), command.count >= 7,
            answer.bytes.suffix(2) == [0x90, 0x00]
        {
            file.withLock { $0 = Array(command[5..<7]) }
        }
        if answer.ending == .answered { fault.answer?(&answer.bytes, original) }
        return answer
    }
}
