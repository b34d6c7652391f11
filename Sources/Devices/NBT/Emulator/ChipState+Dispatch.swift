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

    static func status(_ sw: StatusWord) -> ChipReply { ChipReply(sw: sw) }
}

extension ChipState {
    /// Answers a command on a face, whatever its bytes are.
    mutating func answer(_ bytes: [UInt8], on face: ChipInterface) -> CardAnswer {
        guard muteReason(of: face) == nil else { return CardAnswer([], ending: .mute) }
        let reply: ChipReply
        do {
            reply = run(try CommandAPDU(bytes: bytes), on: face)
        } catch {
            reply = .status(NBTStatus.wrongLength)
        }
        let time = settings.commandTime + settings.writeByteTime * reply.written
        if reply.isCut { return CardAnswer([], time: time, ending: .removed) }
        return CardAnswer(reply.data + [reply.sw.sw1, reply.sw.sw2], time: time)
    }

    private mutating func run(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        if command.cla == NBTInstruction.tagClass, command.ins == NBTInstruction.select {
            return select(command, on: face)
        }
        return self[face].application == .configurator
            ? runInConfigurator(command) : runInTagApplication(command, on: face)
    }

    private mutating func runInTagApplication(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard command.cla == NBTInstruction.tagClass else { return .status(settings.unknownClass) }
        switch command.ins {
        case NBTInstruction.readBinary: return readBinary(command, on: face)
        case NBTInstruction.updateBinary: return updateBinary(command, on: face)
        case NBTInstruction.getData where self[face].application == .tag: return getData(command)
        default: return .status(settings.unknownInstruction)
        }
    }

    private mutating func runInConfigurator(_ command: CommandAPDU) -> ChipReply {
        guard command.cla == NBTInstruction.configuratorClass else {
            return .status(settings.unknownToConfigurator)
        }
        switch command.ins {
        case NBTInstruction.setConfiguration: return setConfiguration(command)
        case NBTInstruction.getConfiguration: return getConfiguration(command)
        default: return .status(settings.unknownToConfigurator)
        }
    }
}

extension CommandAPDU {
    /// P1 and P2 as one number.
    var p1p2: Int { Int(p1) << 8 | Int(p2) }
}
