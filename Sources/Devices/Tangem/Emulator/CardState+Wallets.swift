// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// The slot that a command names; cards with one slot do not look.
    func slotIndex(_ fields: CommandFields) throws(Stop) -> Int {
        guard has(.multiWallet) else { return 0 }
        if let index = try fields.number(.walletIndex) {
            guard index < memory.slots.count else { throw .refused(TangemStatus.walletNotFound) }
            return index
        }
        // Old hosts name a wallet by its key.
        let key = try fields.required(.walletPublicKey, count: 1...Int.max)
        guard let index = memory.slots.firstIndex(where: { $0.isLoaded && $0.publicKey == key }) else {
            throw .refused(TangemStatus.walletNotFound)
        }
        return index
    }

    /// The slot that a command names and its key, which has to be there.
    func loadedSlot(_ fields: CommandFields) throws(Stop) -> (index: Int, key: WalletKey) {
        let index = try slotIndex(fields)
        guard memory.slots.indices.contains(index), memory.slots[index].isLoaded,
            let key = memory.slots[index].key
        else {
            throw has(.multiWallet) ? .refused(TangemStatus.walletNotFound) : .state
        }
        return (index, key)
    }

    /// The key at the end of a command's path; the key itself where there is none.
    func derivedKey(_ key: WalletKey, _ fields: CommandFields) throws(Stop) -> WalletKey {
        guard let bytes = fields[.walletHDPath], has(.hdWallets) else { return key }
        let isAllowed = try identity().settings.contains(.allowHDWallets)
        guard isAllowed, !key.chainCode.isEmpty, bytes.count % 4 == 0, bytes.count <= Self.longestPath else {
            throw .parameters
        }
        let path = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        if key.curve == .ed25519SLIP0010, path.contains(where: { $0 < Self.hardened }) { throw .parameters }
        return try inside { try key.derived(path) }
    }

    /// A wallet as READ and CREATE_WALLET answer it.
    func walletRecord(_ index: Int, key: WalletKey? = nil) throws(Stop) -> AnswerFields {
        let slot = memory.slots[index]
        var fields = AnswerFields()
        fields.add(.status, [slot.status])
        guard slot.isLoaded, let own = slot.key else {
            fields.add(.walletIndex, number: index, count: 1)
            return fields
        }
        let shown = key ?? own
        fields.add(.walletPublicKey, key == nil ? slot.publicKey : try publicKey(shown))
        fields.add(.curve, text: own.curve.rawValue)
        fields.add(.walletIndex, number: index, count: 1)
        fields.add(.settingsMask, number: Int(rulingSettings(of: slot, try identity()).rawValue), count: 4)
        fields.add(.walletSignedHashes, number: slot.signedHashes, count: 4)
        let isHD = try identity().settings.contains(.allowHDWallets)
        if isHD, has(.hdWallets), !shown.chainCode.isEmpty { fields.add(.walletHDChain, shown.chainCode) }
        return fields
    }

    func publicKey(_ key: WalletKey) throws(Stop) -> [UInt8] {
        try inside { try key.publicKey(isCompressed: has(.multiWallet)) }
    }

    /// Whether a wallet's settings, or the card's where those rule, have a bit.
    func ruling(_ setting: TangemSettings, of slot: WalletSlot, _ identity: CardIdentity) -> Bool {
        rulingSettings(of: slot, identity).contains(setting)
    }

    /// The settings that rule a wallet, as its record tells them too.
    private func rulingSettings(of slot: WalletSlot, _ identity: CardIdentity) -> TangemSettings {
        guard !has(.multiWallet) || settings.ignoresWalletSettings else { return slot.settings }
        return identity.walletSettings
    }

    /// Indices of a path that one command takes, in bytes; the limit of a real card is not published.
    private static let longestPath = 4 * 20
    private static let hardened: UInt32 = 0x8000_0000
}
