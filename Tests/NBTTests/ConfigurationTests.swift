// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct ConfigurationTests {
    @Test func `Every setting has a tag and a word of its own`() {
        let entries = ConfigurationCatalog.all
        #expect(entries.count == 19)
        #expect(Set(entries.map(\.tag)).count == 19)
        #expect(Set(entries.map(\.word)).count == 19)
        for entry in entries {
            #expect(Set(entry.values.map(\.word)).count == entry.values.count)
            #expect(entry.values.allSatisfy { $0.bytes.count == entry.size })
            #expect(ConfigurationCatalog.entry(word: entry.word)?.tag == entry.tag)
        }
        #expect(ConfigurationTag.gpioFunction.title == "gpio-function (C030)")
        #expect(ConfigurationTag(rawValue: 0x0001).title == "0001")
    }

    /// Values with known words, and their bytes.
    static let values: [(any ConfigurationChoice, String, String)] = [
        (LifeCycle.personalization, "2020000005C021025AA5", "personalization"),
        (LifeCycle.operational, "2020000005C02102C33C", "operational"),
        (GPIOFunction.off, "2020000004C0300101", "off"),
        (GPIOFunction.nfcInterrupt, "2020000004C0300102", "nfc-interrupt"),
        (GPIOFunction.i2cDataReady, "2020000004C0300103", "i2c-data-ready"),
        (GPIOFunction.passThroughInterrupt, "2020000004C0300104", "pass-through-interrupt"),
        (GPIOActiveLevel.high, "2020000004C0310102", "high"),
        (GPIOOutput.openDrain, "2020000004C0320102", "open-drain"),
        (GPIOPull.down, "2020000004C0330103", "down"),
        (NFCInterruptEvent.apdu, "2020000004C0340103", "apdu"),
        (I2CDrive.strong, "2020000004C0410102", "strong"),
        (I2CSpeed.kHz1000, "2020000004C0420102", "1000kHz"),
        (UIDKind.random, "2020000004C0530101", "random"),
        (Interfaces.i2cOnly, "2020000004C0600101", "i2c-only"),
        (Interfaces.nfcOnly, "2020000004C0600110", "nfc-only"),
        (Interfaces.both, "2020000004C0600111", "both"),
    ]

    @Test func `Typed values become the bytes of the vendor's table, and come back`() throws {
        for (choice, frame, word) in Self.values {
            try check(choice, frame, word)
        }
    }

    private func check<Choice: ConfigurationChoice>(_ choice: Choice, _ frame: String, _ word: String) throws
    {
        #expect(try NBTCommandBuilder.setConfiguration(choice).bytes.hex == frame)
        #expect(choice.word == word)
        #expect(Choice(word: word) == choice)
        #expect(Choice(bytes: choice.bytes) == choice)
        #expect(Choice(bytes: []) == nil)
        #expect(Choice(word: "no such word") == nil)
        let tag = frame.dropFirst(10).prefix(4)
        let peer = ScriptedPeer([("2030000002\(tag)", frame.dropFirst(10) + "9000")])
        #expect(try NBTCommandSet(peer).configuration(Choice.self) == choice)
    }

    @Test func `The flash loader is never written`() {
        let peer = ScriptedPeer([])
        #expect {
            try NBTCommandSet(peer).setConfiguration(.flashLoader, value: [0xFF, 0xFF])
        } throws: { error in
            (error as? NBTError)?.word == "refused"
                && "\(error)"
                    == "the flash loader is never written: on a series part it cannot be switched back, and the part is "
                    + "lost"
        }
        #expect(peer.heard.isEmpty)
    }

    @Test func `A value that is not known is an error of the typed reading alone`() throws {
        let answer = [("2030000002C030", "C03001099000")]
        #expect(throws: NBTError.self) {
            try NBTCommandSet(ScriptedPeer(answer)).configuration(GPIOFunction.self)
        }
        #expect(try NBTCommandSet(ScriptedPeer(answer)).configuration(.gpioFunction) == [0x09])
    }

    @Test func `The configurator is selected by its name`() throws {
        let peer = ScriptedPeer([
            ("00A404000DD276000004150200000B00010100", "9000"), ("2020000004C0300104", "9000"),
        ])
        let commands = NBTCommandSet(peer)
        try commands.selectConfigurator()
        try commands.setConfiguration(GPIOFunction.passThroughInterrupt)
        #expect(peer.isOver)
    }
}
