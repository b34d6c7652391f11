// SPDX-License-Identifier: MIT

import Cryptography
public import TangemConstants

/// SIGN: hashes of one size are signed by one wallet.
public struct SignCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// One signature a hash, in the order of the hashes.
        public let signatures: [[UInt8]]
        /// Operations that may still be signed; nil from 4.0 on.
        public let remainingSignatures: Int?
        /// Hashes that the wallet has signed; nil before 1.16.
        public let signedHashes: Int?
    }

    /// The hashes, all of one size.
    public let hashes: [[UInt8]]
    /// Slot of the wallet.
    public let walletIndex: Int
    /// Path of the derived key; nil for the wallet's own.
    public let path: DerivationPath?

    /// Makes the command.
    ///
    /// - Parameters:
    ///   - hashes: At least one, all of one size; for ed25519 the message itself, for BLS a point of 96 bytes.
    ///   - walletIndex: Slot of the wallet.
    ///   - path: Path of the derived key.
    /// - Throws: `emptyHashes` or `hashSizeMustBeEqual`.
    public init(
        hashes: [[UInt8]],
        walletIndex: Int,
        path: DerivationPath? = nil
    ) throws(TangemError) {
        guard let size = hashes.first?.count, size > 0 else { throw TangemError(.emptyHashes) }
        guard hashes.allSatisfy({ $0.count == size }) else {
            throw TangemError(.hashSizeMustBeEqual, "one SIGN takes hashes of one size")
        }
        guard size <= 0xFFFF else {
            throw TangemError(.dataSizeTooLarge, "a hash of \(size) bytes does not fit SIGN")
        }
        self.hashes = hashes
        self.walletIndex = walletIndex
        self.path = path
    }

    /// SIGN.
    public var instruction: TangemInstruction { .sign }
    /// True.
    public var needsPasscode: Bool { true }

    /// The card must sign hashes, and its firmware must get along with the security delay.
    public func check(_ card: CardRecord) throws(TangemError) {
        if path != nil { try card.requireDerivation(walletIndex: walletIndex, path: path) }
        if let methods = card.signingMethods, !methods.contains(.signHash) {
            throw TangemError(
                .signHashesNotAvailable,
                "it signs by \(methods.titles.joined(separator: ", "))"
            )
        }
        if !card.has(.longDelays), let delay = card.securityDelayMilliseconds, delay > 15_000 {
            throw TangemError(.oldCard, "firmware \(card.firmware) waits \(delay) ms, 15000 are the limit")
        }
        if let wallet = card.wallets.first(where: { $0.index == walletIndex }) {
            guard wallet.remainingSignatures != 0 else { throw TangemError(.noRemainingSignatures) }
        }
    }

    /// Codes, identifier, size and hashes, slot, and what the card may ask for beyond that.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .pin2, .cardID)
        let size = hashes.first?.count ?? 0
        try objects.add(.transactionOutHashSize, number: size, count: size > 0xFF ? 2 : 1)
        objects.add(.transactionOutHash, hashes.flatMap { $0 })
        try objects.add(.walletIndex, number: walletIndex, count: 1)
        objects.add(.cvc, context.cvc)
        if let key = context.terminalKey, Self.usesTerminal(context.card) {
            objects.add(
                .terminalTransactionSignature,
                try SignatureCheck.sign(SignedMessage.terminal(hashes), with: key)
            )
            objects.add(.terminalPublicKey, key.publicKey.uncompressed)
        }
        objects.add(.walletHDPath, path?.value)
        return objects
    }

    /// Signatures and counters.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        let all = try answer.objects.required(.walletSignature)
        guard !all.isEmpty, all.count % hashes.count == 0 else {
            throw TangemError(
                .deserializeApduFailed,
                "\(all.count) bytes are not \(hashes.count) signatures of equal length"
            )
        }
        let size = all.count / hashes.count
        return Answer(
            signatures: stride(from: 0, to: all.count, by: size).map { Array(all[$0..<$0 + size]) },
            remainingSignatures: try answer.objects.number(.walletRemainingSignatures),
            signedHashes: try answer.objects.number(.walletSignedHashes)
        )
    }

    /// An unknown status word means that something hangs.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        error.kind == .unknownStatus ? TangemError(.nfcStuck, sw: error.sw) : error
    }

    /// Whether a card takes the signature of a linked terminal.
    static func usesTerminal(_ card: CardRecord?) -> Bool {
        guard let card else { return false }
        return card.settings.contains(.skipDelayIfValidatedByLinkedTerminal) && card.has(.linkedTerminal)
            && !card.has(.hdWallets)
    }
}
