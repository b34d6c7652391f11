// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import Tangem

extension RequestVectorTests {
    @Test("CREATE_WALLET takes the lowest free slot", arguments: of("CREATE_WALLET"))
    func create(_ vector: Vector) throws {
        let curve = try parameters(vector).curve()
        let wallet = try #require(result(vector)["wallet"])
        let other = VendorCard.wallet([UInt8](repeating: 2, count: 32), .ed25519, index: 0)
        let reply = try VendorCard.answer(
            VendorCard.wallet(
                try wallet.hex("publicKey"),
                curve,
                index: UInt8(try wallet.number("index")),
                settings: 0x04,
                signedHashes: UInt8(try wallet.number("totalSignedHashes"))
            ).items
        )
        let vendor = try VendorCard(
            firmware: "4.45d SDK",
            wallets: [other, VendorCard.emptySlot(1), VendorCard.emptySlot(2)]
        ) { instruction, _ in instruction == .createWallet ? reply : nil }
        let config = WalletConfig(curve: curve, isReusable: false, isPermanent: true)
        let made = try vendor.sdk.createWallet(config: config)
        let sent = try vendor.only(.createWallet)
        #expect(try sent.text(.curve) == parameters(vector).text("curve"))
        #expect(sent[.walletIndex] == [UInt8(try wallet.number("index"))])
        #expect(sent[.settingsMask] == [0, 0, 0, 0x04])
        #expect(sent[.signingMethod] == [0x81])
        #expect(sent[.pin2] == SHA256.digest(Array("000".utf8)))
        #expect(made.wallet.publicKey == (try wallet.hex("publicKey")))
        #expect(made.wallet.curve == (try wallet.curve()))
        #expect(made.wallet.index == (try wallet.number("index")))
        #expect(made.wallet.signedHashes == (try wallet.number("totalSignedHashes")))
        #expect(made.wallet.isImported == wallet["isImported"]?.boolean)
        #expect(made.wallet.hasBackup == wallet["hasBackup"]?.boolean)
        let isPermanent = made.wallet.settings?.contains(.permanentWallet)
        #expect(isPermanent == wallet["settings"]?["isPermanent"]?.boolean)
    }

