// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import NBTConstants
import SmartCard
import Synchronization
import Testing

@testable import NBTEmulator

@Suite("Pass-through of the chip")
struct PassThroughTests {
    private static let fetch: [UInt8] = [0x38, 0xCA, 0x00, 0x00]

    private func bench(_ options: [String: String] = [:], rules: ChipRules = ChipRules()) throws -> ChipBench
    {
        try ChipBench(options.merging(["configuration": "C0300104"]) { given, _ in given }, rules: rules)
    }

    /// Lets a host answer each command with the same bytes, and keeps what it fetched.
    private func serve(_ bench: ChipBench, with answer: String) throws -> HostLog {
        let log = HostLog()
        let bytes = try HexText.bytes(answer)
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            guard let chip else { return }
            log.note(isPinActive: chip.isInterruptRaised, fetched: chip.i2c.respond(to: Self.fetch).bytes.hex)
            log.note(isPinActive: chip.isInterruptRaised, fetched: "")
            let put = [0x38, 0xDA, 0x00, 0x00, UInt8(bytes.count)] + bytes
            log.note(put: chip.i2c.respond(to: put).bytes.hex)
        }
        return log
    }

    /// What a host saw.
    private final class HostLog: Sendable {
        private struct Content {
            var fetched: [String] = []
            var puts: [String] = []
            var pin: [Bool] = []
        }

        private let content = Mutex(Content())

        func note(isPinActive: Bool, fetched: String) {
            content.withLock {
                $0.pin.append(isPinActive)
                if !fetched.isEmpty { $0.fetched.append(fetched) }
            }
        }

        func note(put: String) { content.withLock { $0.puts.append(put) } }

        var fetched: [String] { content.withLock { $0.fetched } }
        var puts: [String] { content.withLock { $0.puts } }
        var pin: [Bool] { content.withLock { $0.pin } }
    }

    @Test("a foreign application opens it, and each command goes to the host and back")
    func roundTrip() throws {
        let bench = try bench()
        let log = try serve(bench, with: "CAFE9000")
        bench.chip.nfc.powerOn()
        #expect(!bench.chip.isPassThroughOpen)
        try bench.run([("00A4040005010203040500", "CAFE9000")], over: .nfc)
        #expect(bench.chip.isPassThroughOpen)
        // Bytes that are no command of ISO 7816 are the host's as well.
        try bench.run(
            [("00B0000001", "CAFE9000"), ("00", "CAFE9000"), ("FFFFFFFFFFFFFF", "CAFE9000")],
            over: .nfc
        )
        #expect(
            log.fetched == [
                "002F00A40400050102030405009000", "000700B00000019000", "0007009000",
                "0007FFFFFFFFFFFFFF9000",
            ]
        )
        #expect(log.puts == ["9000", "9000", "9000", "9000"])
        // The interrupt is there for the fetch, and gone after it.
        #expect(log.pin == [true, false, true, false, true, false, true, false])
        #expect(!bench.chip.isInterruptRaised)
    }

    @Test("is closed while the pin has another function")
    func otherFunction() throws {
        let bench = try ChipBench()
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "6A82")], over: .nfc)
        bench.chip.nfc.powerOff()
        try bench.run([("38CA0000", "6E00")], over: .i2c)
        // The function counts after a reset.
        try bench.open(.i2c)
        try bench.run(
            [(ChipBench.selectConfigurator, "9000"), ("2020000004C0300104", "9000"), ("38CA0000", "6A00")],
            over: .i2c
        )
        bench.reset()
        try bench.run([("38CA0000", "00009000")], over: .i2c)
    }

    @Test("an own application ends it, unless the option says otherwise")
    func end() throws {
        let bench = try bench()
        _ = try serve(bench, with: "9000")
        bench.chip.nfc.powerOn()
        try bench.run(
            [
                ("00A404000501020304FF", "9000"), (ChipBench.selectTag, "9000"), ("00B0000001", "6986"),
                ("00A4040005010203040500", "9000"), ("00B0000001", "9000"),
            ],
            over: .nfc
        )
        bench.chip.nfc.powerOn()
        #expect(!bench.chip.isPassThroughOpen)
        try bench.run([("00B0000001", "6986")], over: .nfc)
        let kept = try self.bench(["pass-through-end": "field"])
        let log = try serve(kept, with: "6A82")
        kept.chip.nfc.powerOn()
        try kept.run(
            [
                (ChipBench.selectTag, "9000"), ("00A4040005010203040500", "6A82"),
                (ChipBench.selectTag, "6A82"),
            ],
            over: .nfc
        )
        #expect(log.fetched.count == 2)
    }

    @Test("an identifier of a wrong length opens nothing")
    func wrongIdentifier() throws {
        let bench = try bench()
        bench.chip.nfc.powerOn()
        try bench.run(
            [("00A40400040102030400", "6700"), ("00A40400", "6700"), ("00A4000C02E1A1", "6A82")],
            over: .nfc
        )
        #expect(!bench.chip.isPassThroughOpen)
    }

    @Test("status bits tell what happened since the last fetch")
    func statusBits() throws {
        let bench = try bench()
        try bench.run([("38CA0000", "00009000")], over: .i2c)
        bench.chip.nfc.powerOn()
        try bench.run(
            [("38CA0000", "002B9000"), ("38CA0000", "00039000"), ("38CA000000", "00039000")],
            over: .i2c
        )
        bench.chip.nfc.powerOff()
        try bench.run([("38CA0000", "00509000"), ("38CA0000", "00009000")], over: .i2c)
        bench.chip.nfc.powerOn()
        bench.chip.nfc.powerOff()
        bench.chip.nfc.powerOn()
        try bench.run([("38CA0000", "007B9000")], over: .i2c)
        // All else is silent in the field.
        try bench.run([(ChipBench.selectTag, "mute"), ("38CB0000", "6D00")], over: .i2c)
    }

    @Test(
        "FETCH DATA and PUT RESPONSE refuse what they cannot take",
        arguments: [
            ("38CA0001", "6A86"), ("38CA0100", "6A86"), ("38CA000001", "6700"), ("38CA000001AA", "6700"),
            ("38DA0000029000", "6985"), ("38DA0100029000", "6A86"), ("38DA00000190", "6700"),
            ("38DA0000", "6700"), ("38DA000003900000", "6985"), ("38DA0000039000", "6700"),
            ("38DA00FF029000", "6700"),
            ("38", "6700"), ("38CA", "6700"),
        ]
    )
    func refusals(row: (String, String)) throws {
        let bench = try bench()
        try bench.run([(row.0, row.1)], over: .i2c)
    }

    @Test("a response needs a fetched command, and only one fits")
    func order() throws {
        let bench = try bench(["put-without-fetch": "6986"])
        let answers = Mutex<[String]>([])
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            guard let chip else { return }
            let put: [UInt8] = [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00]
            for command in [put, Self.fetch, Self.fetch, put, put] {
                let answer = chip.i2c.respond(to: command).bytes.hex
                answers.withLock { $0.append(answer) }
            }
        }
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "9000")], over: .nfc)
        #expect(
            answers.withLock { $0 } == [
                "6986", "002F00A40400050102030405009000", "00039000", "9000", "6986",
            ]
        )
    }

    @Test("a host that does not answer leaves silence, or a status word by option")
    func timeout() throws {
        let bench = try bench(["pass-through-timeout": "700ms"])
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "mute")], over: .nfc)
        #expect(bench.clock.now == .milliseconds(700))
        // The command is taken back: a response that comes too late fits none.
        try bench.run([("38CA0000", "002B9000"), ("38DA0000029000", "6985")], over: .i2c)
        #expect(!bench.chip.isInterruptRaised)
        let told = try self.bench(["pass-through-timeout": "2s", "pass-through-unanswered": "6F00"])
        told.chip.nfc.powerOn()
        try told.run([("00A4040005010203040500", "6F00"), ("00000001", "6F00")], over: .nfc)
        #expect(told.clock.now == .seconds(4))
    }

    @Test("the host may take its time on the clock")
    func latency() throws {
        let bench = try bench()
        let clock = bench.clock
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            clock.wait(.milliseconds(40))
            _ = chip?.i2c.respond(to: Self.fetch)
            _ = chip?.i2c.respond(to: [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00])
        }
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "9000")], over: .nfc)
        #expect(clock.now == .milliseconds(40))
    }

    @Test("a host that loses its power, or a field that goes, ends the exchange")
    func powerLoss() throws {
        let bench = try bench(["pass-through-unanswered": "6F00"])
        bench.chip.onHostInterrupt { [weak chip = bench.chip] in
            _ = chip?.i2c.respond(to: Self.fetch)
            chip?.i2c.powerOff()
            chip?.i2c.powerOn()
            _ = chip?.i2c.respond(to: [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00])
        }
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "6F00")], over: .nfc)
        let gone = try self.bench()
        gone.chip.onHostInterrupt { [weak chip = gone.chip] in chip?.nfc.powerOff() }
        gone.chip.nfc.powerOn()
        try gone.run([("00A4040005010203040500", "mute")], over: .nfc)
        try gone.run([("38CA0000", "00789000")], over: .i2c)
    }

    @Test("random bytes on either side never harm an open pass-through")
    func randomBytes() throws {
        var generator = SystemRandomNumberGenerator()
        let bench = try bench(["pass-through-timeout": "1ms"])
        bench.chip.nfc.powerOn()
        try bench.run([("00A4040005010203040500", "mute")], over: .nfc)
        for _ in 0..<1000 {
            var bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = bench.chip.nfc.respond(to: bytes)
            if bytes.count > 1 {
                bytes[0] = 0x38
                bytes[1] = Bool.random(using: &generator) ? 0xCA : 0xDA
            }
            _ = bench.chip.i2c.respond(to: bytes)
        }
        try bench.run([(ChipBench.selectTag, "9000")], over: .nfc)
    }

    @Test("a host on another thread is waited for")
    func otherThread() async throws {
        let chip = try NBTChip(
            options: ["configuration": "C0300104", "pass-through-timeout": "2m"],
            clock: SystemClock()
        )
        chip.i2c.powerOn()
        chip.nfc.powerOn()
        // Both sides block, which no thread of the pool may do.
        async let put = Self.onThread {
            while true {
                guard chip.i2c.respond(to: Self.fetch).bytes.count > 4 else { continue }
                return chip.i2c.respond(to: [0x38, 0xDA, 0x00, 0x00, 0x02, 0x90, 0x00]).bytes.hex
            }
        }
        let answer = await Self.onThread {
            chip.nfc.respond(to: [0x00, 0xA4, 0x04, 0x00, 0x05, 1, 2, 3, 4, 5]).bytes.hex
        }
        #expect(answer == "9000")
        #expect(await put == "9000")
    }

    private static func onThread(_ body: @escaping @Sendable () -> String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
