// SPDX-License-Identifier: MIT

import CardConnection
import DevKit

/// A model of the vendor's firmware example for asynchronous data transfer.
///
/// The firmware is a third party beside chip and host: its command bytes are written here, shared with neither.
/// Source: the example's public sources and the terminal pictures that it shows (mtb-example-optiga-nbt-adt).
struct TransferFirmware {
    /// The LED as the firmware commands it.
    private(set) var led = LEDState.dark
    /// What was sent over the UART.
    private(set) var lines: [UARTLine] = []

    private let chip: any Card
    private var now = Duration.zero

    init(chip: any Card) {
        self.chip = chip
    }

    /// Power-up: sets the access policy and the interfaces, resets the chip, then runs the loop body once.
    mutating func start(at time: Duration) {
        now = time
        led = .dark
        chip.powerOn()
        lines.append(
            UARTLine(
                time: now,
                source: "",
                level: "",
                text: "\u{1B}[2J\u{1B}[;HNBT: Asynchronous Data Transfer"
            )
        )
        guard personalize() else {
            log("WARNING", "NBT does not answer; remove the phone or reader and press the button")
            return
        }
        // The vendor's S(POR request): the chip starts anew.
        chip.powerOff()
        chip.powerOn()
        runLoopBody(at: time)
    }

    /// One round: FILE_1 decides on the LED, FILE_2 tells what was decided.
    mutating func runLoopBody(at time: Duration) {
        now = time
        guard isDone(exchange(Self.selectApplication)) else {
            log("WARNING", "NBT does not answer; remove the phone or reader and press the button")
            return
        }
        guard isDone(exchange([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1, 0x00])),
            let answer = exchange([0x00, 0xB0, 0x00, 0x00, 0x01]), isDone(answer), let wanted = answer.first,
            answer.count == 3
        else {
            log("ERROR", "FILE_1 cannot be read")
            return
        }
        // Exactly 01 lights the LED; any other value does not.
        led = wanted == 0x01 ? .lit : .dark
        log("INFO", led == .lit ? "LED turned ON" : "LED turned OFF")
        guard isDone(exchange([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA2, 0x00])),
            isDone(exchange([0x00, 0xD6, 0x00, 0x00, 0x01, led == .lit ? 0x01 : 0x00]))
        else {
            log("ERROR", "FILE_2 cannot be written")
            return
        }
    }

    /// Writes the policy records that differ, then switches both interfaces on and the interrupt pin off.
    private mutating func personalize() -> Bool {
        guard isDone(exchange(Self.selectApplication)),
            isDone(exchange([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xAF, 0x00])),
            let answer = exchange([0x00, 0xB0, 0x00, 0x00, 0x2A]), isDone(answer)
        else { return false }
        let current = Array(answer.dropLast(2))
        for (index, record) in Self.policy.enumerated() {
            let start = index * record.count
            let isSame = start + record.count <= current.count && current[start...].starts(with: record)
            if !isSame, !isDone(exchange([0x00, 0xD6, 0x00, 0x00, 0x06] + record)) { return false }
        }
        let configurator: [UInt8] = [
            0x00, 0xA4, 0x04, 0x00, 0x0D, 0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00,
            0x01,
            0x01, 0x00,
        ]
        return isDone(exchange(configurator))
            && isDone(exchange([0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x60, 0x01, 0x11]))
            && isDone(exchange([0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x30, 0x01, 0x01]))
    }

    /// Sends a command over I2C; nil when the chip does not answer.
    private mutating func exchange(_ command: [UInt8]) -> [UInt8]? {
        trace(">>", command)
        let answer = chip.respond(to: command)
        guard answer.ending == .answered, answer.bytes.count >= 2 else { return nil }
        trace("<<", answer.bytes)
        return answer.bytes
    }

    private func isDone(_ answer: [UInt8]?) -> Bool {
        answer?.suffix(2) == [0x90, 0x00]
    }

    private mutating func trace(_ direction: String, _ bytes: [UInt8]) {
        let text = bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        lines.append(
            UARTLine(time: now, source: "APDU-PROTOCOL", level: "DEBUG", text: "\(direction) \(text)")
        )
    }

    private mutating func log(_ level: String, _ text: String) {
        lines.append(UARTLine(time: now, source: "NBT example", level: level, text: text))
    }

    private static let selectApplication: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]

    /// What the example wants the access policy to be, in the order in which the chip returns it.
    private static let policy: [[UInt8]] = [
        [0xE1, 0x03, 0x40, 0x00, 0x40, 0x00],
        [0xE1, 0x04, 0x40, 0x40, 0x40, 0x00],
        [0xE1, 0xA1, 0x40, 0x00, 0x40, 0x40],
        [0xE1, 0xA2, 0x40, 0x40, 0x40, 0x00],
        [0xE1, 0xA3, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xA4, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xAF, 0x40, 0x40, 0x40, 0x40],
    ]
}
