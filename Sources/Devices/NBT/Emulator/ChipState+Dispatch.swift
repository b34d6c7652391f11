// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// What a command leads to.
struct ChipReply {
    var data: [UInt8] = []
    var sw = StatusWord.success
    /// Bytes that went into persistent memory; they cost time.
    var written = 0
    /// The field went away while the command ran.
    var isCut = false
    /// Time beyond that of every command.
    var extraTime = Duration.zero

    static func status(_ sw: StatusWord) -> ChipReply { ChipReply(sw: sw) }
}

/// Who answers a command.
enum ChipStep {
    case answer(CardAnswer)
    /// The host does; the interrupt is raised.
    case handOver
}

extension ChipState {
    /// Takes a command on a face, whatever its bytes are.
    mutating func take(_ bytes: [UInt8], on face: ChipInterface) -> ChipStep {
        if face == .nfc, effect.passesThrough, muteReason(of: .nfc) == nil, isForHost(bytes) {
            passThrough.offer(bytes)
            return .handOver
        }
        return .answer(answer(bytes, on: face))
    }

    private mutating func answer(_ bytes: [UInt8], on face: ChipInterface) -> CardAnswer {
        if face == .i2c, isHostHeard, let reply = answerHost(bytes) { return finished(reply, bytes) }
        guard muteReason(of: face) == nil else { return CardAnswer([], ending: .mute) }
        do {
            return finished(run(try CommandAPDU(bytes: bytes), on: face), bytes)
        } catch {
            return finished(.status(NBTStatus.wrongLength), bytes)
        }
    }

    /// Whether the I2C side has power and is on; the pass-through works while the field silences all else.
    var isHostHeard: Bool { i2c.isPowered && effect.isI2COn }

    private func finished(_ reply: ChipReply, _ command: [UInt8]) -> CardAnswer {
        let time = settings.commandTime + settings.writeByteTime * reply.written + reply.extraTime
        if reply.isCut { return CardAnswer([], time: time, ending: .removed) }
        let sw = rules.status(command.count > 1 ? command[1] : 0, reply.sw)
        return CardAnswer(reply.data + [sw.sw1, sw.sw2], time: time)
    }

    private mutating func run(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        if command.cla == NBTInstruction.tagClass, command.ins == NBTInstruction.select {
            return select(command, on: face)
        }
        return self[face].application == .configurator
            ? runInConfigurator(command, on: face) : runInTagApplication(command, on: face)
    }

    private mutating func runInTagApplication(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.cla == NBTInstruction.tagClass else { return .status(settings.unknownClass) }
        switch command.ins {
        case NBTInstruction.readBinary: return readBinary(command, on: face)
        case NBTInstruction.updateBinary: return updateBinary(command, on: face)
        default:
            guard self[face].application == .tag else { return .status(settings.unknownInstruction) }
            return runSelected(command, on: face)
        }
    }

    private mutating func runSelected(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        switch command.ins {
        case NBTInstruction.getData: getData(command)
        case NBTInstruction.authenticateTag: authenticate(command)
        case NBTInstruction.createPassword: createPassword(command, on: face)
        case NBTInstruction.deletePassword: deletePassword(command, on: face)
        case NBTInstruction.changePassword: changePassword(command, on: face)
        case NBTInstruction.personalizeData: personalize(command, on: face)
        case NBTInstruction.backendTest: backendTest(command, on: face)
        default: .status(settings.unknownInstruction)
        }
    }

    private mutating func runInConfigurator(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.cla == NBTInstruction.configuratorClass else {
            return .status(settings.unknownToConfigurator)
        }
        switch command.ins {
        case NBTInstruction.setConfiguration: return setConfiguration(command, on: face)
        case NBTInstruction.getConfiguration: return getConfiguration(command)
        default: return .status(settings.unknownToConfigurator)
        }
    }
}

extension CommandAPDU {
    /// P1 and P2 as one number.
    var p1p2: Int { Int(p1) << 8 | Int(p2) }
}
