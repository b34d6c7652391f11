// SPDX-License-Identifier: MIT

public import TangemConstants

extension TangemSDK {
    // MARK: - Issuer data

    /// Writes issuer data.
    ///
    /// - Parameters:
    ///   - issuerData: At most 512 bytes.
    ///   - issuerDataSignature: The issuer's signature.
    ///   - issuerDataCounter: A counter, where the card asks for one.
    ///   - cardId: The card; nil for any.
    /// - Throws: `verificationFailed` before anything is sent, or what the card says.
    public func writeIssuerData(
        issuerData: [UInt8],
        issuerDataSignature: [UInt8],
        issuerDataCounter: UInt32? = nil,
        cardId: String? = nil
    ) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.writeIssuerData(
                issuerData,
                signature: issuerDataSignature,
                counter: issuerDataCounter
            )
        }
    }

    /// Reads issuer data.
    public func readIssuerData(cardId: String? = nil) throws(TangemError) -> IssuerData {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.readIssuerData() }
    }

    /// Writes issuer extra data.
    ///
    /// - Parameters:
    ///   - issuerData: At most 32 KiB.
    ///   - startingSignature: The issuer's signature of the start.
    ///   - finalizingSignature: The issuer's signature of everything.
    ///   - issuerDataCounter: A counter, where the card asks for one.
    ///   - cardId: The card; nil for any.
    /// - Throws: `verificationFailed` before anything is sent, or what the card says.
    public func writeIssuerExtraData(
        issuerData: [UInt8],
        startingSignature: [UInt8],
        finalizingSignature: [UInt8],
        issuerDataCounter: UInt32? = nil,
        cardId: String? = nil
    ) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.writeIssuerExtraData(
                issuerData,
                startingSignature: startingSignature,
                finalizingSignature: finalizingSignature,
                counter: issuerDataCounter
            )
        }
    }

    /// Reads issuer extra data.
    public func readIssuerExtraData(cardId: String? = nil) throws(TangemError) -> IssuerExtraData {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.readIssuerExtraData()
        }
    }

    // MARK: - User data

    /// Writes data of the user that need no passcode.
    public func writeUserData(
        userData: [UInt8]? = nil,
        userCounter: UInt32? = nil,
        cardId: String? = nil
    ) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.writeUserData(userData, counter: userCounter)
        }
    }

    /// Writes data of the user that need the passcode.
    public func writeUserProtectedData(
        userProtectedData: [UInt8]? = nil,
        userProtectedCounter: UInt32? = nil,
        cardId: String? = nil
    ) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.writeUserProtectedData(userProtectedData, counter: userProtectedCounter)
        }
    }

    /// Reads all data and counters of the user.
    public func readUserData(cardId: String? = nil) throws(TangemError) -> ReadUserDataCommand.Answer {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.readUserData() }
    }

    // MARK: - Files

    /// Writes files and gives back their indices.
    public func writeFiles(_ files: [NewFile], cardId: String? = nil) throws(TangemError) -> [Int] {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.writeFiles(files) }
    }

    /// Reads files.
    public func readFiles(
        readsPrivateFiles: Bool = false,
        fileName: String? = nil,
        walletPublicKey: [UInt8]? = nil,
        cardId: String? = nil
    ) throws(TangemError) -> [FileRecord] {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.readFiles(
                readsPrivateFiles: readsPrivateFiles,
                fileName: fileName,
                walletPublicKey: walletPublicKey
            )
        }
    }

    /// Deletes files; all of them without indices.
    public func deleteFiles(indices: [Int]? = nil, cardId: String? = nil) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.deleteFiles(indices) }
    }

    /// Changes the rights of files.
    public func changeFileSettings(
        _ changes: [Int: FileSettings],
        cardId: String? = nil
    ) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.changeFileSettings(changes)
        }
    }

    // MARK: - Codes and settings

    /// Changes the access code.
    @discardableResult
    public func setAccessCode(_ text: String, cardId: String? = nil) throws(TangemError)
        -> SetPINCommand.Answer
    {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.setCodes(accessCode: text)
        }
    }

    /// Changes the passcode.
    @discardableResult
    public func setPasscode(_ text: String, cardId: String? = nil) throws(TangemError)
        -> SetPINCommand.Answer
    {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.setCodes(passcode: text)
        }
    }

    /// Sets both codes back to those that every card comes with.
    @discardableResult
    public func resetUserCodes(cardId: String? = nil) throws(TangemError) -> SetPINCommand.Answer {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.resetCodes() }
    }

    /// Lets other cards of the set reset the codes, or not.
    @discardableResult
    public func setUserCodeRecoveryAllowed(
        _ isAllowed: Bool,
        cardId: String? = nil
    ) throws(TangemError) -> TangemUserSettings {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.setUserSettings(isAllowed ? [] : .forbidResetPIN)
        }
    }

    // MARK: - Development cards

    /// Makes a development card out of a blank one.
    public func personalize(_ configuration: PersonalizationConfiguration) throws(TangemError) -> CardRecord {
        try withSession(preflight: .none) { session throws(TangemError) in
            try session.personalize(configuration)
        }
    }

    /// Makes a development card blank.
    public func depersonalize(cardId: String? = nil) throws(TangemError) {
        try withSession(cardId: cardId, preflight: .none) { session throws(TangemError) in
            try session.depersonalize()
        }
    }
}
