// SPDX-License-Identifier: MIT

import CardConnection
import Testing

@testable import DevKit

/// What the firmware's log tells: the LED, and the exchanges over I2C.
@Suite struct KitLogTests {
    private func lines(_ texts: String...) -> [UARTLine] {
        texts.enumerated().map { UARTLine(time: .milliseconds($0.offset), line: $0.element) }
    }

    @Test func `The last word of the log on the LED counts`() {
        #expect(LEDWitness.log([]) == nil)
        #expect(LEDWitness.log(lines("[NBT example] [INFO   ] LED turned ON")) == .lit)
        #expect(
            LEDWitness.log(
                lines(
                    "[NBT example] [INFO   ] LED turned ON",
                    "[NBT example] [INFO   ] LED turned OFF",
                    "[x] [y] z"
                )
            ) == .dark
        )
        #expect(LEDWitness.log(lines("[other] [INFO   ] LED turned ON")) == nil)
        // The example for pass-through has other words.
        let switched = lines(
            "[NBT example] [DEBUG  ] Turning on LED",
            "[NBT example] [DEBUG  ] Turning off LED"
        )
        #expect(LEDWitness.log(switched) == .dark)
        #expect(LEDWitness.log(Array(switched.prefix(1))) == .lit)
    }

    @Test func `FILE_2 says lit by 01 and dark by 00, and nothing by anything else`() {
        #expect(LEDWitness.file([0x01]) == .lit)
        #expect(LEDWitness.file([0x00]) == .dark)
        #expect(LEDWitness.file([0x02]) == nil)
        #expect(LEDWitness.file([]) == nil)
    }

    @Test(
        arguments: [
            (
                LEDState.lit, LEDState.lit, LEDState.lit,
                "the probe, the log and FILE_2 agree that the LED is lit"
            ),
            (.lit, .lit, .dark, "FILE_2 says dark, while the probe and the log say that the LED is lit"),
            (.dark, .lit, .lit, "the probe says dark, while the log and FILE_2 say that the LED is lit"),
            (
                .dark, .lit, .dark,
                "the probe says dark and FILE_2 says dark, while the log says that the LED is lit"
            ),
            (
                .dark, .dark, .dark,
                "the probe says dark and the log says dark and FILE_2 says dark, expected lit"
            ),
            (
                nil, .lit, .lit,
                "the probe says neither lit nor dark, while the log and FILE_2 say that the LED is lit"
            ),
        ] as [(LEDState?, LEDState?, LEDState?, String)]
    )
    func `The sentence names the witness that disagrees`(
        probe: LEDState?,
        log: LEDState?,
        file: LEDState?,
        sentence: String
    ) {
        let witnesses = [
            LEDWitness("the probe", probe), LEDWitness("the log", log), LEDWitness("FILE_2", file),
        ]
        #expect(LEDWitness.sentence(witnesses, wanted: .lit) == sentence)
    }

    @Test func `Lines with commands and answers become exchanges`() {
        var reader = UARTExchangeReader()
        let found = lines(
            "[APDU-PROTOCOL] [DEBUG  ] << 90 00",
            "[APDU-PROTOCOL] [DEBUG  ] >> 00 a4 04 00 07 d2 76 00 00 85 01 01 00",
            "[NBT example] [INFO   ] in between",
            "[APDU-PROTOCOL] [DEBUG  ] << 90 00",
            "[APDU-PROTOCOL] [DEBUG  ] >> 00 b0 00 00 01",
            "[APDU-PROTOCOL] [DEBUG  ] >> 00 b0 00 00 xx",
            "[APDU-PROTOCOL] [DEBUG  ] >> 00 b0 00 00 02"
        ).compactMap { reader.add($0) }
        #expect(found.count == 2)
        #expect(found.first?.command == [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0])
        #expect(found.first?.response == [0x90, 0x00])
        #expect(found.first?.time == .milliseconds(1))
        #expect(found.first?.end == .milliseconds(3))
        #expect(found.last?.command == [0x00, 0xB0, 0x00, 0x00, 0x01])
        #expect(found.last?.response == nil)
        #expect(reader.end()?.command.last == 0x02)
        #expect(reader.end() == nil)
    }

    @Test func `Bytes become lines, each with the time of its first byte`() {
        let log = UARTLog(path: "by hand", clock: ModelClock(), keeping: 1 << 20)
        log.take(Array("[NBT exam".utf8), at: .milliseconds(1))
        log.take(Array("ple] [INFO   ] LED turned ON\r\n\r\nhalf".utf8), at: .milliseconds(2))
        let lines = log.lines(since: 0)
        #expect(lines.map(\.line) == ["[NBT example] [INFO   ] LED turned ON", ""])
        #expect(lines.map(\.time) == [.milliseconds(1), .milliseconds(2)])
        log.take([0xFF, 0x0A], at: .milliseconds(3))
        #expect(log.lines(since: 2).map(\.line) == ["half\u{FFFD}"])
        #expect(log.lines(since: -4).count == 3)
        #expect(log.lines(since: 9).isEmpty)
    }

    @Test func `A line without an end is cut`() {
        let log = UARTLog(path: "by hand", clock: ModelClock(), keeping: 1 << 20)
        log.take([UInt8](repeating: 0x41, count: 10_000), at: .zero)
        #expect(log.lines(since: 0).map(\.text.count) == [4096, 4096])
    }

    @Test func `Old lines are dropped beyond a limit, and their places stay counted`() throws {
        let log = UARTLog(path: "by hand", clock: ModelClock(), keeping: 100_000)
        for number in 0..<5000 { log.take(Array("line \(number)\n".utf8), at: .zero) }
        let kept = log.lines(since: 0)
        #expect(log.lineCount == 5000)
        #expect((700...1500).contains(kept.count))
        #expect(kept.last?.line == "line 4999")
        #expect(log.lines(since: 4990).map(\.line) == (4990..<5000).map { "line \($0)" })
        #expect(log.lines(since: 5000).isEmpty)
        // Where the oldest that is wanted is gone, nobody can say that a line never came.
        try log.check(since: 5000 - kept.count)
        let fault = #expect(throws: TransportFault.self) { try log.check(since: 5000 - kept.count - 1) }
        #expect(fault?.kind == .probe)
        #expect(fault?.detail == "the kit's log is longer than what is kept of it (lines gone: 1)")
    }
}
