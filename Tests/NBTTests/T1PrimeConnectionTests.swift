// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct T1PrimeConnectionTests {
    private static let cip = "12E4001801031122330208001903E8000A00640403E800FE03AABBCC2BF1"
    private static let start: [ScriptedBus.Turn] = [
        .init("21C4000006CD", cip), .init("21C0000065AC", "12E000000FA8"),
    ]

    private static func block(_ kind: T1PrimeBlock.Kind, _ information: String = "") throws -> String {
        T1PrimeBlock(
            kind,
            information: try HexText.bytes(information),
            nodeAddress: T1PrimeByte.chipToHost
        ).bytes.hex
    }

    private static func host(_ kind: T1PrimeBlock.Kind, _ information: String = "") throws -> String {
        T1PrimeBlock(kind, information: try HexText.bytes(information)).bytes.hex
    }

    private static func open(_ turns: [ScriptedBus.Turn]) throws -> (T1PrimeConnection, ScriptedBus) {
        let bus = ScriptedBus(start + turns)
        return (try T1PrimeConnection(bus: bus, clock: ModelClock(), deadline: .seconds(5)), bus)
    }

    @Test func `The link starts, and commands go with numbers in turn`() throws {
        let items = try #require(try Fixture.json("t1prime.json")["vectors"]?.array)
        let turns = ["select-application", "select-file1", "update-led-on", "read-1"].compactMap { id in
            items.first { $0["id"]?.string == id }
        }.map { ScriptedBus.Turn($0["host"]?.string ?? "", $0["device"]?.string ?? "") }
        let (connection, bus) = try Self.open(turns)
        #expect(connection.facts.protocolName == "T=1'")
        #expect(connection.facts.atr == [0xAA, 0xBB, 0xCC])
        #expect(connection.parameters.informationSize == 254)
        let commands = NBTCommandSet(connection)
        try commands.selectApplication()
        try commands.select(.file1, expectsAnswer: true)
        try commands.update(data: [0x01])
        #expect(try commands.read(length: 1) == [0x00])
        #expect(bus.isOver)
        // Six bytes first, then as many as the length says.
        #expect(bus.reads.prefix(3) == [6, 24, 6])
    }

    @Test func `A chip that is not ready is asked again`() throws {
        let (connection, bus) = try Self.open([
            .init(
                "21000002B000" + Self.checksum("21000002B000"),
                "120000029000118C",
                busyWrites: 2,
                busyReads: 9
            )
        ])
        #expect(try connection.transmit([0xB0, 0x00]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    private static func checksum(_ hex: String) -> String {
        let value = T1PrimeChecksum.of((try? HexText.bytes(hex)) ?? [])
        return [UInt8(value >> 8), UInt8(value & 0xFF)].hex
    }

    @Test func `A chip that stays silent is a fault of time`() throws {
        let (connection, _) = try Self.open([])
        #expect {
            try connection.transmit([0x00, 0xB0, 0x00, 0x00])
        } throws: {
            ($0 as? TransportFault)?.kind == .timeout
        }
        let bus = ScriptedBus([])
        #expect(throws: TransportFault.self) { try T1PrimeConnection(bus: bus, clock: ModelClock()) }
    }

    @Test func `Long commands and answers are chained`() throws {
        let command = [UInt8](repeating: 0x5A, count: 260)
        let answer = [UInt8](repeating: 0x6B, count: 256) + [0x90, 0x00]
        let (connection, bus) = try Self.open([
            .init(
                try Self.host(.information(number: false, more: true), command.prefix(254).hex),
                try Self.block(.receiveReady(number: true, error: .none))
            ),
            .init(
                try Self.host(.information(number: true, more: false), command.suffix(6).hex),
                try Self.block(.information(number: false, more: true), answer.prefix(254).hex)
            ),
            .init(
                try Self.host(.receiveReady(number: true, error: .none)),
                try Self.block(.information(number: true, more: false), answer.suffix(4).hex)
            ),
        ])
        #expect(try connection.transmit(command) == answer)
        #expect(bus.isOver)
    }

    @Test func `A broken block is asked for again`() throws {
        let command = try Self.host(.information(number: false, more: false), "00B0000001")
        let (connection, bus) = try Self.open([
            .init(command, "1200000290001100"),
            .init(try Self.host(.receiveReady(number: false, error: .checksum)), "1200000290001101"),
            .init(try Self.host(.receiveReady(number: false, error: .checksum)), "120000029000118C"),
        ])
        #expect(try connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x01]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A block that the chip did not take is sent again`() throws {
        let command = try Self.host(.information(number: false, more: false), "00B0000001")
        let again = try Self.block(.receiveReady(number: false, error: .checksum))
        let (connection, bus) = try Self.open([
            .init(command, again), .init(command, again), .init(command, "120000029000118C"),
        ])
        #expect(try connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x01]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A chip that wants more time gets it`() throws {
        let command = try Self.host(.information(number: false, more: false), "00B0000001")
        let more = try Self.block(.request(.waitingTime), "03")
        let granted = try Self.host(.response(.waitingTime), "03")
        let (connection, bus) = try Self.open([
            // One block waiting time has 1000 ms; the second answer takes 2500 ms.
            .init(command, more, busyReads: 900), .init(granted, "120000029000118C", busyReads: 2500),
        ])
        #expect(try connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x01]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A grant that came broken is sent again, and the command is not`() throws {
        let command = try Self.host(.information(number: false, more: false), "00D6000001AA")
        let more = try Self.block(.request(.waitingTime), "01")
        let granted = try Self.host(.response(.waitingTime), "01")
        let broken = try Self.block(.receiveReady(number: true, error: .checksum))
        let (connection, bus) = try Self.open([
            .init(command, more), .init(granted, broken), .init(granted, broken),
            .init(granted, "120000029000118C"),
        ])
        #expect(try connection.transmit([0x00, 0xD6, 0x00, 0x00, 0x01, 0xAA]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A grant that always comes broken ends the link, not the patience`() throws {
        let command = try Self.host(.information(number: false, more: false), "00D6000001AA")
        let more = try Self.block(.request(.waitingTime), "01")
        let granted = try Self.host(.response(.waitingTime), "01")
        let broken = try Self.block(.receiveReady(number: true, error: .other))
        let (connection, bus) = try Self.open([
            .init(command, more), .init(granted, broken), .init(granted, broken), .init(granted, broken),
            .init("21C0000065AC", "12E000000FA8"),
        ])
        #expect {
            try connection.transmit([0x00, 0xD6, 0x00, 0x00, 0x01, 0xAA])
        } throws: {
            ($0 as? TransportFault)?.kind == .transport
        }
        #expect(bus.isOver)
    }

    @Test func `A chip that wants shorter blocks gets them`() throws {
        let (connection, bus) = try Self.open([
            .init(
                try Self.host(.information(number: false, more: false), "0102"),
                try Self.block(.request(.informationSize), "03")
            ),
            .init(try Self.host(.response(.informationSize), "03"), "120000029000118C"),
            .init(
                try Self.host(.information(number: true, more: true), "010203"),
                try Self.block(.receiveReady(number: false, error: .none))
            ),
            .init(try Self.host(.information(number: false, more: false), "04"), "124000029000D0AE"),
        ])
        _ = try connection.transmit([1, 2])
        #expect(try connection.transmit([1, 2, 3, 4]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A link that stays broken is begun anew, and the command is not sent twice`() throws {
        let command = try Self.host(.information(number: false, more: false), "00D6000001AA")
        let broken = "1200000290001100"
        let ask = try Self.host(.receiveReady(number: false, error: .checksum))
        let (connection, bus) = try Self.open([
            .init(command, broken), .init(ask, broken), .init(ask, broken),
            .init("21C0000065AC", "12E000000FA8"),
            .init(try Self.host(.information(number: false, more: false), "00B0000001"), "120000029000118C"),
        ])
        #expect {
            try connection.transmit([0x00, 0xD6, 0x00, 0x00, 0x01, 0xAA])
        } throws: { error in
            let fault = error as? TransportFault
            return fault?.kind == .transport && fault?.detail.hasSuffix("the link was resynchronized") == true
                && fault?.hint.isEmpty == false
        }
        // The numbers begin at 0 again.
        #expect(try connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x01]) == [0x90, 0x00])
        #expect(bus.isOver)
    }

    @Test func `A link that cannot be resynchronized is reset`() throws {
        let command = try Self.host(.information(number: false, more: false), "0102")
        let broken = "1200000290001100"
        let ask = try Self.host(.receiveReady(number: false, error: .checksum))
        let resynchronize = ScriptedBus.Turn("21C0000065AC", broken)
        let (connection, bus) = try Self.open(
            [.init(command, broken), .init(ask, broken), .init(ask, broken)]
                + [resynchronize, resynchronize, resynchronize, .init("21CF00002F6B", "12EF0000456F")]
                + Self.start
        )
        #expect {
            try connection.transmit([1, 2])
        } throws: {
            ($0 as? TransportFault)?.detail.hasSuffix("the interface was reset") == true
        }
        #expect(bus.isOver)
    }

    @Test func `Resets are a request with an answer, or a power-on reset without one`() throws {
        let (connection, bus) = try Self.open(
            [.init("21CF00002F6B", "12EF0000456F")] + Self.start + [.init("21D8000026FB", "")] + Self.start
        )
        try connection.reset(.warm)
        try connection.reset(.cold)
        #expect(bus.isOver)
    }

    @Test func `There is no field, and a closed connection says so`() throws {
        let (connection, _) = try Self.open(Self.start)
        #expect(throws: TransportFault.self) { try connection.setField(.off) }
        connection.close()
        #expect(throws: TransportFault.self) { try connection.transmit([1, 2]) }
        try connection.reconnect()
    }

    @Test(arguments: ["12E4000201", "12400002", "128000000000", "129000008F70", "12C100010000"])
    func `Blocks that do not belong here are faults, never a crash`(answer: String) throws {
        let bytes = answer + String(repeating: "0", count: 40)
        let (connection, _) = try Self.open([.init("*", bytes), .init("*", bytes), .init("*", bytes)])
        #expect(throws: TransportFault.self) { try connection.transmit([1, 2]) }
    }
}

