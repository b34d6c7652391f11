// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Tangem
import TangemConstants

/// Verbs about the wallets of a card: create, import, sign, derive, attest, purge.
let tangemWalletVerbs: [Verb] = [
    createWalletVerb, importWalletVerb, signVerb, deriveVerb, attestWalletVerb, purgeVerb,
]

private let walletArgument = ArgumentSpec(
    "wallet",
    .bytes,
    isRequired: true,
    "public key of the wallet; one that the card has not is walletNotFound, and nothing of it is sent"
)

extension ArgumentType {
    /// The words of a mnemonic; whether they are the right ones is for the library to say.
    fileprivate static let mnemonic = ArgumentType.checked(
        .text,
        ArgumentCheck("") { value in
            guard case .text(let text) = value else { return nil }
            let count = text.split { !$0.isLetter }.count
            return [12, 15, 18, 21, 24].contains(count)
                ? nil
                : "a mnemonic has 12, 15, 18, 21 or 24 words; here \(count == 1 ? "is 1" : "are \(count)")"
        }
    )
}

extension TangemCurve {
    /// The curve of a word; `check` says bip340 where the card says bip0340.
    init?(word: String) { self.init(rawValue: word == "bip340" ? "bip0340" : word) }
}

private let walletResults: [ResultSpec] = [
    ResultSpec("walletPublicKey", .bytes, "public key of the new wallet"),
    ResultSpec("curve", .text, "its curve, in the card's word"),
    ResultSpec("index", .number(0...255), "its slot"),
    ResultSpec("status", .number(0...255), "2 loaded, 66 imported; 128 more where it is backed up"),
    ResultSpec("chainCode", .bytes, "chain code of an HD wallet; absent where the card gives none"),
]

private let createWalletVerb = tangemVerb(
    "create-wallet",
    "Lets the card make a wallet.",
    discussion: """
        A curve that the firmware does not know is unsupportedCurve, a full card maxNumberOfWalletsCreated or
        alreadyCreated. On BLS curves the card's answer cannot be verified by this program.
        """,
    arguments: [
        ArgumentSpec("curve", .word(curveWords), "the curve; that of the card when left out"),
        ArgumentSpec("index", .number(0...255), "the slot; the lowest free one when left out"),
        ArgumentSpec(
            "reusable",
            .boolean,
            "whether the slot can be used again after a purge; yes by default"
        ),
        ArgumentSpec("permanent", .boolean, "whether the wallet cannot be purged; no by default"),
    ],
    bare: "curve",
    results: walletResults
) { call in
    let config = WalletConfig(
        curve: try call.curve(),
        index: try call.number("index"),
        isReusable: call.boolean("reusable") ?? true,
        isPermanent: call.boolean("permanent") ?? false
    )
    let made = try call.tangem { session throws(TangemError) in try session.createWallet(config: config) }
    give(made.wallet, to: call)
}

private let importWalletVerb = tangemVerb(
    "import-wallet",
    "Imports a key into a new wallet (from firmware 6.21).",
    discussion: """
        The key comes from the words of a mnemonic (BIP39), from a seed, or as it is with its chain code. The card must
        show the public key that follows from it.
        """,
    arguments: [
        ArgumentSpec("curve", .word(curveWords), isRequired: true, "the curve"),
        ArgumentSpec("mnemonic", .mnemonic, choice: .exactlyOne("key"), "12 to 24 words"),
        ArgumentSpec("seed", .bytes(16...64), choice: .exactlyOne("key"), "seed of the tree, 16 to 64 bytes"),
        ArgumentSpec("private-key", .bytes, choice: .exactlyOne("key"), "private key, with its chain code"),
        ArgumentSpec("passphrase", .text, beside: ["mnemonic"], "passphrase of the mnemonic"),
        ArgumentSpec(
            "chain-code",
            .bytes(32),
            beside: ["private-key"],
            "chain code of the private key, 32 bytes"
        ),
        ArgumentSpec("index", .number(0...255), "the slot; the lowest free one when left out"),
    ],
    rules: [
        ArgumentRule(["curve", "private-key", "chain-code"]) { values in
            guard case .text(let word)? = values["curve"], let curve = TangemCurve(word: word),
                case .bytes(let key)? = values["private-key"]
            else { return nil }
            var chainCode: [UInt8]?
            if case .bytes(let bytes)? = values["chain-code"] { chainCode = bytes }
            do throws(TangemError) {
                _ = try ImportedKey(privateKey: key, chainCode: chainCode, curve: curve)
                return nil
            } catch {
                return ArgumentRule.Complaint("private-key", error.detail)
            }
        }
    ],
    results: walletResults
) { call in
    guard let curve = try call.curve() else { throw call.wrong("curve", "it is missing") }
    let mnemonic = call.text("mnemonic")
    let passphrase = call.text("passphrase") ?? ""
    let seed = try call.bytes("seed")
    let key = try call.bytes("private-key") ?? []
    let chainCode = try call.bytes("chain-code")
    let index = try call.number("index")
    var given: ImportedKey?
    if mnemonic == nil, seed == nil {
        do throws(TangemError) {
            given = try ImportedKey(privateKey: key, chainCode: chainCode, curve: curve)
        } catch {
            throw call.wrong("private-key", error.detail)
        }
    }
    let plain = given
    let made = try call.tangem { session throws(TangemError) in
        let imported =
            if let plain {
                plain
            } else if let mnemonic {
                try ImportedKey.root(of: Mnemonic(mnemonic), passphrase: passphrase, curve: curve)
            } else {
                try ImportedKey.root(seed: seed ?? [], curve: curve)
            }
        return try session.importWallet(imported, index: index)
    }
    give(made.wallet, to: call)
}

