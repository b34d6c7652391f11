// SPDX-License-Identifier: MIT

import NBTConstants

extension ChipState {
    /// What the files hold when the chip starts.
    static func initialFiles(_ settings: ChipSettings) -> [NBTFile: [UInt8]] {
        var files: [NBTFile: [UInt8]] = [:]
        for file in NBTFile.all {
            let fill = file == .ndef ? 0x00 : settings.userFileFill
            files[file] = [UInt8](repeating: fill, count: file.size ?? 0)
        }
        files[.accessPolicy] = settings.profile
        files[.capabilityContainer] = container(settings)
        let message =
            [high(settings.ndefMessage.count), low(settings.ndefMessage.count)] + settings.ndefMessage
        files[.ndef]?.replaceSubrange(0..<message.count, with: message)
        return files
    }

    /// What the configurator says when nothing was set.
    ///
    /// The interface and GPIO values are those that the vendor's app writes on a reset; no source tells the rest.
    static let initialConfiguration: [ConfigurationTag: [UInt8]] = [
        .productShortName: Array("NBT2000".utf8) + [UInt8](repeating: 0x20, count: 9),
        .lifeCycle: [0x5A, 0xA5],
        .softwareVersion: [UInt8](repeating: 0x00, count: 8),
        .flashLoader: [0xAC, 0x95],
        .gpioFunction: [0x03],
        .gpioActiveLevel: [0x01],
        .gpioOutput: [0x01],
        .gpioPull: [0x01],
        .nfcInterruptEvent: [0x01],
        .i2cIdleTimeout: [0x00, 0x00, 0x00, 0x00],
        .i2cDrive: [0x01],
        .i2cSpeed: [0x02],
        .atsConfiguration: [UInt8](repeating: 0x00, count: 14),
        .wtxMode: [0x00],
        .uidKind: [0x00],
        .interfaces: [bothInterfaces],
    ]

    /// The capability container: head, NDEF entry, then one entry for each proprietary file.
    ///
    /// The entries of the proprietary files mirror the NFC rights of the policy, as the vendor's apps write them.
    private static func container(_ settings: ChipSettings) -> [UInt8] {
        let size = NBTFile.capabilityContainer.size ?? 0
        var bytes = [high(size), low(size), settings.containerVersion]
        bytes += [high(settings.largestRead), low(settings.largestRead)]
        bytes += [high(settings.largestWrite), low(settings.largestWrite)]
        bytes += entry(
            ContainerLayout.ndefEntryTag,
            .ndef,
            read: ContainerLayout.open,
            write: ContainerLayout.open
        )
        for file in [NBTFile.file1, .file2, .file3, .file4] {
            let rights = PolicyRecord(of: file, in: settings.profile)
            bytes += entry(
                ContainerLayout.proprietaryEntryTag,
                file,
                read: rights?.nfcRead == AccessByte.never ? ContainerLayout.closed : ContainerLayout.open,
                write: rights?.nfcWrite == AccessByte.never ? ContainerLayout.closed : ContainerLayout.open
            )
        }
        return bytes
    }

    private static func entry(_ tag: UInt8, _ file: NBTFile, read: UInt8, write: UInt8) -> [UInt8] {
        let size = file.size ?? 0
        return [tag, ContainerLayout.entryLength] + file.idBytes + [high(size), low(size), read, write]
    }

    static func high(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value >> 8) }

    static func low(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
}