/// A bus with a chip that knows one conversation of blocks.
private final class ScriptedBus: I2CBus {
    /// What is written, and what can be read then.
    struct Turn {
        let written: String
        let answer: [UInt8]
        var busyWrites: Int
        var busyReads: Int

        init(_ written: String, _ answer: String, busyWrites: Int = 0, busyReads: Int = 0) {
            self.written = written
            self.answer = (try? HexText.bytes(answer)) ?? []
            self.busyWrites = busyWrites
            self.busyReads = busyReads
        }
    }

    private(set) var reads: [Int] = []
    private var turns: [Turn]
    private var ready: [UInt8] = []
    private var busyReads = 0

    init(_ turns: [Turn]) {
        self.turns = turns
    }

    var isOver: Bool { turns.isEmpty && ready.isEmpty }

    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool {
        guard var turn = turns.first else { return true }
        guard turn.busyWrites == 0 else {
            turn.busyWrites -= 1
            turns[0] = turn
            return false
        }
        guard turn.written == bytes.hex || turn.written == "*" else {
            throw TransportFault(.transport, "\(bytes.hex) does not come here, \(turn.written) does")
        }
        turns.removeFirst()
        ready = turn.answer
        busyReads = turn.busyReads
        return true
    }

    func read(_ count: Int) throws(TransportFault) -> [UInt8]? {
        guard busyReads == 0 else {
            busyReads -= 1
            return nil
        }
        guard ready.count >= count else { return nil }
        reads.append(count)
        defer { ready.removeFirst(count) }
        return Array(ready.prefix(count))
    }
}
