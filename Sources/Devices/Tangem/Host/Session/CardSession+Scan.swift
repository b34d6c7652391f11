// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

extension CardSession {
    /// Proves what the configuration asks for, and derives its keys.
    ///
    /// - Returns: The card with its wallets and what was proven.
    /// - Throws: `cardVerificationFailed` when a signature is wrong.
    @discardableResult
    public func scan() throws(TangemError) -> CardRecord {
        if card == nil { try readAgain() }
        try checkCodesOfOldFirmware()
        if configuration.attestation != .none {
            checkManufacturer()
            try attestCard()
        }
        if configuration.attestation == .full {
            for wallet in try requiredCard().wallets { try attest(wallet) }
        }
        try deriveConfiguredKeys()
        let record = try requiredCard()
        delegate.handle(.attested(record.attestation))
        return record
    }

    /// The card proves that it owns its key.
    ///
    /// - Parameters:
    ///   - challenge: Bytes to sign; nil for 16 random ones.
    ///   - isFull: Whether the keys of the backup cards are asked for.
    /// - Returns: What the card signed.
    /// - Throws: `cardVerificationFailed` when the signature is wrong.
    @discardableResult
    public func attestCard(
        challenge: [UInt8]? = nil,
        isFull: Bool = false
    ) throws(TangemError) -> AttestCardKeyCommand.Answer {
        let command = AttestCardKeyCommand(challenge: try given(challenge), isFull: isFull)
        let answer = try run(command)
        guard answer.isValid(cardPublicKey: try requiredCard().publicKey) else {
            card?.attestation.cardKey = .failed
            throw TangemError(
                .cardVerificationFailed,
                "the signature is not that of the card's public key",
                command: command.name
            )
        }
        card?.attestation.cardKey = .verified
        return answer
    }

    /// A wallet proves that it owns its key.
    ///
    /// - Parameters:
    ///   - publicKey: The wallet.
    ///   - challenge: Bytes to sign; nil for 16 random ones.
    ///   - confirmation: How the card is asked to confirm the key.
    ///   - path: Path of a derived key.
    /// - Returns: How it ended.
    /// - Throws: `walletNotFound`, or `cardVerificationFailed` when a signature is wrong.
    @discardableResult
    public func attestWallet(
        publicKey: [UInt8],
        challenge: [UInt8]? = nil,
        confirmation: AttestWalletKeyCommand.Confirmation = .dynamic,
        path: DerivationPath? = nil
    ) throws(TangemError) -> CardAttestation.Outcome {
        try attest(
            requiredWallet(publicKey),
            challenge: challenge,
            confirmation: confirmation,
            path: path
        )
    }

    @discardableResult
    private func attest(
        _ wallet: WalletRecord,
        challenge: [UInt8]? = nil,
        confirmation: AttestWalletKeyCommand.Confirmation = .dynamic,
        path: DerivationPath? = nil
    ) throws(TangemError) -> CardAttestation.Outcome {
        let command = AttestWalletKeyCommand(
            challenge: try given(challenge),
            walletIndex: wallet.index,
            confirmation: confirmation,
            path: path
        )
        var key = wallet.publicKey
        if let path {
            if let known = knownKey(of: wallet, path) {
                key = known
            } else {
                key = try deriveKey(of: wallet, path).publicKey
            }
        }
        let answer = try run(command)
        let signature = answer.isValid(publicKey: key, curve: wallet.curve)
        let isConfirmed = answer.isConfirmed(
            walletPublicKey: wallet.publicKey,
            cardPublicKey: try requiredCard().publicKey
        )
        guard signature != false, isConfirmed != false else {
            card?.attestation.wallets[wallet.index] = .failed
            let whose = signature == false ? "the wallet in slot \(wallet.index)" : "the card"
            throw TangemError(
                .cardVerificationFailed,
                "the signature of \(whose) is wrong",
                command: command.name
            )
        }
        let count = max(answer.counter ?? 0, wallet.signedHashes ?? 0)
        let isConfirmedAsAsked = try hasConfirmed(confirmation, answer)
        let outcome: CardAttestation.Outcome =
            count > Self.suspiciousCount
            ? .warning
            : signature == nil || !isConfirmedAsAsked ? .unverifiable : .verified
        card?.attestation.wallets[wallet.index] = outcome
        return outcome
    }

    /// Whether the card confirmed the wallet's key as it was asked to.
    ///
    /// An answer without the card's own bytes may be one of long ago.
    private func hasConfirmed(
        _ confirmation: AttestWalletKeyCommand.Confirmation,
        _ answer: AttestWalletKeyCommand.Answer
    ) throws(TangemError) -> Bool {
        guard try requiredCard().has(.publicKeyChallenge) else { return true }
        return switch confirmation {
        case .omitted: true
        case .constant: answer.cardSignature != nil
        case .dynamic: answer.cardSignature != nil && answer.publicKeySalt != nil
        }
    }

