// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct T1PrimeEndlessTests {
    private static func block(_ kind: T1PrimeBlock.Kind, _ information: [UInt8] = []) -> [UInt8] {
        T1PrimeBlock(kind, information: information, nodeAddress: T1PrimeByte.chipToHost).bytes
    }

    private static let wishes: [(name: String, block: [UInt8])] = [
        ("more time", block(.request(.waitingTime), [0x02])),
        ("another size", block(.request(.informationSize), [0x10])),
    ]

    @Test(arguments: wishes)
    func `A chip that has wishes without end runs into the deadline`(_ wish: (name: String, block: [UInt8]))
        throws
    {
        let bus = EndlessBus(last: [wish.block])
        let connection = try T1PrimeConnection(bus: bus, clock: ModelClock(), deadline: .milliseconds(50))
        let fault = #expect(throws: TransportFault.self) {
            try connection.transmit([0x00, 0xB0, 0x00, 0x00])
        }
        #expect(fault?.kind == .timeout)
    }

    @Test(arguments: [ResetKind.warm, .cold])
    func `A chip that names a minute for a block and is silent still ends at the deadline`(_ kind: ResetKind)
        throws
    {
        let bus = SilentBus(blockWaitingTime: 60_000)
        let clock = ModelClock()
        let connection = try T1PrimeConnection(bus: bus, clock: clock, deadline: .milliseconds(50))
        let start = clock.now
        #expect(throws: TransportFault.self) { try connection.reset(kind) }
        #expect(clock.now - start < .milliseconds(200))
    }

    @Test func `An answer without an end is broken off`() throws {
        let part = [UInt8](repeating: 0x55, count: 254)
        let bus = EndlessBus(last: [
            Self.block(.information(number: false, more: true), part),
            Self.block(.information(number: true, more: true), part),
        ])
        let connection = try T1PrimeConnection(bus: bus, clock: ModelClock(), deadline: .seconds(30))
        let fault = #expect(throws: TransportFault.self) {
            try connection.transmit([0x00, 0xB0, 0x00, 0x00])
        }
        #expect(fault?.description.contains("65538 bytes") == true)
    }
}

/// A chip that opens the link and then says the same blocks in turn, for ever.
private final class EndlessBus: I2CBus {
    private static let start = [
        "12E4001801031122330208001903E8000A00640403E800FE03AABBCC2BF1", "12E000000FA8",
    ]
    /// A host that has not given up by then never does.
    private static let patience = 10_000

    private let last: [[UInt8]]
    private var output: ArraySlice<UInt8> = []
    private var count = 0

    init(last: [[UInt8]]) {
        self.last = last
    }

    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool {
        guard count < Self.patience else { throw TransportFault(.transport, "the host does not give up") }
        if count < Self.start.count {
            output = ((try? HexText.bytes(Self.start[count])) ?? [])[...]
        } else {
            output = last[count % last.count][...]
        }
        count += 1
        return true
    }

    func read(_ count: Int) throws(TransportFault) -> [UInt8]? {
        let part = Array(output.prefix(count))
        output = output.dropFirst(part.count)
        return part + [UInt8](repeating: 0xFF, count: count - part.count)
    }
}

/// A chip that opens the link with a block waiting time of its own choice, and acknowledges nothing after that.
private final class SilentBus: I2CBus {
    private var answers: [[UInt8]]
    private var output: ArraySlice<UInt8> = []

    init(blockWaitingTime: Int) {
        let time = [
            UInt8(truncatingIfNeeded: blockWaitingTime >> 8), UInt8(truncatingIfNeeded: blockWaitingTime),
        ]
        // Version, issuer, physical layer (I2C), data link layer, no historical bytes.
        let parameters: [UInt8] =
            [0x01, 0x03, 0x11, 0x22, 0x33, 0x02, 0x08, 0x00, 0x19, 0x03, 0xE8, 0x00, 0x0A, 0x00, 0x64, 0x04]
            + time + [0x00, 0xFE, 0x00]
        answers = [
            T1PrimeBlock(
                .response(.interfaceParameters),
                information: parameters,
                nodeAddress: T1PrimeByte.chipToHost
            ).bytes,
            T1PrimeBlock(.response(.resynchronize), nodeAddress: T1PrimeByte.chipToHost).bytes,
        ]
    }

    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool {
        guard !answers.isEmpty else { return false }
        output = answers.removeFirst()[...]
        return true
    }

    func read(_ count: Int) throws(TransportFault) -> [UInt8]? {
        guard output.count >= count else { return nil }
        defer { output = output.dropFirst(count) }
        return Array(output.prefix(count))
    }
}
