// SPDX-License-Identifier: MIT

import Testing

@testable import DevKit

@Suite struct BoardProfileTests {
    @Test(
        arguments: [
            ("P13.7", 0x4031_0680, 0x80), ("P1.5", 0x4031_0080, 0x20), ("P11.1", 0x4031_0580, 0x02),
            ("P1.1", 0x4031_0080, 0x02), ("P0.5", 0x4031_0000, 0x20), ("P7.3", 0x4031_0380, 0x08),
        ] as [(String, UInt32, UInt32)]
    )
    func `A pin has its output register and its bit`(text: String, address: UInt32, mask: UInt32) throws {
        let pin = try #require(GPIOPin(text))
        #expect(pin.output == address)
        #expect(pin.mask == mask)
        #expect(pin.description == text)
    }

    @Test func `The registers around the LED and the button are where the chip has them`() throws {
        let led = BoardProfile.prototypingBoard.led.pin
        #expect(led.outputClear == 0x4031_0684)
        #expect(led.outputSet == 0x4031_0688)
        #expect(led.configuration == 0x4031_06C4)
        #expect(led.blockSelect == 0x4030_00D4)
        #expect(led.driveMode(in: 0x6000_0000) == 6)
        #expect(led.driveMode(in: 0xE000_0000) == 6)
        #expect(led.block(in: 0x0B00_0000) == 0x0B)
        #expect(BoardProfile.prototypingBoard.button.interruptSet == 0x4031_0020)
        #expect(BoardProfile.prototypingBoard.button.mask == 0x10)
        #expect(try #require(GPIOPin("P13.3")).blockSelect == 0x4030_00D0)
    }

    @Test(arguments: ["", "P", "P13", "P13.", "P13.8", "P15.0", "13.7", "P-1.0", "P1.2.3", "P1.x"])
    func `What is no pin is refused`(text: String) {
        #expect(GPIOPin(text) == nil)
    }

    @Test func `Which level lights a LED is the board's to say`() throws {
        let pin = try #require(GPIOPin("P1.5"))
        #expect(BoardLED(pin: pin).state(output: 0) == .lit)
        #expect(BoardLED(pin: pin).state(output: 0x20) == .dark)
        #expect(BoardLED(pin: pin, isLitLow: false).state(output: 0x20) == .lit)
        // Other pins of the port do not count.
        #expect(BoardLED(pin: pin, isLitLow: false).state(output: 0xDF) == .dark)
    }

    @Test func `Boards and their LEDs are known by name`() {
        #expect(BoardProfile.named("cy8cproto-062s2-43439") == .prototypingBoard)
        #expect(BoardProfile.named("CY8CKIT-062S2-43012")?.led(named: "blue")?.pin == GPIOPin("P7.3"))
        #expect(BoardProfile.pioneerBoard.ledNames == ["user", "blue", "green", "led9", "red"])
        #expect(BoardProfile.named("nbt-kit") == .prototypingBoard)
        #expect(BoardProfile.named("board of mine") == nil)
        #expect(BoardProfile.prototypingBoard.led(named: "blue") == nil)
    }
}
