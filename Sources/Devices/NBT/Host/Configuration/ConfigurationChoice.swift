// SPDX-License-Identifier: MIT

public import NBTConstants

/// A setting of the configurator whose values are a closed list.
///
/// Source of all values: the vendor's public host libraries (MIT).
public protocol ConfigurationChoice: CaseIterable, Hashable, Sendable {
    /// The setting.
    static var tag: ConfigurationTag { get }
    /// The value's bytes.
    var bytes: [UInt8] { get }
    /// The value's word in scenarios.
    var word: String { get }
}

extension ConfigurationChoice where Self: RawRepresentable, RawValue == UInt8 {
    /// The value's byte.
    public var bytes: [UInt8] { [rawValue] }
}

extension ConfigurationChoice {
    /// Finds the value of some bytes; nil when there is none.
    public init?(bytes: [UInt8]) {
        guard let found = Self.allCases.first(where: { $0.bytes == bytes }) else { return nil }
        self = found
    }

    /// Finds the value of a word; nil when there is none.
    public init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// The state of the chip's life.
public enum LifeCycle: ConfigurationChoice {
    /// PERSONALIZE DATA works.
    case personalization
    /// PERSONALIZE DATA is over for good.
    case operational

    /// The setting.
    public static let tag = ConfigurationTag.lifeCycle
    /// The value's two bytes.
    public var bytes: [UInt8] {
        self == .personalization ? LifeCycleWord.personalization : LifeCycleWord.operational
    }
    /// The value's word in scenarios.
    public var word: String { self == .personalization ? "personalization" : "operational" }
}

/// What the GPIO pin does.
public enum GPIOFunction: UInt8, ConfigurationChoice {
    /// Nothing.
    case off = 0x01
    /// Interrupt of the NFC side.
    case nfcInterrupt = 0x02
    /// Data are ready on I2C.
    case i2cDataReady = 0x03
    /// Interrupt of the pass-through.
    case passThroughInterrupt = 0x04

    /// The setting.
    public static let tag = ConfigurationTag.gpioFunction
    /// The value's word in scenarios.
    public var word: String {
        switch self {
        case .off: "off"
        case .nfcInterrupt: "nfc-interrupt"
        case .i2cDataReady: "i2c-data-ready"
        case .passThroughInterrupt: "pass-through-interrupt"
        }
    }
}

/// Which level of the GPIO pin means active.
public enum GPIOActiveLevel: UInt8, ConfigurationChoice {
    /// Low.
    case low = 0x01
    /// High.
    case high = 0x02

    /// The setting.
    public static let tag = ConfigurationTag.gpioActiveLevel
    /// The value's word in scenarios.
    public var word: String { self == .low ? "low" : "high" }
}

/// How the GPIO pin is driven.
public enum GPIOOutput: UInt8, ConfigurationChoice {
    /// Push-pull.
    case pushPull = 0x01
    /// Open drain.
    case openDrain = 0x02

    /// The setting.
    public static let tag = ConfigurationTag.gpioOutput
    /// The value's word in scenarios.
    public var word: String { self == .pushPull ? "push-pull" : "open-drain" }
}

/// The resistor at the GPIO pin.
public enum GPIOPull: UInt8, ConfigurationChoice {
    /// None.
    case none = 0x01
    /// Pull-up.
    case up = 0x02
    /// Pull-down.
    case down = 0x03

    /// The setting.
    public static let tag = ConfigurationTag.gpioPull
    /// The value's word in scenarios.
    public var word: String {
        switch self {
        case .none: "none"
        case .up: "up"
        case .down: "down"
        }
    }
}

/// What raises the interrupt of the NFC side.
public enum NFCInterruptEvent: UInt8, ConfigurationChoice {
    /// A field.
    case field = 0x01
    /// Entry of layer 4.
    case layer4 = 0x02
    /// The processing of an APDU.
    case apdu = 0x03

    /// The setting.
    public static let tag = ConfigurationTag.nfcInterruptEvent
    /// The value's word in scenarios.
    public var word: String {
        switch self {
        case .field: "field"
        case .layer4: "layer4"
        case .apdu: "apdu"
        }
    }
}

/// How strongly the I2C lines are driven.
public enum I2CDrive: UInt8, ConfigurationChoice {
    /// Weak.
    case weak = 0x01
    /// Strong.
    case strong = 0x02

    /// The setting.
    public static let tag = ConfigurationTag.i2cDrive
    /// The value's word in scenarios.
    public var word: String { self == .weak ? "weak" : "strong" }
}

/// The speed of I2C.
public enum I2CSpeed: UInt8, ConfigurationChoice {
    /// 400 kHz.
    case kHz400 = 0x01
    /// 1000 kHz.
    case kHz1000 = 0x02

    /// The setting.
    public static let tag = ConfigurationTag.i2cSpeed
    /// The value's word in scenarios.
    public var word: String { self == .kHz400 ? "400kHz" : "1000kHz" }
}

/// Which UID the chip shows.
public enum UIDKind: UInt8, ConfigurationChoice {
    /// The chip's own, 7 bytes.
    case fixed = 0x00
    /// A random one of 4 bytes.
    case random = 0x01

    /// The setting.
    public static let tag = ConfigurationTag.uidKind
    /// The value's word in scenarios.
    public var word: String { self == .fixed ? "fixed" : "random" }
}

/// Which interfaces work after the next reset.
public enum Interfaces: UInt8, ConfigurationChoice {
    /// I2C alone. No phone and no reader reaches the chip any more.
    case i2cOnly = 0x01
    /// NFC alone. The micro-controller does not reach the chip any more.
    case nfcOnly = 0x10
    /// Both.
    case both = 0x11

    /// The setting.
    public static let tag = ConfigurationTag.interfaces
    /// The value's word in scenarios.
    public var word: String {
        switch self {
        case .i2cOnly: "i2c-only"
        case .nfcOnly: "nfc-only"
        case .both: "both"
        }
    }
}
