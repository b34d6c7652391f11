// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct T1PrimeBlockTests {
    private static func vector(_ id: String) throws -> JSON {
        let items = try #require(try Fixture.json("t1prime.json")["vectors"]?.array)
        return try #require(items.first { $0["id"]?.string == id })
    }

    @Test func `The checksum is the one of its check value`() throws {
        let check = try #require(try Fixture.json("t1prime.json")["check"])
        let data = try check.hex("data")
        #expect(T1PrimeChecksum.of(data) == 0x906E)
        #expect(check["crc"]?.string == "906E")
    }

    /// The host's blocks by their vector.
    static let blocks: [(String, T1PrimeBlock)] = [
        ("cip-request", T1PrimeBlock(.request(.interfaceParameters))),
        ("resynch-request", T1PrimeBlock(.request(.resynchronize))),
        ("por-request", T1PrimeBlock(.request(.powerOnReset))),
        ("swr-request", T1PrimeBlock(.request(.softwareReset))),
        ("ifs-request-254", T1PrimeBlock(.request(.informationSize), information: [0xFE])),
        (
            "select-application",
            T1PrimeBlock(
                .information(number: false, more: false),
                information: [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]
            )
        ),
        (
            "select-file1",
            T1PrimeBlock(
                .information(number: true, more: false),
                information: [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1, 0x00]
            )
        ),
        (
            "update-led-on",
            T1PrimeBlock(
                .information(number: false, more: false),
                information: [0x00, 0xD6, 0x00, 0x00, 0x01, 0x01]
            )
        ),
        (
            "read-1",
            T1PrimeBlock(
                .information(number: true, more: false),
                information: [0x00, 0xB0, 0x00, 0x00, 0x01]
            )
        ),
    ]

    @Test(arguments: blocks)
    func `The host's blocks are those of the vendor's library`(id: String, block: T1PrimeBlock) throws {
        #expect(try block.bytes == Self.vector(id).hex("host"))
        #expect(try T1PrimeBlock(bytes: block.bytes) == block)
    }

    @Test func `The device's blocks are read`() throws {
        func block(_ id: String) throws -> T1PrimeBlock {
            try T1PrimeBlock(bytes: try Self.vector(id).hex("device"))
        }
        #expect(try block("resynch-response").kind == .response(.resynchronize))
        #expect(try block("swr-response").kind == .response(.softwareReset))
        #expect(try block("ifs-response-254").information == [0xFE])
        #expect(try block("chain-ack").kind == .receiveReady(number: true, error: .none))
        #expect(try block("read-1").kind == .information(number: true, more: false))
        #expect(try block("read-1").information == [0x00, 0x90, 0x00])
        #expect(try block("select-application").nodeAddress == T1PrimeByte.chipToHost)
        for (id, isOdd) in [("select-application", false), ("select-file1", true), ("update-led-on", false)] {
            #expect(try block(id).kind == .information(number: isOdd, more: false), "\(id)")
            #expect(try block(id).information == [0x90, 0x00], "\(id)")
        }
        let items = try #require(try Fixture.json("t1prime.json")["vectors"]?.array)
        // Each block of the host has its place in the test above.
        let ofHost = items.filter { $0["host"] != nil }.compactMap { $0["id"]?.string }
        #expect(ofHost.sorted() == Self.blocks.map(\.0).sorted())
        #expect(items.count { $0["device"] != nil } == 9)
        for item in items where item["device"] != nil {
            let bytes = try item.hex("device")
            #expect(try T1PrimeBlock(bytes: bytes).bytes == bytes)
        }
    }

    @Test func `The interface parameters are read`() throws {
        let vector = try Self.vector("cip-response")
        let expect = try #require(vector["expect"])
        let block = try T1PrimeBlock(bytes: try vector.hex("device"))
        let parameters = try T1PrimeParameters(bytes: block.information)
        #expect(try parameters.issuer == expect.hex("iin"))
        #expect(try parameters.historicalBytes == expect.hex("historical"))
        let numbers = [
            Int(parameters.version), Int(parameters.configuration), parameters.powerWakeUpTime,
            parameters.clockFrequency, parameters.powerSavingTimeout, parameters.pollingPause,
            parameters.guardTime,
            parameters.blockWaitingTime, parameters.informationSize,
        ]
        let keys = [
            "version", "configuration", "pwt_ms", "mcf_khz", "pst_ms", "mpot_100us", "rwgt_us", "bwt_ms",
            "ifsc",
        ]
        #expect(numbers == keys.compactMap { expect[$0]?.integer })
        for count in 0..<block.information.count {
            #expect(throws: T1PrimeError.self) {
                try T1PrimeParameters(bytes: Array(block.information.prefix(count)))
            }
        }
        #expect(throws: T1PrimeError.self) { try T1PrimeParameters(bytes: block.information + [0]) }
    }

    @Test func `Broken blocks are told by what is broken`() throws {
        let right = T1PrimeBlock(.information(number: false, more: true), information: [1, 2, 3]).bytes
        #expect(throws: T1PrimeError.cut(count: 5)) { try T1PrimeBlock(bytes: Array(right.prefix(5))) }
        #expect(throws: T1PrimeError.wrongLength(announced: 3, present: 2)) {
            try T1PrimeBlock(bytes: Array(right.dropLast()))
        }
        for index in [0, 1, 4, 5, 6, 7, 8] {
            var bytes = right
            bytes[index] ^= 0x01
            #expect(throws: T1PrimeError.wrongChecksum) { try T1PrimeBlock(bytes: bytes) }
        }
        func block(_ head: [UInt8]) -> [UInt8] {
            let checksum = T1PrimeChecksum.of(head + [0, 0])
            return head + [0, 0, UInt8(checksum >> 8), UInt8(checksum & 0xFF)]
        }
        #expect(throws: T1PrimeError.wrongAddress(0x02)) { try T1PrimeBlock(bytes: block([0x02, 0x00])) }
        #expect(throws: T1PrimeError.wrongAddress(0x1F)) { try T1PrimeBlock(bytes: block([0x1F, 0x00])) }
        for control: UInt8 in [0x01, 0x10, 0x83, 0xA0, 0x84] {
            #expect(throws: T1PrimeError.wrongControl(control)) {
                try T1PrimeBlock(bytes: block([0x12, control]))
            }
        }
    }
}