private let signVerb = tangemVerb(
    "sign",
    "Lets a wallet sign hashes.",
    discussion: """
        More hashes than one command takes go in several, each of which pays its security delay. Signatures are raw
        (r and s), with the lower s on secp256k1; `verified` says whether all are right by the host's own check. A key
        whose path the host cannot follow is asked for first.
        """,
    arguments: [
        walletArgument,
        ArgumentSpec("hashes", .filledList(.bytes), isRequired: true, "one hash or several, of any sizes"),
        ArgumentSpec("path", .derivationPath, "path of a derived key: m/44'/0'/0'/0/0"),
    ],
    results: [
        ResultSpec("signature", .bytes, "the first signature"),
        ResultSpec("signatures", .list(.bytes), "the signatures, in the order of the hashes"),
        ResultSpec(
            "publicKey",
            .bytes,
            "the key that signed; absent for a derived key that the card was not asked for, with `checks: no`"
        ),
        ResultSpec(
            "verified",
            .boolean,
            "whether all signatures are right; absent where the host cannot tell"
        ),
        ResultSpec(
            "signedHashes",
            .number(0...4_294_967_295),
            "hashes signed so far; absent where the card does not tell"
        ),
        ResultSpec("remainingSignatures", .number(0...4_294_967_295), "operations left; before 4.0"),
    ]
) { call in
    let hashes = try call.byteList("hashes")
    let wallet = try call.wallet()
    let path = try call.path()
    let result = try call.tangem { session throws(TangemError) in
        try session.sign(hashes: hashes, walletPublicKey: wallet, path: path)
    }
    call.give("signature", .optional(result.signatures.first))
    call.give("signatures", .list(result.signatures.map { .bytes($0) }))
    call.give("publicKey", .optional(result.publicKey))
    call.give("verified", .optional(result.areVerified))
    call.give("signedHashes", .optional(result.totalSignedHashes))
    call.give("remainingSignatures", .optional(result.remainingSignatures))
}

private let deriveVerb = tangemVerb(
    "derive",
    "Lets the card derive a public key of an HD wallet (from firmware 4.39).",
    discussion: "Where the host can follow the path, which is where no part is hardened, both must agree.",
    arguments: [
        walletArgument,
        ArgumentSpec("path", .derivationPath, isRequired: true, "the path: m/44'/0'/0'/0/0"),
    ],
    results: [
        ResultSpec("publicKey", .bytes, "the derived key"),
        ResultSpec("chainCode", .bytes, "its chain code"),
    ]
) { call in
    let wallet = try call.wallet()
    guard let path = try call.path() else { throw call.wrong("path", "it is missing") }
    let key = try call.tangem { session throws(TangemError) in
        try session.deriveKey(walletPublicKey: wallet, path: path)
    }
    call.give("publicKey", .bytes(key.publicKey))
    call.give("chainCode", .optional(key.chainCode))
}

private let attestWalletVerb = tangemVerb(
    "attest-wallet",
    "Lets a wallet prove that it owns its key, and the card that the wallet is its own.",
    discussion: """
        A signature that is wrong is the error cardVerificationFailed. A card that does not confirm the key as it is asked
        to (for `dynamic` with bytes of its own, so that no old answer can stand in) leaves the outcome unverifiable.
        """,
    arguments: [
        walletArgument,
        ArgumentSpec("challenge", .bytes, "bytes to sign; 16 random ones when left out"),
        ArgumentSpec(
            "confirmation",
            .word(["omitted", "constant", "dynamic"]),
            "how the card confirms the key; dynamic by default"
        ),
        ArgumentSpec("path", .derivationPath, "path of a derived key"),
    ],
    results: [
        ResultSpec(
            "outcome",
            .word(["verified", "warning", "unverifiable"]),
            "warning for a counter that is too high; unverifiable for a curve that the host cannot check, or without the card's word"
        )
    ]
) { call in
    let wallet = try call.wallet()
    let challenge = try call.bytes("challenge")
    let path = try call.path()
    let confirmation: AttestWalletKeyCommand.Confirmation =
        switch call.text("confirmation") {
        case "omitted": .omitted
        case "constant": .constant
        default: .dynamic
        }
    let outcome = try call.tangem { session throws(TangemError) in
        try session.attestWallet(
            publicKey: wallet,
            challenge: challenge,
            confirmation: confirmation,
            path: path
        )
    }
    call.give("outcome", .text(outcome.rawValue))
}

private let purgeVerb = tangemVerb(
    "purge",
    "Deletes a wallet and its key.",
    discussion: "A permanent wallet is purgeWalletProhibited.",
    arguments: [walletArgument],
    bare: "wallet"
) { call in
    let wallet = try call.wallet()
    try call.tangem { session throws(TangemError) in try session.purgeWallet(walletPublicKey: wallet) }
}

private func give(_ wallet: WalletRecord, to call: VerbCall) {
    call.give("walletPublicKey", .bytes(wallet.publicKey))
    call.give("curve", .text(wallet.curve.rawValue))
    call.give("index", .number(wallet.index))
    call.give("status", .number(Int(wallet.status)))
    call.give("chainCode", .optional(wallet.chainCode))
}
