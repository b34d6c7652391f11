// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Recorded exchanges")
struct ReplayTests {
    /// Replays exchanges; the chip has to answer each as recorded.
    private func replay(_ item: JSON, on bench: ChipBench, over face: ChipBench.Face) throws {
        for exchange in try #require(item["exchanges"]?.array) {
            let pair = try #require(exchange.array).compactMap(\.string)
            try #require(pair.count == 2)
            #expect(try bench.send(pair[0], over: face) == pair[1], "\(pair[0])")
        }
    }

    private func item(_ id: String, in file: String) throws -> JSON {
        try #require(try ChipBench.fixture(file).first { $0["id"]?.string == id })
    }

    @Test(
        "a real device's answers over I2C are the emulator's too",
        arguments: [
            ("mtb-adt-start", "adt", "00"), ("mtb-adt-led-off", "adt", "00"), ("mtb-adt-led-on", "adt", "01"),
            ("mtb-pt-start", "pass-through", "00"),
        ]
    )
    func deviceLogs(row: (id: String, state: String, byte: String)) throws {
        let bench = try ChipBench(["state": row.state, "user-file-fill": row.byte])
        try replay(try item(row.id, in: "device-logs.json"), on: bench, over: .i2c)
    }

    @Test(
        "the vendor's apps get over NFC what they expect",
        arguments: [
            ("read-device-state", "delivery"), ("personalize-adt", "delivery"),
            ("personalize-pass-through", "delivery"), ("personalize-pass-through", "adt"),
            ("reset-to-delivery", "adt"), ("adt-write-on", "adt"), ("adt-write-off", "adt"),
            ("adt-read", "adt"),
            ("adt-read-documented", "adt"),
        ]
    )
    func appTranscripts(row: (id: String, state: String)) throws {
        // Resetting needs the NDEF file open for writing, which the app itself sees to.
        let bench = try ChipBench(["state": row.state])
        try bench.open(.nfc)
        try replay(try item(row.id, in: "app-transcripts.json"), on: bench, over: .nfc)
    }

    @Test("personalization and reset lead to the profiles, container included")
    func personalization() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        let delivered = [
            bench.chip.contents(of: .accessPolicy), bench.chip.contents(of: .capabilityContainer),
        ]
        try replay(try item("personalize-adt", in: "app-transcripts.json"), on: bench, over: .nfc)
        let adt = try ChipBench(["state": "adt"])
        #expect(bench.chip.contents(of: .accessPolicy) == adt.chip.contents(of: .accessPolicy))
        #expect(bench.chip.contents(of: .capabilityContainer) == adt.chip.contents(of: .capabilityContainer))
        try replay(try item("reset-to-delivery", in: "app-transcripts.json"), on: bench, over: .nfc)
        let again = [bench.chip.contents(of: .accessPolicy), bench.chip.contents(of: .capabilityContainer)]
        #expect(again == delivered)
    }

    @Test("the vendor's way of reading a message works", arguments: ["read-n300", "read-n256", "read-n510"])
    func messageReads(id: String) throws {
        let item = try item(id, in: "ndef-transfers.json")
        let count = try #require(item["nlen"]?.integer)
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bench = try ChipBench(["ndef": message.hex])
        try bench.open(.nfc)
        var read = ""
        for command in (item["commands"]?.array ?? []).compactMap(\.string) {
            let answer = try bench.send(command, over: .nfc)
            #expect(answer.hasSuffix("9000"))
            read += answer.dropLast(4)
        }
        let field = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        #expect(read.prefix(2 * (count + 2)) == (field + message).hex[...])
    }
}
