// SPDX-License-Identifier: MIT

import Testing

@testable import DebugProbe

@Suite struct ProbeFramingTests {
    @Test func `OpenOCD's frame is little-endian, elaphureLink's big-endian`() {
        let packet = [UInt8](repeating: 0xAB, count: 0x123)
        #expect(
            ProbeFraming.openOCD.framed(packet)
                == [0x44, 0x41, 0x50, 0x00, 0x23, 0x01, 0x01, 0x00] + packet
        )
        #expect(ProbeFraming.elaphureLink.framed(packet) == [0x88, 0x01, 0x01, 0x23] + packet)
    }

    @Test func `The length of an answer stands in its head`() {
        #expect(ProbeFraming.openOCD.packetCount(head: [0x44, 0x41, 0x50, 0, 0x40, 0, 2, 0]) == 64)
        #expect(ProbeFraming.elaphureLink.packetCount(head: [0x88, 0x00, 0x01, 0x00]) == 256)
    }

    @Test(
        arguments: [
            [0x44, 0x41, 0x50, 0, 0x40, 0, 1, 0], [0x44, 0x41, 0x51, 0, 0x40, 0, 2, 0],
            [0x44, 0x41, 0x50, 0, 0, 0, 2, 0], [0x44, 0x41, 0x50, 0, 0xFF, 0xFF, 2, 0], [],
        ] as [[UInt8]]
    )
    func `What is no head of an answer gives no length`(head: [UInt8]) {
        #expect(ProbeFraming.openOCD.packetCount(head: head) == nil)
        #expect(ProbeFraming.elaphureLink.packetCount(head: head) == nil)
    }

    @Test func `elaphureLink's hello is checked in both turns`() {
        let framing = ProbeFraming.elaphureLink
        #expect(
            framing.hello.map(\.request) == [
                [0x8A, 0x65, 0x6C, 0x70, 0, 0, 0, 0, 0, 1, 0, 0], [0x88, 0x02, 0, 0],
            ]
        )
        #expect(
            framing.complaint(aboutHello: [0x8A, 0x65, 0x6C, 0x70, 0, 0, 0, 0, 0, 3, 0, 0], turn: 0) == nil
        )
        #expect(
            framing.complaint(aboutHello: [0x48, 0x54, 0x54, 0x50, 0, 0, 0, 0, 0, 0, 0, 0], turn: 0) != nil
        )
        #expect(framing.complaint(aboutHello: [0x88, 0, 0, 0], turn: 1) == nil)
        #expect(framing.complaint(aboutHello: [0x88, 1, 0, 0], turn: 1) != nil)
        #expect(ProbeFraming.openOCD.hello.isEmpty)
    }
}
