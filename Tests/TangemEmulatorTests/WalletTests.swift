// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import TangemConstants
import TestSupport
import Testing

@testable import TangemEmulator

@Suite("Wallets of the emulated card")
struct WalletTests {
    private let hash = [UInt8](repeating: 0x5C, count: 32)

    @Test("create, sign, attest, purge, on every profile", arguments: TangemCard.profiles)
    func life(firmware: String) throws {
        let bench = try CardBench(firmware)
        let isOld = firmware < "4"
        #expect(bench.sign([hash]).sw == (isOld ? "6985" : "6A88"))
        let created = bench.createWallet()
        #expect(created.sw == "9000")
        #expect(bench.pauses.first == 1500)
        switch firmware {
        case "4.12r": #expect(created.tags == ["01", "65", "60"])
        case "4.45d", "6.33d": #expect(created.tags == ["01", "02", "60", "05", "65", "0A", "63", "6B"])
        default: #expect(created.tags == ["01", "02", "60"])
        }
        let key = try #require(created[.walletPublicKey])
        #expect(key.count == (isOld ? 65 : 33))
        #expect(bench.createWallet().sw == "6985")

        let signed = bench.sign([hash, [UInt8](repeating: 0x77, count: 32)])
        #expect(signed.tags == (isOld ? ["01", "61", "62", "63"] : ["01", "61", "63"]))
        let signatures = try #require(signed[.walletSignature])
        let publicKey = try PublicKey(key, curve: .secp256k1)
        #expect(signatures.count == 128)
        let first = Array(signatures.prefix(64))
        let parsed = try ECDSASignature(raw: first, curve: .secp256k1)
        #expect(try ECDSA.verify(parsed, digest: hash, key: publicKey))
        #expect(try OpenSSLCommand.verifies(first, digest: hash, key: publicKey))
        #expect(signed[.walletSignedHashes]?.number == 2)
        if isOld { #expect(signed[.walletRemainingSignatures]?.number == 999_999) }

        try attest(bench, publicKey, key)
        #expect(bench.purge().sw == "9000")
        #expect(bench.read()[.status] == [1])
        #expect(bench.purge().sw == (isOld ? "6985" : "6A88"))
        #expect(bench.createWallet().sw == "9000")
    }

    private func attest(_ bench: CardBench, _ publicKey: PublicKey, _ reported: [UInt8]) throws {
        let challenge = CardBench.challenge
        let items = bench.access + [(.challenge, challenge), (.walletIndex, [0])]
        let answer = bench.send(.attestWalletKey, items + [(.publicKeyChallenge, challenge)])
        let salt = try #require(answer[.salt])
        let signature = try #require(answer[.walletSignature])
        let digest = SHA256.digest(challenge + salt)
        #expect(try OpenSSLCommand.verifies(signature, digest: digest, key: publicKey))
        var message = reported + challenge + (try #require(answer[.publicKeySalt]))
        message += answer[.status] ?? []
        let cardKey = bench.card.cardPublicKey
        let cardSignature = try #require(answer[.cardSignature])
        #expect(CardSignatures.verify(cardSignature, message, key: cardKey))

        let fixed = bench.send(.attestWalletKey, items + [(.publicKeyChallenge, [])])
        #expect(fixed[.publicKeySalt] == nil)
        let fixedMessage = reported + (fixed[.status] ?? [])
        #expect(CardSignatures.verify(try #require(fixed[.cardSignature]), fixedMessage, key: cardKey))
        #expect(bench.send(.attestWalletKey, items)[.cardSignature] == nil)
        #expect(bench.send(.attestWalletKey, bench.access + [(.walletIndex, [0])]).sw == "6A86")
    }

    @Test("the card proves its key", arguments: TangemCard.profiles)
    func attestCard(firmware: String) throws {
        let bench = try CardBench(firmware)
        let answer = bench.send(.attestCardKey, bench.access + [(.challenge, CardBench.challenge)])
        #expect(answer.tags == ["01", "17", "04"])
        let digest = SHA256.digest(CardBench.challenge + (try #require(answer[.salt])))
        let key = try PublicKey(bench.card.cardPublicKey, curve: .secp256k1)
        let signature = try #require(answer[.cardSignature])
        #expect(try OpenSSLCommand.verifies(signature, digest: digest, key: key))
        #expect(bench.send(.attestCardKey, bench.access).sw == "6A86")
        let again = bench.send(.attestCardKey, bench.access + [(.challenge, CardBench.challenge)])
        #expect(again[.salt] != answer[.salt])
    }

    @Test(
        "every curve signs",
        arguments: ["secp256k1", "ed25519", "secp256r1", "bip0340", "ed25519_slip0010"]
    )
    func curves(curve: String) throws {
        let bench = try CardBench("6.33d", ["delay": "0s"])
        let created = bench.createWallet(curve, index: 2)
        #expect(created.sw == "9000")
        #expect(created[.curve] == Array(curve.utf8) + [0])
        let key = try #require(created[.walletPublicKey])
        let signature = try #require(bench.sign([hash], index: 2)[.walletSignature])
        switch curve {
        case "secp256k1", "secp256r1":
            let point = try PublicKey(key, curve: try #require(Curve(rawValue: curve)))
            #expect(try OpenSSLCommand.verifies(signature, digest: hash, key: point))
        case "bip0340":
            #expect(key.count == 32)
            #expect(try BIP340.verify(signature, message: hash, key: PublicKey(xOnly: key)))
            #expect(bench.sign([[1, 2, 3]], index: 2).sw == "6A86")
        default:
            let point = try PublicKey(key, curve: .ed25519)
            #expect(try OpenSSLCommand.verifies(signature, message: hash, key: point))
            let answer = bench.send(
                .attestWalletKey,
                bench.access + [(.challenge, CardBench.challenge), (.walletIndex, [2])]
            )
            let message = SHA512.digest(CardBench.challenge + (try #require(answer[.salt])))
            let proof = try #require(answer[.walletSignature])
            #expect(try OpenSSLCommand.verifies(proof, message: message, key: point))
        }
    }

    @Test("curves come with their firmware, BLS is refused")
    func curveLimits() throws {
        let old = try CardBench("4.12r")
        #expect(old.createWallet("secp256r1").sw == "9000")
        #expect(old.createWallet("bip0340", index: 1).sw == "6A86")
        #expect(old.createWallet("ed25519_slip0010", index: 1).sw == "6A86")
        #expect(old.createWallet(index: 10).sw == "6A86")
        let new = try CardBench("4.45d")
        #expect(new.createWallet("bip0340").sw == "9000")
        #expect(new.createWallet("bls12381_G2_AUG", index: 1).sw == "6A86")
        #expect(new.createWallet("nonsense", index: 1).sw == "6A86")
        let fixed = try CardBench("4.12r", ["settings": "000A3A31"])
        #expect(fixed.createWallet("ed25519").sw == "6A86")
        #expect(fixed.createWallet().sw == "9000")
        #expect(throws: EmulatorOptionError.self) { try CardBench("3.05r", ["curve": "bip0340"]) }
        let ed = try CardBench("3.05r", ["curve": "ed25519"])
        #expect(ed.createWallet()[.walletPublicKey]?.count == 32)
    }

    @Test("counters count hashes and operations, and end")
    func counters() throws {
        let bench = try CardBench("3.34d", ["start": "loaded", "max-signatures": "2", "delay": "0s"])
        #expect(bench.sign([hash, hash, hash])[.walletRemainingSignatures]?.number == 1)
        let last = bench.sign([hash])
        #expect(last[.walletRemainingSignatures]?.number == 0)
        #expect(last[.walletSignedHashes]?.number == 4)
        #expect(bench.sign([hash]).sw == "6985")
        let user = bench.send(.readUserData, bench.access)
        #expect(user[.userCounter]?.number == 2)
        #expect(user[.userProtectedCounter]?.number == 2)
    }

    @Test("hashes have one size, and there are at most ten")
    func hashLimits() throws {
        let bench = try CardBench("4.12r", ["start": "loaded", "delay": "0s"])
        #expect(bench.sign([[UInt8]](repeating: hash, count: 10))[.walletSignature]?.count == 640)
        #expect(bench.sign([[UInt8]](repeating: hash, count: 11)).sw == "6A86")
        let uneven: [(TangemTag, [UInt8])] = [
            (.transactionOutHashSize, [32]), (.transactionOutHash, hash + [1]), (.walletIndex, [0]),
        ]
        #expect(bench.send(.sign, bench.fullAccess + uneven).sw == "6A86")
        #expect(bench.sign([[]]).sw == "6A86")
        let long: [(TangemTag, [UInt8])] = [
            (.transactionOutHashSize, [1, 0x2C]), (.walletIndex, [0]),
            (.transactionOutHash, [UInt8](repeating: 9, count: 300)),
        ]
        #expect(bench.send(.sign, bench.fullAccess + long).sw == "9000")
        let strict = try CardBench("4.12r", ["start": "loaded", "delay": "0s", "hash-lengths": "32"])
        #expect(strict.send(.sign, strict.fullAccess + long).sw == "6A86")
        #expect(bench.send(.sign, bench.fullAccess).sw == "6A86")
    }

    @Test("a signature may have a high s")
    func highS() throws {
        let bench = try CardBench("4.12r", ["start": "loaded", "delay": "0s", "high-s": "yes"])
        let record = bench.send(.read, bench.access + [(.interactionMode, [2]), (.walletIndex, [0])])
        let key = try PublicKey(try #require(record[.walletPublicKey]), curve: .secp256k1)
        let signature = try #require(bench.sign([hash])[.walletSignature])
        let parsed = try ECDSASignature(raw: signature, curve: .secp256k1)
        #expect(try !parsed.isLowS(for: .secp256k1))
        #expect(try OpenSSLCommand.verifies(signature, digest: hash, key: key))
    }

    @Test("a permanent wallet stays, one that is not reusable leaves a purged slot")
    func purging() throws {
        let permanent = try CardBench("2.11r", ["settings": "00007E25", "start": "loaded"])
        #expect(permanent.purge().sw == "6985")
        let other = try CardBench(
            "2.11r",
            ["settings": "00007E25", "start": "loaded", "permanent-wallet": "6A86"]
        )
        #expect(other.purge().sw == "6A86")
        let once = try CardBench("2.11r", ["settings": "00007E20", "start": "loaded"])
        #expect(once.purge()[.status] == [3])
        #expect(once.read()[.status] == [3])
        #expect(once.createWallet().sw == "6985")
        // A wallet that the card came with is under the card's settings.
        for (settings, status) in [("000ABA31", 1), ("000ABA30", 3)] as [(String, UInt8)] {
            let made = try CardBench("4.12r", ["settings": settings, "start": "loaded", "delay": "0s"])
            #expect(made.purge().sw == "9000")
            let slots = made.send(.read, made.access + [(.interactionMode, [3])])
            #expect(slots[.cardWallet]?.prefix(3) == [TangemTag.status.rawValue, 1, status])
        }
        let own = try CardBench("4.12r", ["delay": "0s"])
        let items: [(TangemTag, [UInt8])] = [(.settingsMask, [0, 0, 0, 4]), (.walletIndex, [0])]
        #expect(own.send(.createWallet, own.fullAccess + items).sw == "9000")
        #expect(own.purge().sw == "6985")
        // Newer cards let their own settings rule.
        let newer = try CardBench("4.45d", ["delay": "0s"])
        #expect(newer.send(.createWallet, newer.fullAccess + items).sw == "9000")
        #expect(newer.purge().sw == "9000")
    }

    @Test("keys are derived as the published vectors say", arguments: try CardBench.vectors("hd_derive_seed"))
    func derivation(vector: JSON) throws {
        let input = try #require(vector["input"])
        let curve = try #require(input["curve"]?.string)
        let seed = try input.vectorBytes("seed")
        let arithmetic = try #require(TangemCurve(rawValue: curve)).arithmetic
        let master = try HDPrivateKey.master(seed: seed, curve: arithmetic)
        let bench = try CardBench("6.33d", ["delay": "0s"])
        let session = try Session.open(.strong, bench)
        let imported = session.send(
            .createWallet,
            bench.fullAccess + [
                (.curve, Array(curve.utf8) + [0]), (.walletIndex, [0]),
                (.walletPrivateKey, master.key.scalar),
                (.walletHDChain, master.chainCode),
            ]
        )
        #expect(imported.sw == "9000")
        #expect(imported[.status] == [0x42])
        let path = try #require(input["path"]?.string).split(separator: "/").dropFirst().map { part in
            let index = try #require(UInt32(part.filter { $0 != "'" }))
            return part.hasSuffix("'") ? index | 0x8000_0000 : index
        }
        let bytes = path.flatMap { Int($0).bigEndian(4) }
        let items: [(TangemTag, [UInt8])] = [
            (.interactionMode, [2]), (.walletIndex, [0]), (.walletHDPath, bytes),
        ]
        let record = bench.send(.read, bench.access + items)
        var expected = try #require(vector["expected"]).vectorBytes("publicKey")
        // Those of Ed25519 are written with a zero in front, as SLIP-0010 does.
        if curve == "ed25519_slip0010" { expected = Array(expected.suffix(32)) }
        #expect(record[.walletPublicKey]?.hex == expected.hex)
        #expect(record[.walletHDChain]?.hex == vector["expected"]?["chainCode"]?.string?.uppercased())

        let derived: [(TangemTag, [UInt8])] = [(.walletHDPath, bytes)]
        let signature = try #require(bench.sign([hash], derived)[.walletSignature])
        let key = try PublicKey(expected, curve: arithmetic)
        let isRight =
            arithmetic == .ed25519
            ? try Ed25519.verify(signature, message: hash, key: key)
            : try ECDSA.verify(ECDSASignature(raw: signature, curve: arithmetic), digest: hash, key: key)
        #expect(isRight)
    }

    @Test("paths that cannot be walked are refused")
    func badPaths() throws {
        let bench = try CardBench("6.33d", ["delay": "0s"])
        _ = bench.createWallet("ed25519_slip0010")
        _ = bench.createWallet("ed25519", index: 1)
        func read(_ path: String, _ index: UInt8) -> String {
            let items: [(TangemTag, [UInt8])] = [
                (.interactionMode, [2]), (.walletIndex, [index]), (.walletHDPath, CardBench.bytes(path)),
            ]
            return bench.send(.read, bench.access + items).sw
        }
        #expect(read("80000000", 0) == "9000")
        #expect(read("00000000", 0) == "6A86")
        #expect(read("00000000", 1) == "9000")
        #expect(read("8000073C80000717800000000000000000000000", 1) == "9000")
        #expect(read("800000", 1) == "6A86")
        #expect(read(String(repeating: "80000000", count: 21), 1) == "6A86")
        let flat = try CardBench("4.45d", ["settings": "004ABA31", "start": "loaded", "delay": "0s"])
        #expect(flat.sign([hash], [(.walletHDPath, [0, 0, 0, 1])]).sw == "6A86")
    }

    @Test("an import needs strong encryption, the right settings, and a key that is new")
    func imports() throws {
        let bench = try CardBench("6.33d", ["delay": "0s"])
        let key: [(TangemTag, [UInt8])] = [
            (.curve, Array("secp256k1".utf8)), (.walletPrivateKey, [UInt8](repeating: 0x22, count: 32)),
            (.walletHDChain, [UInt8](repeating: 1, count: 32)),
        ]
        #expect(bench.send(.createWallet, bench.fullAccess + key).sw == "6982")
        let fast = try Session.open(.fast, bench)
        #expect(fast.send(.createWallet, bench.fullAccess + key).sw == "6982")
        let strong = try Session.open(.strong, bench)
        let wallet = strong.send(.createWallet, bench.fullAccess + key)
        #expect(wallet.sw == "9000")
        #expect(
            wallet[.walletPublicKey]?.hex
                == "02466D7FCAE563E5CB09A0D1870BB580344804617879A14949CF22285F1BAE3F27"
        )
        #expect(strong.send(.createWallet, bench.fullAccess + key + [(.walletIndex, [1])]).sw == "6A89")
        let zero = key.map { $0.0 == .walletPrivateKey ? ($0.0, [UInt8](repeating: 0, count: 32)) : $0 }
        #expect(strong.send(.createWallet, bench.fullAccess + zero).sw == "6A86")
        let closed = try CardBench("6.33d", ["settings": "016ABA31"])
        let session = try Session.open(.strong, closed)
        #expect(session.send(.createWallet, closed.fullAccess + key).sw == "6A86")
        // Before 6.21 the objects mean nothing: a key of the card's own is made.
        let old = try CardBench("4.45d")
        let made = old.send(.createWallet, old.fullAccess + key)
        #expect(made.sw == "9000")
        #expect(made[.status] == [2])
        #expect(made[.walletPublicKey] != wallet[.walletPublicKey])
    }

    @Test("an imported Ed25519 key is a scalar with its nonce key", arguments: ["key-import-ed25519-ikarus"])
    func importIkarus(name: String) throws {
        let expected = try #require(try CardBench.vector(name)["expected"])
        let bench = try CardBench("6.33d", ["delay": "0s"])
        let strong = try Session.open(.strong, bench)
        let wallet = strong.send(
            .createWallet,
            bench.fullAccess + [
                (.curve, Array("ed25519".utf8)), (.walletPrivateKey, try expected.vectorBytes("privateKey")),
                (.walletHDChain, try expected.vectorBytes("chainCode")),
            ]
        )
        #expect(wallet[.walletPublicKey]?.hex == expected["publicKey"]?.string)
        let point = try PublicKey(try #require(wallet[.walletPublicKey]), curve: .ed25519)
        let signature = try #require(bench.sign([hash])[.walletSignature])
        #expect(try OpenSSLCommand.verifies(signature, message: hash, key: point))
    }
}
