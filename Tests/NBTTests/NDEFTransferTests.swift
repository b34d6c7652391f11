// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing
import Type4Tag

@testable import NBT

@Suite struct NDEFTransferTests {
    private static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    }

    /// The file as the tag holds it: length and message.
    private static func file(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }

    @Test func `Messages travel in the vendor's pieces`() throws {
        for item in try #require(try Fixture.json("ndef-transfers.json").array) {
            let id = try #require(item["id"]?.string)
            let message = Self.content(try #require(item["nlen"]?.integer))
            let peer = RecordingPeer(file: Self.file(message))
            let commands = NBTCommandSet(peer)
            if let frames = item["commands"]?.array {
                #expect(try commands.readNDEF() == message)
                #expect(peer.heard == frames.compactMap(\.string), "\(id)")
                continue
            }
            try commands.writeNDEF(message, order: .lengthFirst)
            let starts = try #require(item["first_bytes_of_commands"]?.array).compactMap(\.string)
            let lengths = try #require(item["command_lengths"]?.array).compactMap(\.integer)
            #expect(peer.heard.map { $0.count / 2 } == lengths, "\(id)")
            #expect(starts.count == lengths.count, "\(id)")
            for (heard, start) in zip(peer.heard, starts) { #expect(heard.hasPrefix(start), "\(id)") }
            #expect(Array(peer.file.prefix(message.count + 2)) == Self.file(message))
        }
    }

    @Test(arguments: [0, 1, 252, 253, 254, 255, 256, 257, 510, 4094])
    func `A message comes back whole, whatever its length`(count: Int) throws {
        let message = Self.content(count)
        let peer = RecordingPeer(file: [])
        let commands = NBTCommandSet(peer)
        for order in [NDEFWriteOrder.lengthLast, .lengthFirst] {
            try commands.writeNDEF(message, order: order)
            #expect(Array(peer.file.prefix(count + 2)) == Self.file(message))
            #expect(try commands.readNDEF() == message)
            #expect(try commands.readNDEF(largestRead: 255) == message)
        }
    }

    @Test(arguments: [(8, 4), (9, 5), (20, 18), (260, 257), (300, 100)])
    func `The limits of the reader are honoured`(largestCommand: Int, largestResponse: Int) throws {
        let message = Self.content(300)
        let peer = RecordingPeer(file: [])
        peer.facts.largestCommand = largestCommand
        peer.facts.largestResponse = largestResponse
        let commands = NBTCommandSet(peer)
        try commands.writeNDEF(message)
        #expect(try commands.readNDEF() == message)
        #expect(peer.heard.allSatisfy { $0.count / 2 <= peer.facts.largestCommand })
        #expect(peer.largestAnswer <= largestResponse)
    }

    @Test func `The length is zero while a message is written`() throws {
        let peer = RecordingPeer(file: Self.file(Self.content(9)))
        try NBTCommandSet(peer).writeNDEF(Self.content(300), password: [1, 2, 3, 4])
        let starts = [
            "00A4000C08E10454040102030400", "00D60000020000", "00D60002FF", "00D601012D", "00D6000002012C",
        ]
        #expect(peer.heard.count == starts.count)
        for (heard, start) in zip(peer.heard, starts) { #expect(heard.hasPrefix(start)) }
    }

    @Test func `What the file cannot hold is refused before anything is sent`() throws {
        let peer = RecordingPeer(file: [])
        let commands = NBTCommandSet(peer)
        #expect(throws: NBTError.argument("the NDEF file takes 4094 bytes, the message has 4095")) {
            try commands.writeNDEF(Self.content(4095))
        }
        #expect(throws: NBTError.self) { try commands.readNDEF(largestRead: 1) }
        #expect(peer.heard.allSatisfy { !$0.hasPrefix("00D6") })
    }

    @Test(arguments: [[0x0F, 0xFF], [0x00], [], [0x00, 0x05, 1, 2]] as [[UInt8]])
    func `A file whose length field cannot be true is an error`(file: [UInt8]) throws {
        let peer = RecordingPeer(file: file, isWhole: true)
        #expect(throws: NBTError.self) { try NBTCommandSet(peer).readNDEF() }
    }

    @Test func `What is no message is told as that`() throws {
        let peer = RecordingPeer(file: Self.file([0x00, 0x01, 0x02]))
        #expect(throws: NBTError.self) { try NBTCommandSet(peer).readMessage() }
        let text = try NDEFMessage([try .text("hello")])
        try NBTCommandSet(peer).write(text)
        #expect(try NBTCommandSet(peer).readMessage() == text)
    }
}

/// A tag of one file that keeps what it hears.
private final class RecordingPeer: Connection {
    var facts = ConnectionFacts(readerName: "tag", atr: [], protocolName: "T=1")
    var exchangeDeadline = Duration.seconds(1)
    private(set) var heard: [String] = []
    private(set) var file: [UInt8]
    private(set) var largestAnswer = 0

    /// A file that is filled up to 4096 bytes, unless it is whole as it is.
    init(file: [UInt8], isWhole: Bool = false) {
        self.file = isWhole ? file : file + [UInt8](repeating: 0, count: 4096 - file.count)
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        heard.append(command.hex)
        let answer = respond(command)
        largestAnswer = max(largestAnswer, answer.count)
        return answer
    }

    private func respond(_ command: [UInt8]) -> [UInt8] {
        guard let command = try? CommandAPDU(bytes: command) else { return [0x67, 0x00] }
        let offset = Int(command.p1) << 8 | Int(command.p2)
        switch command.ins {
        case 0xB0:
            guard offset <= file.count else { return [0x67, 0x00] }
            return file[offset..<min(file.count, offset + command.ne)] + [0x90, 0x00]
        case 0xD6:
            guard offset + command.nc <= file.count else { return [0x6A, 0x86] }
            file.replaceSubrange(offset..<offset + command.nc, with: command.data)
            return [0x90, 0x00]
        default: return [0x90, 0x00]
        }
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {}
    func setField(_ state: FieldState) throws(TransportFault) {}
    func reconnect() throws(TransportFault) {}
    func close() {}
}
