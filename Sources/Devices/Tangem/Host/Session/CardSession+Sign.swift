// SPDX-License-Identifier: MIT

import TangemConstants

/// Signatures of a wallet.
public struct SignResult: Hashable, Sendable {
    /// The card.
    public let cardID: CardID
    /// The key that signed; nil for a derived one that the card was not asked for, since checks are off.
    public let publicKey: [UInt8]?
    /// One signature a hash, in the order of the hashes.
    public let signatures: [[UInt8]]
    /// Hashes that the wallet has signed; nil when the card does not tell.
    public let totalSignedHashes: Int?
    /// Operations that may still be signed; nil from 4.0 on.
    public let remainingSignatures: Int?
    /// Whether all signatures are right; nil where the host knows no key or cannot check the curve.
    public let areVerified: Bool?
}

extension CardSession {
    /// Lets a wallet sign hashes of any sizes and number.
    ///
    /// - Parameters:
    ///   - hashes: At least one.
    ///   - walletPublicKey: The wallet.
    ///   - path: Path of a derived key.
    /// - Returns: The signatures.
    /// - Throws: `walletNotFound` before anything is sent, or what the card says.
    public func sign(
        hashes: [[UInt8]],
        walletPublicKey: [UInt8],
        path: DerivationPath? = nil
    ) throws(TangemError) -> SignResult {
        let wallet = try requiredWallet(walletPublicKey)
        let largest = configuration.isLegacyMode ? 2 : TangemLimits.hashesPerCommand
        let chunks = try HashChunks(hashes, largest: largest).chunks
        let key = try signingKey(of: wallet, path)
        var signatures = [[UInt8]](repeating: [], count: hashes.count)
        var last: SignCommand.Answer?
        var done = 0
        for (number, chunk) in chunks.enumerated() {
            if number > 0, configuration.refindsTagBetweenChunks, try !requiredCard().has(.keysImport) {
                try findTagAgain()
            }
            let answer = try run(
                SignCommand(
                    hashes: chunk.indices.map { hashes[$0] },
                    walletIndex: wallet.index,
                    path: path
                )
            )
            for (index, signature) in zip(chunk.indices, answer.signatures) {
                signatures[index] =
                    configuration.canonizesSignatures
                    ? try SignatureCheck.canonical(signature, curve: wallet.curve) : signature
            }
            note(answer, wallet.index)
            last = answer
            done += chunk.indices.count
            if chunks.count > 1 { delegate.handle(.progress(percent: done * 100 / hashes.count)) }
        }
        return SignResult(
            cardID: try requiredCard().id,
            publicKey: key,
            signatures: signatures,
            totalSignedHashes: last?.signedHashes,
            remainingSignatures: last?.remainingSignatures,
            areVerified: key.flatMap { verdict(signatures, hashes, $0, wallet.curve) }
        )
    }

    /// The key that will sign; without it nobody could tell whether the right one did.
    private func signingKey(of wallet: WalletRecord, _ path: DerivationPath?) throws(TangemError) -> [UInt8]?
    {
        guard let path else { return wallet.publicKey }
        if let known = knownKey(of: wallet, path) { return known }
        guard configuration.handlesErrors else { return nil }
        do throws(TangemError) {
            try requiredCard().requireDerivation(walletIndex: wallet.index, path: path)
        } catch {
            // It is the signature that was asked for, not the key.
            throw error.during("SIGN")
        }
        return try deriveKey(of: wallet, path).publicKey
    }

    private func note(_ answer: SignCommand.Answer, _ walletIndex: Int) {
        guard let place = card?.wallets.firstIndex(where: { $0.index == walletIndex }) else { return }
        if let count = answer.signedHashes { card?.wallets[place].signedHashes = count }
        if let count = answer.remainingSignatures { card?.wallets[place].remainingSignatures = count }
    }

    private func verdict(
        _ signatures: [[UInt8]],
        _ hashes: [[UInt8]],
        _ key: [UInt8],
        _ curve: TangemCurve
    ) -> Bool? {
        var all: Bool? = true
        for (signature, hash) in zip(signatures, hashes) {
            switch SignatureCheck.isValid(signature, hash: hash, key: key, curve: curve) {
            case true: break
            case false: return false
            case nil: all = nil
            }
        }
        return all
    }
}
