// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import SmartCard
import Synchronization
import TangemConstants
import TangemEmulator
import Testing

/// A wallet card with one fault.
///
/// It stands around an emulated card, and changes commands on their way in, answers on their way out, and the
/// memory before and after a command. Encrypted bodies go through as they are.
final class FaultyWalletCard: Card {
    /// A command in the clear.
    struct Command {
        let instruction: TangemInstruction
        let p1: UInt8
        let p2: UInt8
        var objects: ObjectList
    }

    /// An answer in the clear.
    struct Reply {
        var objects: ObjectList
        var sw: StatusWord
    }

    /// What is wrong with the card.
    struct Fault: Sendable {
        /// Instructions that it shows at.
        let instructions: Set<TangemInstruction>
        /// Changes the memory before the command.
        var before: (@Sendable (inout CardMemoryEditor, Command) -> Void)?
        /// Changes the command; what the card remembers can be looked at.
        var command: (@Sendable (inout Command, CardMemoryEditor) -> Void)?
        /// Changes the answer to the command.
        var reply: (@Sendable (inout Reply, Command) -> Void)?
        /// Changes the memory after the command, with what it was before.
        var after: (@Sendable (inout CardMemoryEditor, CardMemoryEditor, Reply) -> Void)?

        init(_ instructions: [TangemInstruction]) {
            self.instructions = Set(instructions)
        }
    }

    private let card: TangemCard
    private let fault: Fault

    init(_ card: TangemCard, _ fault: Fault) {
        self.card = card
        self.fault = fault
    }

    var atr: [UInt8] { card.atr }

    var contactlessUID: [UInt8]? { card.contactlessUID }

    func powerOn() { card.powerOn() }

    func powerOff() { card.powerOff() }

    func respond(to bytes: [UInt8]) -> CardAnswer {
        guard let apdu = try? CommandAPDU(bytes: bytes), apdu.p1 == TangemEncryption.none,
            fault.instructions.contains(TangemInstruction(rawValue: apdu.ins)),
            let objects = ObjectList(apdu.data), let old = CardMemoryEditor(card.savedState)
        else { return card.respond(to: bytes) }
        var command = Command(
            instruction: TangemInstruction(rawValue: apdu.ins),
            p1: apdu.p1,
            p2: apdu.p2,
            objects: objects
        )
        if let before = fault.before { change { before(&$0, command) } }
        fault.command?(&command, old)
        var answer = card.respond(to: Self.bytes(command))
        guard answer.ending == .answered, answer.bytes.count >= 2,
            let received = ObjectList(Array(answer.bytes.dropLast(2)))
        else { return answer }
        var reply = Reply(
            objects: received,
            sw: StatusWord(
                sw1: answer.bytes[answer.bytes.count - 2],
                sw2: answer.bytes[answer.bytes.count - 1]
            )
        )
        // A delay that still runs must not be lost with the power that a changed memory costs.
        if reply.sw != TangemStatus.needPause, let after = fault.after { change { after(&$0, old, reply) } }
        fault.reply?(&reply, command)
        answer.bytes = reply.objects.bytes + [reply.sw.sw1, reply.sw.sw2]
        return answer
    }

    /// Changes the memory; the card keeps what it holds in volatile memory when there is nothing to change.
    private func change(_ edit: (inout CardMemoryEditor) -> Void) {
        guard var memory = CardMemoryEditor(card.savedState) else { return }
        let old = memory.json
        edit(&memory)
        guard memory.json != old else { return }
        // A mutant that the card does not take would be one that no scenario could notice.
        do { try card.restoreState(memory.json.prettyText) } catch { Issue.record("\(fault): \(error)") }
    }

    private static func bytes(_ command: Command) -> [UInt8] {
        let body = command.objects.bytes
        let header = [TangemInstruction.cla, command.instruction.rawValue, command.p1, command.p2]
        return body.isEmpty ? header : header + [0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }
}
