// SPDX-License-Identifier: MIT

import CardConnection

/// What a probe remembers, and how it answers each command but transfers.
struct ProbeState: Sendable {
    let settings: ProbeSettings
    let kit: EmulatedKit
    let abort: AbortFlag
    var wires: TargetWires

    private(set) var packetCount = 0
    private var queue: [[UInt8]] = []
    private var isConnected = false
    /// The pins that the host drives: bits of DAP_SWJ_Pins.
    private var pins: UInt8 = 0xFF

    /// Idle cycles, WAIT retries and match retries of DAP_TransferConfigure.
    var waitRetries = 0
    var matchRetries = 0
    var matchMask: UInt32 = 0

    /// Serial Wire Debug and atomic commands.
    private static let capabilities: UInt8 = 0x11
    private static let serialWirePort: UInt8 = 1
    private static let largestQueue = 64

    init(settings: ProbeSettings, kit: EmulatedKit, abort: AbortFlag) {
        self.settings = settings
        self.kit = kit
        self.abort = abort
        wires = TargetWires(settings: settings, kit: kit)
    }

    /// Answers a packet.
    mutating func answer(_ packet: [UInt8]) -> ProbeAnswer {
        packetCount += 1
        if settings.goneAfter > 0, packetCount > settings.goneAfter { return .gone }
        guard !packet.isEmpty, packet.count <= settings.packetSize else {
            return .packets([[ProbeCommand.refused]])
        }
        if packet[0] == ProbeCommand.queueCommands.rawValue, queue.count < Self.largestQueue {
            queue.append([ProbeCommand.executeCommands.rawValue] + packet.dropFirst())
            return .packets([])
        }
        let waiting = queue
        queue = []
        var answers = (waiting + [packet]).map { carryOut($0) }
        if packetCount == settings.garbledAt { answers[answers.count - 1][0] ^= 0x55 }
        if packetCount == settings.muteAt { answers.removeLast() }
        return .packets(answers)
    }

    private mutating func carryOut(_ packet: [UInt8]) -> [UInt8] {
        var reader = PacketReader(packet)
        guard packet.first == ProbeCommand.executeCommands.rawValue else {
            return clipped(command(&reader))
        }
        // Several commands in one packet; their answers follow each other.
        do throws(PacketReader.EndOfPacket) {
            var answer = [try reader.byte(), try reader.byte()]
            for _ in 0..<answer[1] {
                let part = command(&reader)
                answer += part
                guard part != [ProbeCommand.refused] else { break }
            }
            return clipped(answer)
        } catch {
            return [ProbeCommand.refused]
        }
    }

    /// An answer that does not fit into a packet cannot be sent.
    private func clipped(_ answer: [UInt8]) -> [UInt8] {
        answer.count <= settings.packetSize ? answer : [ProbeCommand.refused]
    }

    /// Carries out the command at the reader's place.
    private mutating func command(_ reader: inout PacketReader) -> [UInt8] {
        do throws(PacketReader.EndOfPacket) {
            let code = try reader.byte()
            guard let command = ProbeCommand(rawValue: code), let answer = try carryOut(command, &reader)
            else {
                return [ProbeCommand.refused]
            }
            return [code] + answer
        } catch {
            return [ProbeCommand.refused]
        }
    }

    /// - Returns: What follows the command's byte in the answer; nil for a command that does not stand here.
    private mutating func carryOut(
        _ command: ProbeCommand,
        _ reader: inout PacketReader
    ) throws(PacketReader.EndOfPacket) -> [UInt8]? {
        switch command {
        case .info: return info(try reader.byte())
        case .hostStatus:
            let type = try reader.byte()
            _ = try reader.byte()
            return [type <= 1 ? ProbeCommand.done : ProbeCommand.refused]
        case .connect: return connect(try reader.byte())
        case .disconnect:
            isConnected = false
            return [ProbeCommand.done]
        case .transferConfigure:
            _ = try reader.byte()
            waitRetries = Int(try reader.half())
            matchRetries = Int(try reader.half())
            return [ProbeCommand.done]
        case .transfer: return try transfer(&reader, isConnected: isConnected)
        case .transferBlock: return try transferBlock(&reader, isConnected: isConnected)
        case .writeAbort: return try writeAbort(&reader)
        case .delay:
            kit.clock.wait(.microseconds(Int(try reader.half())))
            return [ProbeCommand.done]
        case .resetTarget: return resetTarget()
        case .pins: return try drivePins(&reader)
        case .clock: return setClock(try reader.word())
        case .sequence: return try sequence(&reader)
        case .configure:
            wires.turnaround = try reader.byte() & 3
            return [ProbeCommand.done]
        case .serialWireSequence: return try serialWireSequence(&reader)
        case .transferAbort, .queueCommands, .executeCommands: return nil
        }
    }

