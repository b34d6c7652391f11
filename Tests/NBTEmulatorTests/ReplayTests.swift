// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Synchronization
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

    private func item(_ id: String, in file: String) throws -> JSON { try ChipBench.item(id, in: file) }

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

    @Test("a real device's pass-through log comes out byte for byte", arguments: ["on", "off"])
    func passThroughLog(word: String) throws {
        let bench = try ChipBench(["configuration": "C0300104"])
        let log = try #require(try item("mtb-pt-led-\(word)", in: "device-logs.json")["exchanges"]?.array)
        let expected = log.compactMap { $0.array?.last?.string }
        let seen = Mutex<[String]>([])
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            guard let chip else { return }
            let fetched = chip.i2c.respond(to: [0x38, 0xCA, 0x00, 0x00]).bytes.hex
            seen.withLock { $0.append(fetched) }
            _ = chip.i2c.respond(to: [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00])
        }
        // A phone looks for tags before it stays with one: the host has events of both kinds to tell.
        bench.chip.nfc.powerOn()
        bench.chip.nfc.powerOff()
        bench.chip.nfc.powerOn()
        // The app of that picture sends SELECT without Le.
        #expect(try bench.send("00A40400050102030405", over: .nfc) == "9000")
        #expect(try bench.send(word == "on" ? "00000001" : "00000000", over: .nfc) == "9000")
        #expect(seen.withLock { $0 } == expected)
        #expect(expected.count == 2)
    }

    @Test("the pass-through app gets what it expects")
    func passThroughApp() throws {
        let bench = try ChipBench(["configuration": "C0300104"])
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            _ = chip?.i2c.respond(to: [0x38, 0xCA, 0x00, 0x00])
            _ = chip?.i2c.respond(to: [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00])
        }
        bench.chip.nfc.powerOn()
        try replay(try item("pass-through-led", in: "app-transcripts.json"), on: bench, over: .nfc)
    }

    @Test("brand protection as the app personalizes it: key, message, policy")
    func brandProtection() throws {
        let bench = try ChipBench(["uid": "058C3FD9D4B200"])
        try bench.open(.nfc)
        try replay(
            try item("personalize-brand-protection", in: "app-transcripts.json"),
            on: bench,
            over: .nfc
        )
        let profile = try ChipBench(["state": "brand-protection"]).chip
        #expect(bench.chip.contents(of: .accessPolicy) == profile.contents(of: .accessPolicy))
        #expect(bench.chip.contents(of: .capabilityContainer) == profile.contents(of: .capabilityContainer))
        let message = try #require(
            try item("brand-protection-sample", in: "messages.json")["message"]?.string
        )
        let content = try #require(bench.chip.contents(of: .ndef))
        #expect(content.dropFirst(2).prefix(message.count / 2).hex == message)
        // The published certificate names this UID and has the key that the app wrote: all seven tests pass.
        bench.chip.nfc.powerOff()
        #expect(try bench.answers(to: [ChipBench.selectTag, "00BE007F"], over: .i2c) == ["9000", "7F9000"])
    }

    @Test(
        "the vendor's way of writing a message works",
        arguments: ["write-n253", "write-n254", "write-n510"]
    )
    func messageWrites(id: String) throws {
        let item = try item(id, in: "ndef-transfers.json")
        let count = try #require(item["nlen"]?.integer)
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var rest = ([UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + message)[...]
        let bench = try ChipBench()
        try bench.open(.nfc)
        let starts = (item["first_bytes_of_commands"]?.array ?? []).compactMap(\.string)
        let sizes = (item["command_lengths"]?.array ?? []).compactMap(\.integer)
        try #require(starts.count == sizes.count && starts.count > 1)
        #expect(try bench.send(starts[0], over: .nfc) == "9000")
        for (start, size) in zip(starts, sizes).dropFirst() {
            let header = try HexText.bytes(String(start.prefix(10)))
            let piece = rest.prefix(size - header.count)
            rest = rest.dropFirst(piece.count)
            let command = (header + piece).hex
            #expect(command.hasPrefix(start))
            #expect(try bench.send(command, over: .nfc) == "9000")
        }
        #expect(rest.isEmpty)
        #expect(bench.chip.contents(of: .ndef)?.dropFirst(2).prefix(count).elementsEqual(message) == true)
    }

    /// What a command of the libraries needs before it, and what comes of it; everything else ends with 9000 at once.
    private static let preparations: [String: (before: [String], answer: String)] = [
        "create-password-master-max": ([], "6A80"),
        "delete-password": (["00E1000009051122334412340003"], "9000"),
        "delete-password-master": (["00E1000009051122334412340003"], "9000"),
        "change-password": (["00E1000009051122334412340003"], "9000"),
        "change-password-master": (["00E1000009051122334412340003"], "9000"),
        "unblock-password": (["00E1000009051122334412340003"], "9000"),
        "unblock-password-master": (["00E1000009051122334412340003"], "9000"),
        "read-fap-42": (["00A4000C02E1AF00"], ""),
        "update-fap-file1": (["00A4000C02E1AF00"], "9000"),
        "update-fap-file1-password-1": (["00A4000C02E1AF00"], "9000"),
        "update-cc-offset-15": (
            ["00A4000C02E1AF00", "00D6000006E10340404040", "00A4000C02E103"], "9000"
        ),
        // Without the pin's function the class is unknown; the tests of the pass-through have the rest.
        "pass-through-fetch-data": ([], "6E00"),
        "pass-through-put-response-sw": ([], "6E00"),
        "pass-through-put-response-data": ([], "6E00"),
        "pt-demo-select-ios": ([], "6A82"),
        "pt-demo-led-on": ([], "6D00"),
        "pt-demo-led-off": ([], "6D00"),
    ]

    @Test(
        "each command of the vendor's libraries is understood",
        arguments: try ChipBench.fixture("host-commands.json")
    )
    func hostCommands(item: JSON) throws {
        let id = try #require(item["id"]?.string)
        let command = try #require(item["command"]?.string)
        let bench = try ChipBench()
        try bench.open(.i2c)
        let isForConfigurator = command.hasPrefix("20")
        #expect(try bench.send("00A4000C02E1A1", over: .i2c) == "9000")
        if isForConfigurator { #expect(try bench.send(ChipBench.selectConfigurator, over: .i2c) == "9000") }
        let preparation = Self.preparations[id]
        for earlier in preparation?.before ?? [] {
            #expect(try bench.send(earlier, over: .i2c) == "9000", "\(id)")
        }
        let expected = preparation?.answer ?? ""
        let answer = try bench.send(command, over: .i2c)
        #expect(expected.isEmpty ? answer.hasSuffix("9000") : answer == expected, "\(id): \(answer)")
    }
}
