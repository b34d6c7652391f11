// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import NBTEmulator
import SmartCard
import Testing
import Type4Tag

@testable import NBT

@Suite("NBT command set")
struct NBTCommandSetTests {
    private let chip: NBTChip
    private let connection: FaceConnection
    private let tag: NBTCommandSet

    init() throws {
        chip = try NBTChip(clock: ModelClock())
        connection = FaceConnection(chip.nfc)
        tag = NBTCommandSet(connection)
    }

    @Test("writes and reads the LED byte with the documented frames")
    func ledByte() throws {
        try tag.selectApplication()
        try tag.update(.file1, data: [0x01])
        #expect(try tag.read(.file1, length: 1) == [0x01])
        let wire = [
            "00A4040007D276000085010100", "00A4000C02E1A1", "00D600000101", "00A4000C02E1A1", "00B0000001",
        ]
        #expect(connection.wire == wire)
    }

    @Test("long data go in pieces and come back whole", arguments: [1, 255, 256, 257, 510, 511, 1024])
    func pieces(count: Int) throws {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        try tag.selectApplication()
        try tag.update(.file3, data: data)
        #expect(try tag.read(.file3, length: count) == data)
    }

    @Test("honours the limits of the reader")
    func readerLimits() throws {
        connection.facts.largestCommand = 37
        connection.facts.largestResponse = 18
        try tag.selectApplication()
        let data = [UInt8](0..<100)
        try tag.update(.file1, data: data)
        #expect(try tag.read(.file1, length: 100) == data)
        #expect(connection.wire.allSatisfy { $0.count <= 74 })
    }

    @Test("a read past the end gives what is there")
    func readAtEnd() throws {
        try tag.selectApplication()
        #expect(try tag.read(.file1, offset: 1020, length: 10).count == 4)
    }

    @Test("reads and changes the access policy, and only what differs")
    func accessPolicy() throws {
        try tag.selectApplication()
        let table = try tag.readAccessTable()
        #expect(table.bytes == AccessProfile.delivery)
        let wanted = try FileAccessTable(bytes: AccessProfile.asynchronousDataTransfer)
        #expect(try tag.apply(wanted).map(\.file) == [.ndef, .file1, .file2, .file3, .file4])
        #expect(try tag.readAccessTable() == wanted)
        #expect(try tag.apply(wanted).isEmpty)
        #expect(chip.contents(of: .accessPolicy) == AccessProfile.asynchronousDataTransfer)
    }

    @Test("an unexpected status word is told with its meaning")
    func unexpectedStatus() throws {
        try tag.selectApplication()
        try tag.apply(try FileAccessTable(bytes: AccessProfile.asynchronousDataTransfer))
        #expect {
            try tag.update(.file2, data: [1])
        } throws: { error in
            "\(error)"
                == "UPDATE BINARY was answered with 6982: the file may not be written here, or its password was not "
                + "presented"
        }
        let response = try tag.send(try NBTCommandBuilder.updateBinary(offset: 0, data: [1]))
        #expect(response.sw == NBTStatus.securityNotSatisfied)
    }

    @Test("a fault of the transport stays what it is")
    func transportFault() throws {
        try connection.setField(.off)
        #expect(throws: NBTError.transport(TransportFault(.cardMute, "the card does not answer"))) {
            try tag.selectApplication()
        }
    }

    @Test("reads version and memory")
    func objects() throws {
        try tag.selectApplication()
        #expect(try tag.version().description == "1.1.1")
        let memory = try tag.availableMemory()
        #expect(memory.persistent == 4096)
        #expect(memory.clearOnReset == 1024)
    }

    @Test("the generic Type 4 Tag reader works on the chip")
    func ndef() throws {
        let reader = Type4TagReader(connection)
        let container = try reader.detect(readsWholeContainer: true)
        #expect(container.files.count == 5)
        #expect(try reader.readMessage().isEmpty)
        for count in [255, 256, 300, 510, 4094] {
            let record = try NDEFRecord(
                format: .media,
                type: Array("a/b".utf8),
                payload: [UInt8](repeating: 7, count: count - 9)
            )
            let message = try NDEFMessage([record]).bytes
            try reader.writeMessage(message)
            #expect(try reader.readMessage() == message)
        }
    }

    @Test("a message torn by a lost field reads as empty", arguments: [0, 1, 100, 254])
    func tornMessage(afterBytes: Int) throws {
        let reader = Type4TagReader(connection)
        try reader.detect()
        try reader.writeMessage(try NDEFMessage([try .text("old")]).bytes)
        let long = try NDEFMessage([try .text(String(repeating: "n", count: 600))]).bytes
        var writes = 0
        let cut = CuttingConnection(connection) { command in
            guard command.starts(with: [0x00, 0xD6]) else { return }
            writes += 1
            if writes == 3 { chip.cutDuringNextWrite(afterBytes: afterBytes) }
        }
        let writer = Type4TagReader(cut)
        try writer.detect()
        #expect(throws: Type4TagError.transport(TransportFault(.cardRemoved, "the card left the reader"))) {
            try writer.writeMessage(long)
        }
        try connection.reconnect()
        try reader.detect()
        #expect(try reader.readMessage().isEmpty)
    }
}

/// Calls a function before each command of another connection.
private final class CuttingConnection: Connection {
    private let inner: any Connection
    private let before: ([UInt8]) -> Void

    init(_ inner: any Connection, before: @escaping ([UInt8]) -> Void) {
        self.inner = inner
        self.before = before
    }

    var facts: ConnectionFacts { inner.facts }
    var exchangeDeadline: Duration {
        get { inner.exchangeDeadline }
        set { inner.exchangeDeadline = newValue }
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        before(command)
        return try inner.transmit(command)
    }

    func reset(_ kind: ResetKind) throws(TransportFault) { try inner.reset(kind) }
    func setField(_ state: FieldState) throws(TransportFault) { try inner.setField(state) }
    func reconnect() throws(TransportFault) { try inner.reconnect() }
    func close() { inner.close() }
}
