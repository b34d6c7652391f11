// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Blocks on the I2C bus")
struct BlockFaceTests {
    private let bench: ChipBench
    private let bus: NBTBlockFace

    init() throws {
        bench = try ChipBench(["command-time": "0ms", "write-byte-time": "0ms"])
        bus = NBTBlockFace(
            bench.chip,
            clock: bench.clock,
            parameters: BlockParameters(historical: [0xAA, 0xBB, 0xCC])
        )
    }

    /// Reads as the vendor's library does: six bytes, then as many as the length says.
    private func readBlock() -> String? {
        guard let head = bus.read(6) else { return nil }
        let count = Int(head[2]) << 8 | Int(head[3])
        guard count > 0 else { return head.hex }
        return bus.read(count).map { (head + $0).hex }
    }

    private func exchange(_ block: String) throws -> String {
        #expect(bus.write(try HexText.bytes(block)))
        if let answer = readBlock() { return answer }
        // A host polls; a reset takes the wake-up time.
        bench.clock.wait(.milliseconds(25))
        return readBlock() ?? "none"
    }

    /// The bytes of a host's block.
    private func host(_ control: UInt8, _ information: String = "") throws -> String {
        let inf = try HexText.bytes(information)
        let body = [0x21, control, UInt8(inf.count >> 8), UInt8(inf.count & 0xFF)] + inf
        return (body + BlockFrame.checksum(of: body[...])).hex
    }

    /// The bytes of a chip's block.
    private func chip(_ control: UInt8, _ information: String = "") throws -> String {
        BlockFrame(control, try HexText.bytes(information)).toHost.hex
    }

    @Test("the checksum is CRC-16/X-25, high byte first")
    func checksum() {
        #expect(BlockFrame.checksum(of: Array("123456789".utf8)[...]).hex == "906E")
    }

    @Test("the exchanges that the vendor's library made come out byte for byte")
    func vectors() throws {
        let items = try ChipBench.fixture("t1prime.json")
        func block(_ id: String, _ side: String) throws -> String {
            try #require(items.first { $0["id"]?.string == id }?[side]?.string)
        }
        for name in ["cip", "resynch", "swr", "ifs"] {
            let suffix = name == "ifs" ? "-254" : ""
            let request = try block("\(name)-request\(suffix)", "host")
            #expect(try exchange(request) == block("\(name)-response\(suffix)", "device"), "\(name)")
        }
        for name in ["select-application", "select-file1", "update-led-on"] {
            #expect(try exchange(block(name, "host")) == block(name, "device"), "\(name)")
        }
        // The vector reads a file that was not written.
        #expect(try exchange(block("read-1", "host")) == chip(0x40, "019000"))
        #expect(try block("read-1", "device") == chip(0x40, "009000"))
        #expect(try chip(0x90) == block("chain-ack", "device"))
        #expect(bus.write(try HexText.bytes(block("por-request", "host"))))
        #expect(bus.read(6) == nil)
    }

    @Test("what the chip tells of its interface is a setting")
    func parameters() throws {
        let other = NBTBlockFace(
            bench.chip,
            clock: bench.clock,
            parameters: BlockParameters(issuer: [1, 2, 3, 4], clockKilohertz: 400, waitMilliseconds: 300)
        )
        #expect(other.write(try HexText.bytes(host(0xC4))))
        let told = "0104010203040208" + "00190190000A0064" + "04012C00FE" + "00"
        #expect(other.read(28)?.hex == (try chip(0xE4, told)))
        #expect(other.read(1) == nil)
    }

    @Test("a read may stop anywhere, and goes on there")
    func pieces() throws {
        #expect(bus.write(try HexText.bytes(host(0x00, ChipBench.selectTag))))
        let pieces = (0..<8).compactMap { _ in bus.read(1) }.flatMap { $0 }
        #expect(pieces.hex == (try chip(0x00, "9000")))
        #expect(bus.read(1) == nil)
        // Beyond the end the bus reads FF.
        #expect(bus.write(try HexText.bytes(host(0x40, ChipBench.selectTag))))
        #expect(bus.read(10)?.suffix(2).hex == "FFFF")
    }

