// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import NBTConstants
import SmartCard
import Testing

@testable import NBT

/// What comes from outside may be anything; it ends as an error or a value, never as a crash.
@Suite struct RandomInputTests {
    private static func samples(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let length = Int(generator.next() % 60)
            var bytes = generator.bytes(length)
            // Now and then what looks right at the start.
            let heads: [[UInt8]] = [
                [0x6F, 0x0F, 0xDF, 0x3B], [0xC0, 0x30, 0xFF], [0x52, 0x02], [0x30, 0x06], [],
            ]
            bytes = heads[Int(generator.next() % 5)] + bytes
            return bytes
        }
    }

    @Test func `Answers of any bytes are read or refused`() {
        var read = 0
        for data in Self.samples(3000, seed: 1) {
            if (try? NBTResponseParser.version(data)) != nil { read += 1 }
            if (try? NBTResponseParser.availableMemory(data)) != nil { read += 1 }
            if let table = try? NBTResponseParser.accessTable(data) { #expect(table.bytes == data) }
            if (try? NBTResponseParser.signature(data)) != nil { read += 1 }
            if let value = try? NBTResponseParser.configuration(data, of: .gpioFunction) {
                #expect(value.count < data.count)
            }
            if let request = try? NBTResponseParser.passThroughRequest(data) {
                #expect((request.command?.count ?? 0) == data.count - 2)
            }
            for presented in [[], [0x52], [0x54], [0x52, 0x54]] as [[UInt8]] {
                let outcomes = NBTResponseParser.passwordOutcomes(data, presented: presented)
                #expect(outcomes.count == presented.count)
            }
            #expect(COTTToken(bytes: data)?.bytes ?? data == data)
            _ = try? T1PrimeParameters(bytes: data)
            if let block = try? T1PrimeBlock(bytes: data) { #expect(block.bytes == data) }
        }
        #expect(read < 3000)
    }

    @Test func `A bus of noise is a fault, and ends`() throws {
        for seed: UInt64 in 0..<30 {
            let bus = NoisyBus(seed: seed)
            let clock = ModelClock()
            // Begin on a quiet line, then hear noise.
            let connection = try T1PrimeConnection(bus: bus, clock: clock, deadline: .seconds(2))
            bus.isNoisy = true
            #expect(throws: TransportFault.self) { try connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x01]) }
            #expect(clock.now < .seconds(60))
        }
    }
}

/// A bus that answers the start of the link, and later with anything.
private final class NoisyBus: I2CBus {
    var isNoisy = false
    private var generator: SeededGenerator
    private var ready: [UInt8] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool {
        guard !isNoisy else { return generator.next() % 4 != 0 }
        let isStart = bytes.starts(with: [0x21, 0xC4])
        let text =
            isStart ? "12E4001801031122330208001903E8000A00640403E800FE03AABBCC2BF1" : "12E000000FA8"
        ready = (try? HexText.bytes(text)) ?? []
        return true
    }

    func read(_ count: Int) throws(TransportFault) -> [UInt8]? {
        if isNoisy {
            guard generator.next() % 3 != 0 else { return nil }
            var bytes = generator.bytes(count)
            // Lengths that are small, or the noise would only ever be too long.
            if count == 6 { bytes[2...3] = [0x00, UInt8(generator.next() % 8)] }
            return bytes
        }
        guard ready.count >= count else { return nil }
        defer { ready.removeFirst(count) }
        return Array(ready.prefix(count))
    }
}
