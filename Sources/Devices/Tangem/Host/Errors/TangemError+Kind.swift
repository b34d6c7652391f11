// SPDX-License-Identifier: MIT

extension TangemError {
    /// What went wrong, under the name and the number that the vendor's libraries use.
    ///
    /// Source: the vendor's public host libraries, in the revisions under the MIT licence. The numbers from 90003
    /// belong to a phone's own reader and are not made here.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// The card left the reader; hold it still and try again.
        case tagLost = 10001
        /// The reader passes no extended length; use one that does.
        case extendedLengthNotSupported = 10002
        /// No published source tells how this command works, so it is not sent.
        case unsupportedCommand = 10003
        /// This reader cannot talk to the card.
        case unsupportedDevice = 10004
        /// The session was stopped; start a new one.
        case sessionInactive = 10005
        /// The card or the reader hangs; take the card away and try again.
        case nfcStuck = 10006
        /// No answer came in time.
        case nfcTimeout = 10007
        /// The reader failed.
        case nfcReaderError = 10008
        /// The command cannot be written.
        case serializeCommandError = 20001
        /// The answer holds no list of tags.
        case deserializeApduFailed = 20002
        /// A value has not the type that its tag asks for.
        case encodingFailedTypeMismatch = 20003
        /// A value cannot be written.
        case encodingFailed = 20004
        /// A tag that must be there is missing in the answer.
        case decodingFailedMissingTag = 20005
        /// A value in the answer has not the type of its tag.
        case decodingFailedTypeMismatch = 20006
        /// A value in the answer cannot be read.
        case decodingFailed = 20007
        /// The command cannot be encrypted.
        case failedToEncryptApdu = 20008
        /// The answer cannot be decrypted; card and host have different session keys.
        case failedToDecryptApdu = 20009
        /// No session key could be agreed on.
        case failedToEstablishEncryption = 20010
        /// The decrypted answer has a wrong length or checksum.
        case invalidResponseApdu = 20011
        /// The command is no valid APDU.
        case failedToBuildCommandApdu = 20012
        /// The card answered with a status word that nobody has published.
        case unknownStatus = 30001
        /// The card met an error inside.
        case errorProcessingCommand = 30002
        /// The card is not in the state for this command.
        case invalidState = 30003
        /// The card does not know this command, or it is switched off.
        case insNotSupported = 30004
        /// The card refuses a value in the command.
        case invalidParams = 30005
        /// The card asks for an encryption that cannot be given.
        case needEncryption = 30006
        /// There is no file with this index.
        case fileNotFound = 30007
        /// The card has no such wallet.
        case walletNotFound = 30008
        /// The card is blank; personalize it first.
        case notPersonalized = 40001
        /// The card wants to be activated first.
        case notActivated = 40002
        /// The wallet was deleted for good.
        case walletIsPurged = 40003
        /// The card asks for the passcode.
        case passcodeRequired = 40004
        /// The issuer's signature is wrong.
        case verificationFailed = 40005
        /// The data are too long for the card.
        case dataSizeTooLarge = 40006
        /// The card asks for a counter beside the data.
        case missingCounter = 40007
        /// The card does not let the data be overwritten.
        case overwritingDataIsProhibited = 40008
        /// The card refuses the data; its counter may be old.
        case dataCannotBeWritten = 40009
        /// The issuer's public key is not known.
        case missingIssuerPublicKey = 40010
        /// The card could not prove that it owns its keys.
        case cardVerificationFailed = 40011
        /// The access code is wrong.
        case wrongAccessCode = 40012
        /// The passcode is wrong.
        case wrongPasscode = 40013
        /// The card is personalized already.
        case alreadyPersonalized = 40101
        /// The card cannot be made blank.
        case cannotBeDepersonalized = 40201
        /// The card asks for the access code.
        case accessCodeRequired = 40401
        /// Keys of this curve have hardened children only.
        case nonHardenedDerivationNotSupported = 40402
        /// The card lets nobody choose the curve of a wallet.
        case walletCannotBeCreated = 40403
        /// The card has no room for a wallet.
        case cardWithMaxZeroWallets = 40404
        /// The card holds this key already.
        case walletAlreadyCreated = 40405
        /// The card has its wallet already.
        case alreadyCreated = 40501
        /// The card does not know this curve.
        case unsupportedCurve = 40502
        /// All slots of the card hold wallets.
        case maxNumberOfWalletsCreated = 40503
        /// The card cannot make such a wallet.
        case unsupportedWalletConfig = 40504
        /// This wallet cannot be deleted.
        case purgeWalletProhibited = 40601
        /// The card does not let the access code be changed.
        case accessCodeCannotBeChanged = 40801
        /// The card does not let the passcode be changed.
        case passcodeCannotBeChanged = 40802
        /// The access code must not be the default.
        case accessCodeCannotBeDefault = 40803
        /// The passcode must not be the default.
        case passcodeCannotBeDefault = 40804
        /// The access code is too short.
        case accessCodeTooShort = 40805
        /// The passcode is too short.
        case passcodeTooShort = 40806
        /// The wallet has no signatures left.
        case noRemainingSignatures = 40901
        /// There is nothing to sign.
        case emptyHashes = 40902
        /// All hashes must have the same size for this card.
        case hashSizeMustBeEqual = 40903
        /// The card has no wallet.
        case cardIsEmpty = 40904
        /// The card does not sign hashes.
        case signHashesNotAvailable = 40905
        /// Too many hashes for this card.
        case tooManyHashesInOneTransaction = 40906
        /// The firmware of this card is too old for its security delay.
        case oldCard = 40907
        /// The data are longer than the card's room.
        case extendedDataSizeTooLarge = 41101
        /// The card is not linked.
        case backupFailedCardNotLinked = 41201
        /// The backup card was added already.
        case backupCardAlreadyAdded = 41202
        /// The primary card is not known yet.
        case missingPrimaryCard = 41203
        /// The card takes no part in backups.
        case backupNotAllowed = 41204
        /// The signature of the primary card is missing.
        case missingPrimaryAttestSignature = 41205
        /// There are too many backup cards.
        case tooMuchBackupCards = 41206
        /// A backup card is needed.
        case backupCardRequired = 41207
        /// There are no data for this backup card.
        case noBackupDataForCard = 41208
        /// The primary card has no wallets.
        case backupFailedEmptyWallets = 41209
        /// The backup card has wallets already.
        case backupFailedNotEmptyWallets = 41210
        /// The issuer's signature of the card's key is missing.
        case certificateSignatureRequired = 41211
        /// A backup needs an access code or a passcode.
        case accessCodeOrPasscodeRequired = 41212
        /// The card is in no active backup.
        case noActiveBackup = 41220
        /// The card holds backed-up wallets.
        case resetBackupFailedHasBackedUpWallets = 41221
        /// The backup is not at this step.
        case backupServiceInvalidState = 41222
        /// There is no backup card with this index.
        case noBackupCardForIndex = 41223
        /// There are no backup cards.
        case emptyBackupCards = 41224
        /// The cards have different issuers.
        case backupFailedWrongIssuer = 41225
        /// The cards differ in their settings for derived keys.
        case backupFailedHDWalletSettings = 41226
        /// The backup card does not know all curves.
        case backupFailedNotEnoughCurves = 41227
        /// The backup card has too few slots.
        case backupFailedNotEnoughWallets = 41228
        /// The issuer's signature could not be had.
        case issuerSignatureLoadingFailed = 41229
        /// The firmware of the backup card does not fit.
        case backupFailedFirmware = 41230
        /// The batch of the backup card does not fit.
        case backupFailedIncompatibleBatch = 41231
        /// The cards have firmware versions that do not fit.
        case backupFailedIncompatibleFirmware = 41232
        /// The cards differ in their settings for imported keys.
        case backupFailedKeysImportSettings = 41233
        /// The card is in a backup already.
        case backupFailedAlreadyCreated = 41234
        /// The card whose codes shall be reset is not known.
        case resetPinNoCardToReset = 41300
        /// This card cannot reset the codes of that one.
        case resetPinWrongCard = 41301
        /// The card does not know these settings of a file.
        case fileSettingsUnsupported = 42000
        /// There are no files.
        case filesIsEmpty = 42001
        /// Files are switched off on this card.
        case filesDisabled = 42002
        /// Derived keys are switched off on this card.
        case hdWalletDisabled = 42003
        /// Importing keys is switched off on this card.
        case keysImportDisabled = 42004
        /// Resetting codes is switched off on this card.
        case userCodeRecoveryDisabled = 42005
        /// Something unexpected happened.
        case unknownError = 50001
        /// The user cancelled.
        case userCancelled = 50002
        /// Another session is open; stop it first.
        case busy = 50003
        /// The card was not read before this command.
        case missingPreflightRead = 50004
        /// This is another card than the one asked for.
        case wrongCardNumber = 50005
        /// Cards of this type are not admitted.
        case wrongCardType = 50006
        /// The card failed.
        case cardError = 50007
        /// The firmware of this card is too old for this.
        case notSupportedFirmwareVersion = 50008
        /// No random bytes could be had.
        case failedToGenerateRandomSequence = 50010
        /// A cryptographic operation failed.
        case cryptoUtilsError = 50011
        /// An operation below failed.
        case underlying = 50012
        /// The user does not know the code.
        case userForgotTheCode = 50013
        /// Biometrics are not available.
        case biometricsUnavailable = 50014
        /// The card was refused after it was read.
        case preflightFiltered = 50015
        /// No converter is set.
        case jsonConverterNotSet = 50016
        /// The command does not work in this mode.
        case wrongInteractionMode = 50027

        /// The name, for example `walletNotFound`.
        public var name: String { "\(self)" }

        /// The number, for example 30008.
        public var code: Int { rawValue }

        /// Finds a kind by its name.
        public init?(name: String) {
            guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = found
        }
    }
}
