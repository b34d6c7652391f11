// SPDX-License-Identifier: MIT

import NBTConstants

/// Values of the configurator's settings.
///
/// Source: the vendor's public host libraries (MIT). The values of the interfaces and of the pin's function are those
/// that the vendor's app writes on a reset; no source tells the others that a chip starts with.
enum ConfiguratorValues {
    static let nfcBit: UInt8 = 0x10
    static let i2cBit: UInt8 = 0x01
    static let bothInterfaces: UInt8 = nfcBit | i2cBit

    static let nfcInterrupt: UInt8 = 0x02
    static let dataReady: UInt8 = 0x03
    static let passThroughInterrupt: UInt8 = 0x04
    static let fieldEvent: UInt8 = 0x01
    static let layer4Event: UInt8 = 0x02
    static let activeHigh: UInt8 = 0x02
    static let randomUID: UInt8 = 0x01
    static let flashLoaderOff: [UInt8] = [0xFF, 0xFF]

    /// What the configurator says when nothing was set.
    static func initial(hasECC: Bool) -> [ConfigurationTag: [UInt8]] {
        let name = Array((hasECC ? "NBT2000" : "NBT1000").utf8)
        return [
            .productShortName: name + [UInt8](repeating: 0x20, count: 16 - name.count),
            .lifeCycle: LifeCycleWord.personalization,
            .softwareVersion: [UInt8](repeating: 0x00, count: 8),
            .flashLoader: [0xAC, 0x95],
            .gpioFunction: [dataReady],
            .gpioActiveLevel: [0x01],
            .gpioOutput: [0x01],
            .gpioPull: [0x01],
            .nfcInterruptEvent: [fieldEvent],
            .i2cIdleTimeout: [0x00, 0x00, 0x00, 0x00],
            .i2cDrive: [0x01],
            .i2cSpeed: [0x02],
            .atsConfiguration: [UInt8](repeating: 0x00, count: 14),
            .wtxMode: [0x00],
            .rfHardware: [UInt8](repeating: 0x00, count: 312),
            .uidKind: [0x00],
            .interfaces: [bothInterfaces],
            .currentLimitEnable: [0x00],
            .currentLimitValue: [0x00],
        ]
    }

    /// Settings that nobody writes.
    static let fixed: Set<ConfigurationTag> = [.productShortName, .lifeCycle, .softwareVersion]

    /// Settings that take certain values only.
    static let allowed: [ConfigurationTag: [[UInt8]]] = [
        .lifeCycle: [LifeCycleWord.personalization, LifeCycleWord.operational],
        .flashLoader: [[0xAC, 0x95], flashLoaderOff],
        .gpioFunction: [[1], [2], [3], [4]],
        .gpioActiveLevel: [[1], [2]],
        .gpioOutput: [[1], [2]],
        .gpioPull: [[1], [2], [3]],
        .nfcInterruptEvent: [[1], [2], [3]],
        .i2cDrive: [[1], [2]],
        .i2cSpeed: [[1], [2]],
        .uidKind: [[0], [1]],
        .interfaces: [[i2cBit], [nfcBit], [bothInterfaces]],
    ]
}
