// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Command and response APDU")
struct CommandAPDUTests {
    private static func command(nc: Int, ne: Int, extended: Bool = false) throws -> CommandAPDU {
        let data = (0..<nc).map { UInt8(truncatingIfNeeded: $0) }
        return try CommandAPDU(
            cla: 0x00,
            ins: 0xCB,
            p1: 0x3F,
            p2: 0xFF,
            data: data,
            ne: ne,
            isExtended: extended
        )
    }

    @Test(
        "Nc and Ne at their edges give the case, the length and the same command back",
        arguments: [
            (0, 0, false, "1", 4), (0, 1, false, "2S", 5), (0, 255, false, "2S", 5), (0, 256, false, "2S", 5),
            (0, 257, false, "2E", 7), (0, 65_535, false, "2E", 7), (0, 65_536, false, "2E", 7),
            (1, 0, false, "3S", 6), (255, 0, false, "3S", 260), (256, 0, false, "3E", 263),
            (65_535, 0, false, "3E", 65_542), (1, 1, false, "4S", 7), (1, 256, false, "4S", 7),
            (255, 256, false, "4S", 261), (255, 257, false, "4E", 264), (256, 1, false, "4E", 265),
            (256, 256, false, "4E", 265), (65_535, 65_535, false, "4E", 65_544),
            (65_535, 65_536, false, "4E", 65_544),
            (1, 65_536, false, "4E", 10), (0, 0, true, "1", 4), (0, 1, true, "2E", 7),
            (0, 256, true, "2E", 7),
            (1, 0, true, "3E", 8), (1, 1, true, "4E", 10),
        ]
    )
    func edges(_ nc: Int, _ ne: Int, _ extended: Bool, _ form: String, _ length: Int) throws {
        let command = try Self.command(nc: nc, ne: ne, extended: extended)
        #expect(command.form.rawValue == form)
        #expect(command.bytes.count == length)
        #expect(command.nc == nc)
        let again = try CommandAPDU(bytes: command.bytes)
        #expect(again == command)
        #expect(again.bytes == command.bytes)
    }

    @Test("Le bytes are zero for the largest Ne")
    func largestLe() throws {
        #expect(try Self.command(nc: 0, ne: 256).bytes.hex == "00CB3FFF00")
        #expect(try Self.command(nc: 0, ne: 65_536).bytes.hex == "00CB3FFF000000")
        #expect(try Self.command(nc: 0, ne: 65_535).bytes.hex == "00CB3FFF00FFFF")
        #expect(try Self.command(nc: 1, ne: 65_536).bytes.hex == "00CB3FFF000001000000")
        #expect(try Self.command(nc: 1, ne: 256, extended: true).bytes.hex == "00CB3FFF000001000100")
    }

    @Test(
        "lengths out of range are refused",
        arguments: [(65_536, 0), (0, 65_537), (0, -1), (65_536, 65_537), (0, Int.max), (0, Int.min)]
    )
    func outOfRange(_ nc: Int, _ ne: Int) {
        #expect(throws: APDUError.self) { try Self.command(nc: nc, ne: ne) }
    }

    @Test(
        "bytes that are none of the seven cases are refused with the numbers",
        arguments: [
            ("", APDUError.headerTooShort(count: 0)), ("00A404", .headerTooShort(count: 3)),
            ("00A4040007D276", .lengthMismatch(nc: 7, present: 2)),
            ("00A4040001AA0000", .lengthMismatch(nc: 1, present: 3)),
            ("00A404000000", .lengthMismatch(nc: 0, present: 1)),
            ("00A40400000000AA", .lengthMismatch(nc: 0, present: 1)),
            ("00A40400000002AA", .lengthMismatch(nc: 2, present: 1)),
            ("00A40400000001AA00", .lengthMismatch(nc: 1, present: 2)),
            ("00A40400000001AA000000", .lengthMismatch(nc: 1, present: 4)),
        ]
    )
    func refusals(_ hex: String, _ expected: APDUError) throws {
        let bytes = try HexText.bytes(hex)
        #expect(throws: expected) { try CommandAPDU(bytes: bytes) }
        #expect(expected.description.contains(/[0-9]/))
    }

    @Test("every short text of bytes is refused or comes back as it was")
    func roundTrip() throws {
        var generator = SplitMix(state: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...16, using: &generator)
            // Small numbers make length fields that fit.
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...6, using: &generator) }
            guard let command = try? CommandAPDU(bytes: bytes) else { continue }
            #expect(command.bytes == bytes)
        }
    }

    @Test("a response needs its status word")
    func responses() throws {
        for bytes: [UInt8] in [[], [0x90]] {
            #expect(throws: APDUError.responseTooShort(count: bytes.count)) { try ResponseAPDU(bytes: bytes) }
        }
        let bytes: [UInt8] = [0x01, 0x6A, 0x82]
        let response = try ResponseAPDU(bytes: bytes)
        #expect(response.data == [0x01])
        #expect(response.sw.rawValue == 0x6A82)
        #expect(response.bytes == bytes)
        #expect(APDUError.responseTooShort(count: 1).description == "response too short (1 bytes)")
    }
}

/// A small generator, so that a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