    private func info(_ id: UInt8) -> [UInt8] {
        switch ProbeInfo(rawValue: id) {
        case .vendor: Self.text("Cypress Semiconductor")
        case .product: Self.text("KitProg3 CMSIS-DAP")
        case .serial: Self.text(settings.serial)
        case .protocolVersion: Self.text("2.0.0")
        case .firmware: Self.text("2.80.1")
        case .capabilities: [1, Self.capabilities]
        case .packetCount: [1, 64]
        case .packetSize: [2, UInt8(settings.packetSize & 0xFF), UInt8(settings.packetSize >> 8 & 0xFF)]
        case nil: [0]
        }
    }

    /// A string with its length, the final zero included.
    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(60)) + [0]
        return [UInt8(bytes.count)] + bytes
    }

    private mutating func connect(_ port: UInt8) -> [UInt8] {
        guard port <= Self.serialWirePort else { return [0] }
        isConnected = true
        return [Self.serialWirePort]
    }

    private mutating func writeAbort(_ reader: inout PacketReader) throws(PacketReader.EndOfPacket) -> [UInt8]
    {
        _ = try reader.byte()
        let word = try reader.word()
        guard isConnected else { return [ProbeCommand.refused] }
        let answer = wires.transfer(WireRequest(bits: 0), word)
        return [answer.acknowledge == .ok ? ProbeCommand.done : ProbeCommand.refused]
    }

    private mutating func resetTarget() -> [UInt8] {
        guard settings.canResetTarget else { return [ProbeCommand.done, 0] }
        wires.holdReset(true)
        wires.holdReset(false)
        return [ProbeCommand.done, 1]
    }

    private mutating func drivePins(_ reader: inout PacketReader) throws(PacketReader.EndOfPacket) -> [UInt8]
    {
        let output = try reader.byte()
        let selection = try reader.byte()
        // The pins settle at once, so there is nothing to wait for.
        _ = try reader.word()
        pins = pins & ~selection | output & selection
        if selection & Self.resetPin != 0 { wires.holdReset(output & Self.resetPin == 0) }
        // SWCLK, SWDIO, nTRST and nRESET read back as driven; nobody drives TDI and TDO.
        return [pins & 0xA3]
    }

    private static let resetPin: UInt8 = 0x80

    private mutating func setClock(_ hertz: UInt32) -> [UInt8] {
        guard hertz > 0 else { return [ProbeCommand.refused] }
        wires.clock = hertz
        return [ProbeCommand.done]
    }

    private mutating func sequence(_ reader: inout PacketReader) throws(PacketReader.EndOfPacket) -> [UInt8] {
        let first = try reader.byte()
        let count = first == 0 ? 256 : Int(first)
        wires.send(try reader.bytes((count + 7) / 8), count: count)
        return [ProbeCommand.done]
    }

    private mutating func serialWireSequence(
        _ reader: inout PacketReader
    ) throws(PacketReader.EndOfPacket) -> [UInt8] {
        var answer: [UInt8] = [ProbeCommand.done]
        for _ in 0..<(try reader.byte()) {
            let info = try reader.byte()
            let count = info & 0x3F == 0 ? 64 : Int(info & 0x3F)
            let length = (count + 7) / 8
            if info & 0x80 == 0 {
                wires.send(try reader.bytes(length), count: count)
            } else {
                // Nobody drives the line, so it is high.
                answer += [UInt8](repeating: 0xFF, count: length)
            }
        }
        return answer
    }
}
