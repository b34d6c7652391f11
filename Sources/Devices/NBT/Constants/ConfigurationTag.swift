// SPDX-License-Identifier: MIT

/// A setting of the configurator, by its two-byte tag.
///
/// Source: the vendor's public host libraries (MIT).
public struct ConfigurationTag: RawRepresentable, Hashable, Sendable {
    /// The tag.
    public let rawValue: UInt16

    /// Makes a setting from its tag.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Short name of the product, 16 bytes.
    public static let productShortName = ConfigurationTag(rawValue: 0xC020)
    /// Life cycle, 2 bytes: `5AA5` personalization, `C33C` operational.
    public static let lifeCycle = ConfigurationTag(rawValue: 0xC021)
    /// Software version, 8 bytes.
    public static let softwareVersion = ConfigurationTag(rawValue: 0xC022)
    /// Flash loader, 2 bytes; switching it off cannot be undone on a series part.
    public static let flashLoader = ConfigurationTag(rawValue: 0xC02F)
    /// Function of the GPIO pin: `01` off, `02` NFC interrupt, `03` I2C data ready, `04` pass-through interrupt.
    public static let gpioFunction = ConfigurationTag(rawValue: 0xC030)
    /// Active level of the GPIO pin: `01` low, `02` high.
    public static let gpioActiveLevel = ConfigurationTag(rawValue: 0xC031)
    /// Output kind of the GPIO pin: `01` push-pull, `02` open drain.
    public static let gpioOutput = ConfigurationTag(rawValue: 0xC032)
    /// Pull of the GPIO pin: `01` none, `02` up, `03` down.
    public static let gpioPull = ConfigurationTag(rawValue: 0xC033)
    /// Event of the NFC interrupt: `01` field, `02` layer 4 entry, `03` APDU processing.
    public static let nfcInterruptEvent = ConfigurationTag(rawValue: 0xC034)
    /// I2C idle timeout, 4 bytes.
    public static let i2cIdleTimeout = ConfigurationTag(rawValue: 0xC040)
    /// I2C drive strength: `01` weak, `02` strong.
    public static let i2cDrive = ConfigurationTag(rawValue: 0xC041)
    /// I2C speed: `01` 400 kHz, `02` 1000 kHz.
    public static let i2cSpeed = ConfigurationTag(rawValue: 0xC042)
    /// ATS configuration, 14 bytes.
    public static let atsConfiguration = ConfigurationTag(rawValue: 0xC050)
    /// Waiting time extension mode, 1 byte.
    public static let wtxMode = ConfigurationTag(rawValue: 0xC051)
    /// RF hardware, 312 bytes, which fit no short APDU.
    public static let rfHardware = ConfigurationTag(rawValue: 0xC052)
    /// Kind of UID: `00` fixed 7 bytes, `01` random 4 bytes.
    public static let uidKind = ConfigurationTag(rawValue: 0xC053)
    /// Interfaces that are on: `01` I2C only (locks NFC out), `10` NFC only, `11` both.
    public static let interfaces = ConfigurationTag(rawValue: 0xC060)
    /// Current limit, whether there is one; only the C library knows it.
    public static let currentLimitEnable = ConfigurationTag(rawValue: 0xC061)
    /// Current limit, its value; only the C library knows it.
    public static let currentLimitValue = ConfigurationTag(rawValue: 0xC062)
}