    @Test("a block with a wrong checksum is asked for again, and changes nothing")
    func wrongChecksum() throws {
        let block = try host(0x00, ChipBench.selectTag)
        #expect(try exchange(String(block.dropLast(2)) + "00") == chip(0x81))
        #expect(try exchange(block) == chip(0x00, "9000"))
    }

    @Test("the host may ask for the last block again")
    func repetition() throws {
        let answer = try exchange(host(0x00, ChipBench.selectTag))
        #expect(try exchange(host(0x81)) == answer)
        #expect(try exchange(host(0x82)) == answer)
        #expect(try exchange(host(0x80)) == answer)
        #expect(try exchange(host(0x40, "00A4000C02E1A1")) == chip(0x40, "9000"))
    }

    @Test("a number out of order, a wrong length and an unknown block are refused")
    func refusals() throws {
        #expect(try exchange(host(0x40, ChipBench.selectTag)) == chip(0x82))
        #expect(try exchange(host(0x05)) == chip(0x82))
        #expect(try exchange(host(0xC1)) == chip(0x82))
        #expect(try exchange(host(0xC1, "00")) == chip(0x82))
        #expect(try exchange("2100") == chip(0x82))
        let short = [0x21, 0x00, 0x00, 0x05, 0x00] as [UInt8]
        #expect(try exchange((short + BlockFrame.checksum(of: short[...])).hex) == chip(0x82))
        let foreign = [0x31, 0xC0, 0x00, 0x00] as [UInt8]
        #expect(try exchange((foreign + BlockFrame.checksum(of: foreign[...])).hex) == "none")
        #expect(try exchange(host(0x00, ChipBench.selectTag)) == chip(0x00, "9000"))
    }

    @Test("long commands come in parts, long answers go in parts")
    func chains() throws {
        #expect(try exchange(host(0xC1, "08")) == chip(0xE1, "08"))
        #expect(try exchange(host(0x20, "00A40400")) == chip(0x90))
        #expect(try exchange(host(0x60, "07D27600")) == chip(0x80))
        #expect(try exchange(host(0x00, "0085010100")) == chip(0x00, "9000"))
        #expect(try exchange(host(0x40, "00A4000C02E1AF00")) == chip(0x40, "9000"))
        let policy = AccessProfile.delivery.hex + "9000"
        var answer = try exchange(host(0x00, "00B000002A"))
        var text = ""
        var own: UInt8 = 0
        while true {
            let isLast = text.count + 16 >= policy.count
            let part = String(policy.dropFirst(text.count).prefix(16))
            #expect(answer == (try chip(own << 6 | (isLast ? 0 : 0x20), part)))
            text += part
            if isLast { break }
            // A repetition in the middle of a chain gives the same part.
            #expect(try exchange(host(0x82)) == answer)
            own ^= 1
            answer = try exchange(host(0x80 | own << 4))
        }
        #expect(text == policy)
    }

    @Test("RESYNCH sets the numbers back, ABORT ends a chain, RELEASE is granted")
    func supervision() throws {
        #expect(try exchange(host(0x00, ChipBench.selectTag)) == chip(0x00, "9000"))
        #expect(try exchange(host(0xC0)) == chip(0xE0))
        #expect(try exchange(host(0x00, "00A4000C02E1A1")) == chip(0x00, "9000"))
        #expect(try exchange(host(0x60, "00B0")) == chip(0x80))
        #expect(try exchange(host(0xC2)) == chip(0xE2))
        #expect(try exchange(host(0x00, "00B0000001")) == chip(0x40, "009000"))
        #expect(try exchange(host(0xC6)) == chip(0xE6))
        #expect(try exchange(host(0xC5)) == chip(0x92))
    }

