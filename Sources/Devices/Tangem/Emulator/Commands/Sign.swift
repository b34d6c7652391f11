// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// SIGN (FB): signatures of up to ten hashes of one size; each command pays its own delay.
    mutating func sign(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let hashes = try hashes(fields)
        let (index, base) = try loadedSlot(fields)
        guard Self.signsHashes(identity.signingMethods) else { throw .state }
        let key = try derivedKey(base, fields)
        guard hashes.allSatisfy({ key.takes(hashOf: $0.count) }) else { throw .parameters }
        if settings.takesDigestsOnly, key.curve.isECDSA, hashes[0].count != 32 { throw .parameters }
        guard has(.multiWallet) || memory.slots[index].remainingSignatures > 0 else { throw .state }
        let counters = try raisedCounters(memory.slots[index], by: hashes.count)
        try checkCVC(fields, identity)
        let terminal = try terminalKey(fields, identity, hashes)
        try checkPasscode(fields)
        if terminal == nil || terminal != memory.terminalKey { try serveSecurityDelayUnlessSmart() }

        let signatures = try inside {
            try hashes.flatMap { hash in
                let signature = try key.sign(hash)
                let isFlipped = settings.signsHighS && key.curve == .secp256k1
                return isFlipped ? CardSignatures.withOtherS(signature) : signature
            }
        }
        // A terminal is trusted from now on when the whole delay was waited for.
        if let terminal, call.paidSecurityDelay { memory.terminalKey = terminal }
        if !has(.multiWallet) { memory.slots[index].remainingSignatures -= 1 }
        memory.slots[index].signedHashes = counters.signedHashes
        memory.userCounter = counters.user
        memory.userProtectedCounter = counters.userProtected

        var reply = reply(identity)
        reply.fields.add(.walletSignature, signatures)
        if !has(.multiWallet) {
            let left = memory.slots[index].remainingSignatures
            reply.fields.add(.walletRemainingSignatures, number: left, count: 4)
        }
        reply.fields.add(.walletSignedHashes, number: memory.slots[index].signedHashes, count: 4)
        reply.time = settings.signTime * hashes.count
        return reply
    }

    /// The counters after a signature; what a real card does at the end of their range is not published.
    private func raisedCounters(
        _ slot: WalletSlot,
        by hashes: Int
    ) throws(Stop) -> (signedHashes: Int, user: Int, userProtected: Int) {
        let limit = Int(UInt32.max)
        let raised = (
            signedHashes: slot.signedHashes + hashes, user: memory.userCounter + 1,
            userProtected: memory.userProtectedCounter + 1
        )
        let isOver = max(raised.signedHashes, raised.user, raised.userProtected) > limit
        if isOver, settings.refusesOverflow { throw .state }
        return (min(raised.signedHashes, limit), min(raised.user, limit), min(raised.userProtected, limit))
    }

    private func hashes(_ fields: CommandFields) throws(Stop) -> [[UInt8]] {
        let size = try fields.requiredNumber(.transactionOutHashSize)
        let bytes = try fields.required(.transactionOutHash, count: 1...Int.max)
        guard size > 0, bytes.count % size == 0, bytes.count / size <= settings.hashLimit else {
            throw .parameters
        }
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    /// The key of a terminal that signed the hashes; nil when there is none or the card knows no terminals.
    private func terminalKey(
        _ fields: CommandFields,
        _ identity: CardIdentity,
        _ hashes: [[UInt8]]
    ) throws(Stop) -> [UInt8]? {
        guard has(.linkedTerminal), !has(.hdWallets),
            identity.settings.contains(.skipDelayIfValidatedByLinkedTerminal),
            let signature = fields[.terminalTransactionSignature], let key = fields[.terminalPublicKey]
        else { return nil }
        let message = hashes.flatMap { $0 }
        guard CardSignatures.verify(signature, message, key: key) else { throw .parameters }
        return key
    }

    /// Whether a byte of signing methods holds the one that signs hashes.
    private static func signsHashes(_ byte: UInt8) -> Bool {
        let methods = TangemSigningMethod(rawValue: byte)
        return methods.contains(.isMask) ? methods.contains(.signHash) : byte == 0
    }
}

extension TangemCurve {
    /// Whether wallets sign digests with ECDSA.
    var isECDSA: Bool { self == .secp256k1 || self == .secp256r1 }
}
