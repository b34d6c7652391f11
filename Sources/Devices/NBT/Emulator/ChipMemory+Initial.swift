// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants

extension ChipMemory {
    /// What a chip keeps when it is new.
    init(_ settings: ChipSettings) throws(CryptographyError) {
        uid = settings.uid
        configuration = settings.configuration
        files = [:]
        for file in NBTFile.all {
            let fill = file == .ndef ? 0x00 : settings.userFileFill
            files[file] = [UInt8](repeating: fill, count: file.size ?? 0)
        }
        files[.accessPolicy] = settings.profile
        files[.capabilityContainer] = Self.container(settings)
        if settings.hasSigningKey { eccKey = DevelopmentIdentity.signingKey(seed: settings.seed) }
        if settings.hasTokenKey { cottKey = COTTLayout.developmentKey }
        let message = try Self.message(settings, key: eccKey)
        let content = [ChipState.high(message.count), ChipState.low(message.count)] + message
        files[.ndef]?.replaceSubrange(0..<content.count, with: content)
    }

    /// The message at the start: the given one, that of a brand-protected product, or none.
    private static func message(
        _ settings: ChipSettings,
        key: [UInt8]?
    ) throws(CryptographyError) -> [UInt8] {
        if let given = settings.ndefMessage { return given }
        guard settings.isBrandProtected else { return [] }
        return try DevelopmentIdentity.message(uid: settings.uid, key: key)
    }

    /// The capability container: head, NDEF entry, then one entry for each proprietary file.
    ///
    /// The entries of the proprietary files mirror the NFC rights of the policy, as the vendor's apps write them.
    private static func container(_ settings: ChipSettings) -> [UInt8] {
        let size = NBTFile.capabilityContainer.size ?? 0
        var bytes = [ChipState.high(size), ChipState.low(size), settings.containerVersion]
        bytes += [ChipState.high(settings.largestRead), ChipState.low(settings.largestRead)]
        bytes += [ChipState.high(settings.largestWrite), ChipState.low(settings.largestWrite)]
        bytes += entry(
            ContainerLayout.ndefEntryTag,
            .ndef,
            read: settings.messageRights[0],
            write: settings.messageRights[1]
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
        return [tag, ContainerLayout.entryLength] + file.idBytes
            + [ChipState.high(size), ChipState.low(size), read, write]
    }
}

extension ChipState {
    static func high(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value >> 8) }

    static func low(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
}