    @Test("a reset forgets the selection and lets new settings count", arguments: [UInt8(0xCF), 0xD8])
    func resets(control: UInt8) throws {
        #expect(try exchange(host(0x00, ChipBench.selectConfigurator)) == chip(0x00, "9000"))
        #expect(try exchange(host(0x40, "2020000004C0300104")) == chip(0x40, "9000"))
        #expect(bus.write(try HexText.bytes(host(control))))
        #expect(!bus.write(try HexText.bytes(host(0xC0))))
        bench.clock.wait(.milliseconds(25))
        if control == 0xCF { #expect(readBlock() == (try chip(0xEF))) }
        #expect(try exchange(host(0x00, "38CA0000")) == chip(0x00, "00009000"))
    }

    @Test("a busy chip does not acknowledge, nor does one in a field or without power")
    func busy() throws {
        let slow = try ChipBench(["command-time": "5ms"])
        let bus = NBTBlockFace(slow.chip, clock: slow.clock)
        let block = try HexText.bytes(host(0x00, ChipBench.selectTag))
        #expect(bus.write(block))
        #expect(bus.read(6) == nil)
        #expect(!bus.write(block))
        slow.clock.wait(.milliseconds(5))
        #expect(bus.read(8)?.hex == (try chip(0x00, "9000")))
        slow.chip.nfc.powerOn()
        #expect(!bus.write(block))
        slow.chip.nfc.powerOff()
        slow.chip.i2c.powerOff()
        #expect(!bus.write(block))
    }

    @Test("a chip asks for more time as often as it is told to, then answers")
    func waitingTime() throws {
        let slow = try ChipBench(["command-time": "9ms", "write-byte-time": "0ms", "i2c-wtx": "2"])
        let bus = NBTBlockFace(slow.chip, clock: slow.clock)
        func send(_ block: String) throws -> String? {
            guard bus.write(try HexText.bytes(block)), bus.read(1) == nil else { return "early" }
            slow.clock.wait(.milliseconds(3))
            return bus.read(7)?.hex
        }
        let request = try chip(0xC3, "01")
        let answer = String(try chip(0x00, "9000").prefix(14))
        let granted = try host(0xE3, "01")
        #expect(try send(host(0x00, ChipBench.selectTag)) == request)
        #expect(try send(granted) == request)
        #expect(try send(granted) == answer)
        // A grant of nothing that was asked for, and one of another size.
        #expect(bus.write(try HexText.bytes(granted)))
        #expect(bus.read(6)?.hex == (try chip(0x92)))
        #expect(try send(host(0x40, "00A4000C02E1A1")) == request)
        #expect(bus.write(try HexText.bytes(host(0xE3, "02"))))
        #expect(bus.read(6)?.hex == (try chip(0x82)))
        // A host that did not get the request has it again; one that begins anew has no answer to an old command.
        #expect(try send(granted) == request)
        #expect(bus.write(try HexText.bytes(host(0x91))))
        #expect(bus.read(7)?.hex == request)
        #expect(bus.write(try HexText.bytes(host(0xC0))))
        #expect(bus.read(6)?.hex == (try chip(0xE0)))
        #expect(bus.write(try HexText.bytes(granted)))
        #expect(bus.read(6)?.hex == (try chip(0x82)))
        #expect(try send(host(0x00, "00B0000001")) == request)
    }

    @Test("the pass-through works over blocks, field or not; the pin tells of answers by its function")
    func passThrough() throws {
        #expect(try exchange(host(0x00, ChipBench.selectTag)) == chip(0x00, "9000"))
        #expect(bus.write(try HexText.bytes(host(0x40, "00A4000C02E1A1"))))
        #expect(bench.chip.isInterruptRaised)
        _ = readBlock()
        #expect(!bench.chip.isInterruptRaised)
        try bench.configure("C0300104")
        bench.chip.nfc.powerOn()
        let answer = bench.chip.isPassThroughOpen
        #expect(!answer)
        #expect(try exchange(host(0xC0)) == chip(0xE0))
        #expect(try exchange(host(0x00, "38CA0000")) == chip(0x00, "002B9000"))
        #expect(try exchange(host(0x40, "38DA0000029000")) == chip(0x40, "6985"))
    }

    @Test("random blocks never harm the chip")
    func randomBlocks() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var block = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator), block.count >= 4 {
                block[0] = 0x21
                block[2] = 0
                block[3] = UInt8(block.count - 4)
                block += BlockFrame.checksum(of: block[...])
            }
            _ = bus.write(block)
            while let part = bus.read(32) { #expect(part.count == 32) }
            bench.clock.wait(.milliseconds(30))
        }
        #expect(try exchange(host(0xC0)) == chip(0xE0))
    }
}
