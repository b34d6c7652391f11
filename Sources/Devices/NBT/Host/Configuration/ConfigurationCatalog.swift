// SPDX-License-Identifier: MIT

public import NBTConstants
import SmartCard

/// The settings of the configurator with their words, sizes and known values.
public enum ConfigurationCatalog {
    /// A setting.
    public struct Entry: Sendable {
        /// The tag.
        public let tag: ConfigurationTag
        /// The word in scenarios.
        public let word: String
        /// Size of the value in bytes; nil when it is not published.
        public let size: Int?
        /// The values that are known, by their words; none when any bytes will do.
        public let values: [(word: String, bytes: [UInt8])]
        /// What it is, in a few words.
        public let summary: String
    }

    /// All settings, by tag.
    public static let all: [Entry] = [
        Entry(tag: .productShortName, word: "product-short-name", size: 16, values: [], summary: "name"),
        choice(LifeCycle.self, "life-cycle", "state of the chip's life"),
        Entry(tag: .softwareVersion, word: "software-version", size: 8, values: [], summary: "version"),
        Entry(tag: .flashLoader, word: "flash-loader", size: 2, values: [], summary: "read only here"),
        choice(GPIOFunction.self, "gpio-function", "what the GPIO pin does"),
        choice(GPIOActiveLevel.self, "gpio-active-level", "its active level"),
        choice(GPIOOutput.self, "gpio-output", "how it is driven"),
        choice(GPIOPull.self, "gpio-pull", "its resistor"),
        choice(NFCInterruptEvent.self, "nfc-interrupt-event", "what raises the NFC interrupt"),
        Entry(tag: .i2cIdleTimeout, word: "i2c-idle-timeout", size: 4, values: [], summary: "a number"),
        choice(I2CDrive.self, "i2c-drive", "how strongly I2C is driven"),
        choice(I2CSpeed.self, "i2c-speed", "speed of I2C"),
        Entry(tag: .atsConfiguration, word: "ats", size: 14, values: [], summary: "answer to select"),
        Entry(tag: .wtxMode, word: "wtx-mode", size: 1, values: [], summary: "waiting time extension"),
        Entry(tag: .rfHardware, word: "rf-hardware", size: 312, values: [], summary: "fits no short APDU"),
        choice(UIDKind.self, "uid-kind", "which UID the chip shows"),
        choice(Interfaces.self, "interfaces", "which interfaces work after a reset"),
        Entry(
            tag: .currentLimitEnable,
            word: "current-limit-enable",
            size: nil,
            values: [],
            summary: "form not published"
        ),
        Entry(
            tag: .currentLimitValue,
            word: "current-limit-value",
            size: nil,
            values: [],
            summary: "form not published"
        ),
    ]

    /// The entry of a word; nil when there is none.
    public static func entry(word: String) -> Entry? { all.first { $0.word == word } }

    /// The entry of a tag; nil when it is not known.
    public static func entry(of tag: ConfigurationTag) -> Entry? { all.first { $0.tag == tag } }

    private static func choice<Choice: ConfigurationChoice>(
        _ type: Choice.Type,
        _ word: String,
        _ summary: String
    ) -> Entry {
        let values = Choice.allCases.map { (word: $0.word, bytes: $0.bytes) }
        return Entry(
            tag: Choice.tag,
            word: word,
            size: values.first?.bytes.count,
            values: values,
            summary: summary
        )
    }
}

extension ConfigurationTag {
    /// The word and the tag, for example `gpio-function (C030)`.
    public var title: String {
        let tag = [UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hex
        return ConfigurationCatalog.entry(of: self).map { "\($0.word) (\(tag))" } ?? tag
    }
}
