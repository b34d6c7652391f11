// SPDX-License-Identifier: MIT

import FuzzInput
import Tangem
import TangemConstants

/// What a session may be about; the first byte of an input chooses.
///
/// New ones go to the end, or the corpus loses its sense.
let work: [@Sendable (TangemSDK) throws -> Void] = [
    { _ = try $0.scanCard() },
    { _ = try $0.sign(hashes: [hash, hash], walletPublicKey: firstWallet($0)) },
    { _ = try $0.createWallet() },
    { _ = try $0.createWallet(config: WalletConfig(curve: .ed25519)) },
    { try $0.purgeWallet(walletPublicKey: firstWallet($0)) },
    { sdk in
        let path = try DerivationPath("m/44'/0'/1")
        _ = try sdk.deriveWalletPublicKey(walletPublicKey: firstWallet(sdk), derivationPath: path)
    },
    { _ = try $0.readIssuerData() },
    { try $0.writeIssuerData(issuerData: hash, issuerDataSignature: hash + hash, issuerDataCounter: 1) },
    { _ = try $0.readIssuerExtraData() },
    { sdk in
        let data = [UInt8](repeating: 7, count: 2000)
        let signature = hash + hash
        try sdk.writeIssuerExtraData(
            issuerData: data,
            startingSignature: signature,
            finalizingSignature: signature
        )
    },
    { _ = try $0.readUserData() },
    { try $0.writeUserData(userData: hash, userCounter: 2) },
    { _ = try $0.readFiles(readsPrivateFiles: true) },
    { _ = try $0.writeFiles([NewFile(data: [UInt8](repeating: 9, count: 1000))]) },
    { try $0.deleteFiles() },
    { try $0.changeFileSettings([0: FileSettings(isPublic: true), 1: FileSettings(isPublic: false)]) },
    { try $0.setAccessCode("123456") },
    { try $0.resetUserCodes() },
    { try $0.setUserCodeRecoveryAllowed(true) },
    { try $0.depersonalize() },
    { sdk in
        let id = try CardID("BB03000000000004")
        let date = CardDate(year: 2026, month: 11, day: 30)
        let settings = TangemSettings(rawValue: 0x7E21)
        let configuration = PersonalizationConfiguration(
            id: id,
            settings: settings,
            batch: [1, 2],
            date: date
        )
        _ = try sdk.personalize(configuration)
    },
    { _ = try $0.withSession { session throws(TangemError) in try session.entropy() } },
    { sdk in
        try sdk.withSession { session throws(TangemError) in
            try session.attestCard(isFull: true)
            for wallet in session.card?.wallets ?? [] {
                try session.attestWallet(publicKey: wallet.publicKey)
            }
        }
    },
    { _ = try $0.run(GenerateOTPCommand()) },
    { _ = try $0.run(StartPrimaryCardLinkingCommand()) },
    { _ = try $0.run(StartBackupCardLinkingCommand(primaryLinkingKey: hash)) },
    { _ = try $0.run(ReadBackupDataCommand(backupLinkingKey: hash, walletIndex: 0)) },
    { _ = try $0.run(FinalizeReadBackupDataCommand()) },
    { _ = try $0.run(BackupResetCommand()) },
    { _ = try $0.run(ReadFileChecksumCommand(index: 0)) },
]

private let hash = [UInt8](repeating: 0x11, count: 32)

/// The key of the first wallet that a scan shows; the sessions that follow go on with the next answers.
private func firstWallet(_ sdk: TangemSDK) throws -> [UInt8] {
    try sdk.readCard().wallets.first?.publicKey ?? hash
}
