// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Testing

@testable import DebugProbe

/// The bytes that go to the probe, and what is made of those that come back.
@Suite struct TargetMemoryTests {
    private let output: UInt32 = 0x4031_0680

    private func started(_ lines: String...) throws -> (TargetMemory, ScriptedLink) {
        let link = ScriptedLink(
            try ScriptedLink.fixture("start-up.txt") + lines.flatMap(ScriptedLink.exchanges)
        )
        return (try TargetMemory(link, clock: ModelClock()), link)
    }

    @Test func `The start-up and the looks at a LED are the known packets, byte for byte`() throws {
        let link = ScriptedLink(
            try ScriptedLink.fixture("start-up.txt") + ScriptedLink.fixture("led.txt")
        )
        let memory = try TargetMemory(link, clock: ModelClock())
        #expect(memory.debugPortIdentity == 0x6BA0_2477)
        #expect(memory.accessPortNumber == 0)
        #expect(link.packetSize == 64)
        #expect(try memory.read(output) == 0x80)
        #expect(try memory.read(output) == 0x80)
        #expect(
            try memory.read([UInt32](repeating: output, count: 15)) == [UInt32](repeating: 0x80, count: 14)
                + [0]
        )
        #expect(try memory.read(output + 0x10) == 0)
        #expect(try memory.wait(for: output, mask: 0x80, value: 0x80, retries: 0xFFFF))
        #expect(try !memory.wait(for: output, mask: 0x80, value: 0, retries: 0xFFFF))
        try memory.write(output + 0x04, 0x80)
        try memory.write(output + 0x08, 0x80)
        try memory.write(0x4031_0020, 0x10)
        #expect(try memory.readBlock(output, count: 5) == [0, 0x80, 0, 0, 0x80])
        memory.close()
        #expect(link.rest == 0)
        #expect(link.isClosed)
    }

    @Test func `No packet of the start-up and of a look writes to a register that halts or resets a core`()
        throws
    {
        let link = ScriptedLink(
            try ScriptedLink.fixture("start-up.txt") + ScriptedLink.fixture("led.txt")
        )
        let packets = link.rest
        let all = try ScriptedLink.fixture("start-up.txt") + ScriptedLink.fixture("led.txt")
        #expect(packets == all.count)
        for exchange in all { #expect(!WriteLog.touchesCore([exchange.request])) }
        // The check itself sees such a write: DHCSR by its address, then a word.
        let halting = ScriptedLink.exchanges("> 05 00 02 05 f0 ed 00 e0 0d 03 00 5f a0 < 05 02 01")
        #expect(WriteLog.touchesCore(halting.map(\.request)))
    }

    @Test(arguments: [0xE000_EDF0, 0xE000_ED0C, 0xE000_EDFC, 0xE000_0000] as [UInt32])
    func `Registers of the core are never written`(address: UInt32) throws {
        let (memory, link) = try started()
        let before = link.requests.count
        #expect {
            try memory.write(address, 1)
        } throws: {
            ($0 as? ProbeError)?.kind == .refused
        }
        #expect(link.requests.count == before)
    }

    @Test func `A block that crosses a kilobyte sets the address anew there`() throws {
        let (memory, link) = try started(
            """
            > 05 00 02 01 12 00 00 23 05 f8 03 00 08 < 05 02 01
            > 06 00 02 00 0f < 06 02 00 01 01 00 00 00 02 00 00 00
            > 05 00 01 05 00 04 00 08 < 05 01 01
            > 06 00 02 00 0f < 06 02 00 01 03 00 00 00 04 00 00 00
            """
        )
        #expect(try memory.readBlock(0x0800_03F8, count: 4) == [1, 2, 3, 4])
        #expect(link.rest == 0)
    }

    @Test func `More reads than a packet holds are spread over several`() throws {
        func reads(_ count: Int, pointing: Bool) -> String {
            let words = [String](repeating: "01 00 00 00", count: count).joined(separator: " ")
            let transfers = [String](repeating: "0f", count: count).joined(separator: " ")
            let number = String(format: "%02x", count + (pointing ? 1 : 0))
            let address = pointing ? "05 80 06 31 40 " : ""
            return "> 05 00 \(number) \(address)\(transfers) < 05 \(number) 01 \(words)"
        }
        let (memory, link) = try started(
            reads(15, pointing: true),
            reads(15, pointing: false),
            reads(10, pointing: false)
        )
        let words = try memory.read([UInt32](repeating: output, count: 40))
        #expect(words == [UInt32](repeating: 1, count: 40))
        #expect(link.rest == 0)
        #expect(link.requests.allSatisfy { $0.count <= 64 })
    }

    @Test func `Access port 0 that is closed gives way to the core's own`() throws {
        let start = try ScriptedLink.fixture("start-up.txt").dropLast(3)
        let link = ScriptedLink(
            Array(start)
                + ScriptedLink.exchanges(
                    """
                    > 05 00 02 08 f0 00 00 00 0f < 05 02 01 01 00 77 84
                    > 05 00 01 08 00 00 00 00 < 05 01 01
                    > 05 00 02 01 02 00 00 23 03 < 05 02 01 02 00 00 23
                    > 05 00 02 08 f0 00 00 02 0f < 05 02 01 11 00 77 24
                    > 05 00 01 08 00 00 00 02 < 05 01 01
                    > 05 00 02 01 02 00 00 23 03 < 05 02 01 42 00 00 23
                    """
                )
        )
        #expect(try TargetMemory(link, clock: ModelClock()).accessPortNumber == 2)
    }

    @Test func `Without an open access port the error says so for each of them`() throws {
        let start = try ScriptedLink.fixture("start-up.txt").dropLast(3)
        let closed = [0, 2, 1].map { number in
            """
            > 05 00 02 08 f0 00 00 0\(number) 0f < 05 02 01 00 00 00 00
            > 05 00 01 08 00 00 00 0\(number) < 05 01 01
            """
        }
        let link = ScriptedLink(Array(start) + closed.flatMap(ScriptedLink.exchanges))
        let error = #expect(throws: ProbeError.self) { try TargetMemory(link, clock: ModelClock()) }
        #expect(error?.kind == .target)
        #expect(error?.description.contains("0 is not there, 2 is not there, 1 is not there") == true)
        #expect(link.isClosed)
    }
}

/// Looks through packets for writes to the core's debug and reset registers.
enum WriteLog {
    /// True when a packet writes to DHCSR (E000EDF0) or AIRCR (E000ED0C), or anywhere else in that block.
    static func touchesCore(_ packets: [[UInt8]]) -> Bool {
        var address: UInt32 = 0
        for packet in packets where packet.first == 0x05 && packet.count > 3 {
            var index = 3
            for _ in 0..<packet[2] where index < packet.count {
                let request = packet[index]
                index += 1
                guard request & 0x02 == 0 || request & 0x10 != 0, index + 4 <= packet.count else { continue }
                let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(packet[index + $1]) << (8 * UInt32($1)) }
                index += 4
                if request == 0x05 { address = word }
                if request == 0x0D, address >> 20 == 0xE00 { return true }
            }
        }
        return false
    }
}
