// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardMemory {
    /// A card fresh from the factory, blank or personalized as the options ask for.
    static func initial(_ settings: CardSettings, _ random: inout CardRandom) throws(CryptographyError)
        -> CardMemory
    {
        let cardKey =
            settings.hasTestKeys
            ? [UInt8](repeating: 0x11, count: 32)
            : try PrivateKey.generate(.secp256k1, using: &random).scalar
        var memory = CardMemory(
            cardKey: cardKey,
            pin1: CodeDigest.defaultAccessCode,
            pin2: CodeDigest.defaultPasscode
        )
        guard settings.start != .blank else { return memory }
        memory.pin1 = settings.accessCode
        memory.pin2 = settings.passcode
        let identity = try CardIdentity.initial(settings)
        memory.identity = identity
        memory.slots = [WalletSlot](repeating: WalletSlot(), count: identity.walletsCount)
        if settings.start == .loaded {
            let key =
                settings.hasTestKeys
                ? try WalletKey.test(identity.curve, settings.profile)
                : try WalletKey.generate(identity.curve, settings.profile, using: &random)
            memory.slots[0] = try WalletSlot(key: key, identity: identity, profile: settings.profile)
        }
        return memory
    }
}

extension WalletSlot {
    /// A slot with a new key, under the settings of the card until a command gives it others.
    init(key: WalletKey, identity: CardIdentity, profile: CardProfile) throws(CryptographyError) {
        status = TangemWalletStatus.loaded
        self.key = key
        publicKey = try key.publicKey(isCompressed: profile.has(.multiWallet))
        remainingSignatures = identity.maxSignatures
        settings = identity.walletSettings
    }
}

extension CardIdentity {
    /// A development card: the issuer is the published one, the identifier is signed with the published key.
    static func initial(_ settings: CardSettings) throws(CryptographyError) -> CardIdentity {
        let manufacturer = try PrivateKey(
            bytes(of: TangemDevelopmentKeys.manufacturer.privateKey),
            curve: .secp256k1
        )
        var data = AnswerFields()
        data.add(.batchID, settings.batch)
        if settings.profile.has(.multiWallet) { data.add(.productMask, [TangemProduct.note.rawValue]) }
        data.add(.manufactureDate, [0x07, 0xE5, 3, 15])
        data.add(.issuerName, text: TangemDevelopmentKeys.issuerName)
        // Cards write this one without a NUL.
        data.add(.blockchainName, Array(settings.profile.blockchain.utf8))
        data.add(
            .cardIDManufacturerSignature,
            try ECDSA.sign(message: settings.cardID, with: manufacturer).raw(for: .secp256k1)
        )
        return CardIdentity(
            cardID: settings.cardID,
            cardData: data.bytes,
            curve: settings.curve,
            maxSignatures: settings.maxSignatures,
            signingMethods: settings.profile.has(.multiWallet) ? 0x81 : 0x00,
            settings: settings.mask,
            pause: settings.pause.hundredths,
            cvc: settings.cvc,
            ndef: settings.ndefMessage.isEmpty
                ? [] : settings.ndefMessage.count.bigEndian(2) + settings.ndefMessage,
            issuerKey: bytes(of: TangemDevelopmentKeys.issuerData.publicKey),
            walletsCount: settings.wallets
        )
    }

    private static func bytes(of hex: String) -> [UInt8] {
        do { return try HexText.bytes(hex) } catch { return [] }
    }
}

extension Duration {
    /// Hundredths of a second, rounded up.
    var hundredths: Int {
        let (seconds, attoseconds) = components
        let unit: Int64 = 10_000_000_000_000_000
        return Int(seconds) * 100 + Int((attoseconds + unit - 1) / unit)
    }
}