    @Test("IMPORT_WALLET sends the root of the words", arguments: of("IMPORT_WALLET"))
    func imports(_ vector: Vector) throws {
        let parameters = try parameters(vector)
        let mnemonic = try Mnemonic(parameters.text("mnemonic"))
        let passphrase = try parameters.text("passphrase")
        let curve = try parameters.curve()
        let key = try ImportedKey.root(of: mnemonic, passphrase: passphrase, curve: curve)
        let context = try SampleCard.context(firmware: "6.33d SDK")
        let body = try CreateWalletCommand(importing: key, index: 1).body(context)
        // The same words and passphrase are a vector of BIP39, with the root that is wanted.
        let known = try #require(
            Vector.of("bip39").first { $0.expected["mnemonic"]?.string == parameters["mnemonic"]?.string }
        )
        #expect(try known.input.text("passphrase") == passphrase)
        let root = try ExtendedKey(known.expected.text("masterXprv"))
        #expect([0] + (body[.walletPrivateKey] ?? []) == root.keyBytes)
        #expect(body[.walletHDChain] == root.chainCode)
        #expect(try body.text(.curve) == parameters.text("curve"))
        #expect(body[.walletIndex] == [1])
        #expect(CreateWalletCommand(importing: key, index: 1).leastEncryption == .strong)
        // The result beside this request is a sample: the P-256 root of the words without the passphrase.
        let sample = try ImportedKey.root(of: mnemonic, curve: .secp256r1)
        let wallet = try #require(result(vector)["wallet"])
        #expect(sample.publicKey == (try wallet.hex("publicKey")))
        #expect(sample.chainCode == (try wallet.hex("chainCode")))
    }

    @Test("PURGE_WALLET names the slot of the key", arguments: of("PURGE_WALLET"))
    func purge(_ vector: Vector) throws {
        let key = try parameters(vector).hex("walletPublicKey")
        let vendor = try VendorCard(wallets: [
            VendorCard.wallet([UInt8](repeating: 2, count: 32), .ed25519, index: 0),
            VendorCard.wallet(key, .ed25519, index: 1),
        ])
        try vendor.sdk.purgeWallet(walletPublicKey: key)
        let sent = try vendor.only(.purgeWallet)
        #expect(sent.items.map(\.tag) == [.pin, .pin2, .cardID, .walletIndex])
        #expect(sent[.cardID]?.hex.lowercased() == (try result(vector).text("cardId")))
        #expect(sent[.walletIndex] == [1])
    }

    @Test(
        "DERIVE_WALLET_PUBLIC_KEY asks for one path at a time",
        arguments: of("DERIVE_WALLET_PUBLIC_KEY", "DERIVE_WALLET_PUBLIC_KEYS")
    )
    func derive(_ vector: Vector) throws {
        let parameters = try parameters(vector)
        let key = try parameters.hex("walletPublicKey")
        let paths =
            try parameters["derivationPaths"]?.array?.compactMap(\.string)
            ?? [parameters.text("derivationPath")]
        #expect(!paths.isEmpty)
        for text in paths {
            let expected = try result(vector)[text] ?? result(vector)
            let reply = try VendorCard.answer(
                VendorCard.wallet(try expected.hex("publicKey"), .secp256k1, index: 1).items
                    + [CardObject(.walletHDChain, try expected.hex("chainCode"))]
            )
            let vendor = try VendorCard(
                firmware: "4.45d SDK",
                wallets: [VendorCard.emptySlot(0), VendorCard.wallet(key, .secp256k1, index: 1)]
            ) { instruction, objects in
                instruction == .read && objects[.walletHDPath] != nil ? reply : nil
            }
            let derived = try vendor.sdk.deriveWalletPublicKey(
                walletPublicKey: key,
                derivationPath: DerivationPath(text)
            )
            let sent = try #require(vendor.sent(.read).last)
            #expect(sent[.interactionMode] == [TangemMode.readWallet])
            #expect(sent[.walletIndex] == [1])
            #expect(sent[.walletHDPath] == (try pathBytes(text)))
            #expect(derived.publicKey == (try expected.hex("publicKey")))
            #expect(derived.chainCode == (try expected.hex("chainCode")))
        }
    }

    @Test("SIGN_HASH and SIGN_HASHES send all hashes at once", arguments: of("SIGN_HASH", "SIGN_HASHES"))
    func sign(_ vector: Vector) throws {
        let parameters = try parameters(vector)
        let isOne = parameters["hash"] != nil
        let hashes = try isOne ? [parameters.hex("hash")] : parameters.hexes("hashes")
        let signatures = try isOne ? [result(vector).hex("signature")] : result(vector).hexes("signatures")
        let text = parameters["derivationPath"]?.string
        let command = try SignCommand(
            hashes: hashes,
            walletIndex: 1,
            path: text.map { try DerivationPath($0) }
        )
        let context = try SampleCard.context(firmware: "4.45d SDK")
        let body = try command.body(context)
        #expect(body[.transactionOutHashSize] == [16])
        #expect(body[.transactionOutHash] == hashes.flatMap { $0 })
        #expect(body[.walletIndex] == [1])
        #expect(body[.walletHDPath] == (try text.map { try pathBytes($0) }))
        #expect(body[.pin2] == SHA256.digest(Array("000".utf8)))
        #expect(body[.terminalTransactionSignature] == nil)
        let total = try result(vector).number("totalSignedHashes")
        let answer = try command.answer(
            CommandAnswer(
                sw: .success,
                objects: CardObjects([
                    CardObject(.walletSignature, signatures.flatMap { $0 }),
                    CardObject(.walletSignedHashes, [0, 0, 0, UInt8(total)]),
                ])
            ),
            context
        )
        #expect(answer.signatures == signatures)
        #expect(answer.signedHashes == total)
        // The key of the samples is none: a wallet of it is found by its bytes, and its signature is not taken for right.
        let key = try parameters.hex("walletPublicKey")
        let reply = try VendorCard.answer([CardObject(.walletSignature, signatures.flatMap { $0 })])
        let vendor = try VendorCard(
            wallets: [VendorCard.emptySlot(0), VendorCard.wallet(key, .ed25519, index: 1)]) {
                instruction,
                _ in instruction == .sign ? reply : nil
            }
        let signed = try? vendor.sdk.sign(hashes: hashes, walletPublicKey: key)
        #expect(try vendor.only(.sign)[.transactionOutHash] == hashes.flatMap { $0 })
        #expect(signed?.areVerified != true)
    }
}