    private func given(_ challenge: [UInt8]?) throws(TangemError) -> [UInt8] {
        if let challenge { return challenge }
        return try random(16)
    }

    /// Counters above this are suspicious: somebody may be at the wallet's key.
    private static var suspiciousCount: Int { 100_000 }

    private func checkManufacturer() {
        guard let card, let signature = card.production.manufacturerSignature else { return }
        let owner = ManufacturerKeys.owner(of: card.id, signature: signature)
        self.card?.attestation.manufacturer = owner == nil ? .failed : .verified
    }

    private func checkCodesOfOldFirmware() throws(TangemError) {
        guard configuration.checksUserCodes, configuration.attestation != .none, let record = card,
            record.isPasscodeDefault == nil,
            record.firmware > CardFirmware("1.19"), !record.has(.pin2IsDefault),
            passcode == .standard(.passcode)
        else { return }
        // The card is looked at during the command, so it is changed after it.
        let isDefault = try areCodesRight()
        card?.isPasscodeDefault = isDefault
    }

    /// Whether the codes in use are right, which the card tells only by a change to the same ones.
    ///
    /// - Returns: False when the card refuses them.
    /// - Throws: Anything but that refusal.
    public func areCodesRight() throws(TangemError) -> Bool {
        do {
            _ = try run(SetPINCommand(), asksForCodes: false)
            return true
        } catch {
            switch error.kind {
            case .invalidParams, .passcodeRequired, .accessCodeRequired: return false
            default: throw error
            }
        }
    }

    private func deriveConfiguredKeys() throws(TangemError) {
        let record = try requiredCard()
        guard record.has(.hdWallets), record.settings.contains(.allowHDWallets) else { return }
        for wallet in record.wallets where !wallet.curve.isBLS {
            for path in configuration.derivationPaths[wallet.curve] ?? [] {
                _ = try deriveKey(of: wallet, path)
            }
        }
    }

    // MARK: - Derived keys

    /// The key that the card derives from a wallet; where the host can follow the path, both must agree.
    ///
    /// - Parameters:
    ///   - walletPublicKey: The wallet.
    ///   - path: The path.
    /// - Returns: The derived key with its chain code.
    /// - Throws: `walletNotFound`, or `cardVerificationFailed` when card and host derive different keys.
    public func deriveKey(
        walletPublicKey: [UInt8],
        path: DerivationPath
    ) throws(TangemError) -> DerivedKey {
        try deriveKey(of: requiredWallet(walletPublicKey), path)
    }

    func deriveKey(of wallet: WalletRecord, _ path: DerivationPath) throws(TangemError) -> DerivedKey {
        let command = ReadWalletCommand(index: wallet.index, path: path)
        guard let answer = try run(command) else { throw TangemError(.walletNotFound, command: command.name) }
        let key = DerivedKey(publicKey: answer.publicKey, chainCode: answer.chainCode)
        if let expected = followed(wallet, path), !isSame(key, expected, wallet.curve) {
            throw TangemError(
                .cardVerificationFailed,
                "the card derives another key for \(path) than follows from its own",
                command: command.name
            )
        }
        if let place = card?.wallets.firstIndex(where: { $0.index == wallet.index }) {
            card?.wallets[place].derivedKeys[path] = key
        }
        return key
    }

    /// A key that is known without asking the card.
    func knownKey(of wallet: WalletRecord, _ path: DerivationPath) -> [UInt8]? {
        let current = card?.wallets.first { $0.index == wallet.index } ?? wallet
        return current.derivedKeys[path]?.publicKey ?? followed(wallet, path)?.publicKey
    }

    private func followed(_ wallet: WalletRecord, _ path: DerivationPath) -> DerivedKey? {
        guard !path.hasHardened, let chainCode = wallet.chainCode,
            wallet.curve == .secp256k1 || wallet.curve == .secp256r1
        else { return nil }
        let child = try? HostDerivation.child(
            of: wallet.publicKey,
            chainCode: chainCode,
            path: path,
            curve: wallet.curve == .secp256k1 ? .secp256k1 : .secp256r1
        )
        return child.map { DerivedKey(publicKey: $0.publicKey, chainCode: $0.chainCode) }
    }

    private func isSame(_ key: DerivedKey, _ expected: DerivedKey, _ curve: TangemCurve) -> Bool {
        var record = WalletRecord(publicKey: key.publicKey, curve: curve, index: 0, settings: nil)
        record.chainCode = key.chainCode
        return record.isSameKey(expected.publicKey)
            && (key.chainCode == nil || key.chainCode == expected.chainCode)
    }
}
