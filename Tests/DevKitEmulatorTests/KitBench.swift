// SPDX-License-Identifier: MIT

import CardConnection
import NBTEmulator
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

/// A chip, a kit and a clock, with a reader that is some lines of hex.
struct KitBench {
    let clock = ModelClock()
    let chip: NBTChip
    let kit: EmulatedKit

    init(chip chipOptions: [String: String] = [:], kit kitOptions: [String: String] = [:]) throws {
        let chip = try NBTChip(options: chipOptions, clock: clock)
        let kit = try EmulatedKit(i2c: chip.i2c, clock: clock, options: kitOptions)
        chip.onFieldChange { [weak kit] in kit?.settle() }
        chip.onHostInterrupt { [weak kit] in kit?.chipRaisedInterrupt() }
        self.chip = chip
        self.kit = kit
    }

    /// Sends a command over NFC and lets its time pass.
    @discardableResult
    func send(_ command: String) throws -> String {
        let answer = chip.nfc.respond(to: try HexText.bytes(command))
        clock.wait(answer.time)
        return answer.bytes.hex
    }

    /// Switches the field on and selects the application.
    func fieldOn() throws {
        chip.nfc.powerOn()
        #expect(try send("00A4040007D276000085010100") == "9000")
    }

    func fieldOff() { chip.nfc.powerOff() }

    /// Selects a file and writes its first byte.
    func write(_ byte: String, to file: String) throws -> String {
        #expect(try send("00A4000C02\(file)") == "9000")
        return try send("00D6000001\(byte)")
    }

    /// Selects a file and reads its first byte.
    func read(_ file: String) throws -> String {
        #expect(try send("00A4000C02\(file)") == "9000")
        return try send("00B0000001")
    }

    /// Reads a file until it begins with a byte, for at most two seconds; gives the number of reads.
    func poll(_ file: String, until byte: String) throws -> (found: Bool, reads: Int) {
        #expect(try send("00A4000C02\(file)") == "9000")
        let end = clock.now + .seconds(2)
        var reads = 0
        while clock.now < end {
            reads += 1
            if try send("00B0000001") == "\(byte)9000" { return (true, reads) }
            clock.wait(.milliseconds(100))
        }
        return (false, reads)
    }
}
