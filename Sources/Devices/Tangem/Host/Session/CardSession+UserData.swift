// SPDX-License-Identifier: MIT

public import TangemConstants

extension CardSession {
    /// Writes data of the user that need no passcode.
    public func writeUserData(_ data: [UInt8]? = nil, counter: UInt32? = nil) throws(TangemError) {
        _ = try run(WriteUserDataCommand(data: data, counter: counter))
    }

    /// Writes data of the user that need the passcode.
    public func writeUserProtectedData(_ data: [UInt8]? = nil, counter: UInt32? = nil) throws(TangemError) {
        _ = try run(WriteUserDataCommand(protectedData: data, protectedCounter: counter))
    }

    /// Reads all data and counters of the user.
    public func readUserData() throws(TangemError) -> ReadUserDataCommand.Answer {
        try run(ReadUserDataCommand())
    }

    // MARK: - Codes

    /// Changes codes; nil keeps a code.
    ///
    /// - Parameters:
    ///   - accessCode: The text of the new access code, 4 characters or more.
    ///   - passcode: The text of the new passcode, 4 characters or more.
    /// - Returns: What the card changed.
    /// - Throws: `accessCodeTooShort` and the like before anything is sent, or what the card says.
    @discardableResult
    public func setCodes(
        accessCode: String? = nil,
        passcode: String? = nil
    ) throws(TangemError) -> SetPINCommand.Answer {
        var newAccessCode: UserCode?
        var newPasscode: UserCode?
        if let accessCode {
            newAccessCode = try newCode(accessCode, .accessCode, ifStandard: .accessCodeCannotBeDefault)
        }
        if let passcode {
            newPasscode = try newCode(passcode, .passcode, ifStandard: .passcodeCannotBeDefault)
        }
        return try change(newAccessCode, newPasscode)
    }

    private func newCode(
        _ text: String,
        _ kind: UserCode.Kind,
        ifStandard refusal: TangemError.Kind
    ) throws(TangemError) -> UserCode {
        guard configuration.handlesErrors else { return UserCode(text) }
        let code = try UserCode.new(text, kind)
        guard code != .standard(kind) else { throw TangemError(refusal) }
        return code
    }

    /// Sets both codes back to those that every card comes with.
    @discardableResult
    public func resetCodes() throws(TangemError) -> SetPINCommand.Answer {
        try change(
            accessCode == .standard(.accessCode) ? nil : .standard(.accessCode),
            passcode == .standard(.passcode) ? nil : .standard(.passcode)
        )
    }

    private func change(_ newAccessCode: UserCode?, _ newPasscode: UserCode?) throws(TangemError)
        -> SetPINCommand.Answer
    {
        let answer = try run(SetPINCommand(accessCode: newAccessCode, passcode: newPasscode))
        if let newAccessCode {
            accessCode = newAccessCode
            if card?.isAccessCodeDefault != nil {
                card?.isAccessCodeDefault = newAccessCode == .standard(.accessCode)
            }
        }
        if let newPasscode {
            passcode = newPasscode
            if card?.isPasscodeDefault != nil {
                card?.isPasscodeDefault = newPasscode == .standard(.passcode)
            }
        }
        return answer
    }

    // MARK: - Settings and the rest

    /// Changes the settings of the user.
    @discardableResult
    public func setUserSettings(_ settings: TangemUserSettings) throws(TangemError) -> TangemUserSettings {
        let now = try run(SetUserSettingsCommand(settings: settings))
        card?.userSettings = now
        return now
    }

    /// Random bytes of the card.
    public func entropy() throws(TangemError) -> [UInt8] {
        try run(GetEntropyCommand())
    }

    /// Makes a development card out of a blank one.
    ///
    /// The session must have begun without reading the card.
    public func personalize(_ configuration: PersonalizationConfiguration) throws(TangemError) -> CardRecord {
        var found: String?
        do {
            found = "it is \(try run(ReadCardCommand(), asksForCodes: false).id)"
        } catch {
            switch error.kind {
            case .notPersonalized: break
            case .accessCodeRequired: found = "it has an access code"
            default: throw error
            }
        }
        if let found { throw TangemError(.alreadyPersonalized, found, command: "PERSONALIZE") }
        let record = try run(PersonalizeCommand(configuration))
        accessCode = configuration.accessCode
        passcode = configuration.passcode
        card = record
        return try readAgain()
    }

    /// Makes a development card blank.
    public func depersonalize() throws(TangemError) {
        _ = try run(DepersonalizeCommand())
        card = nil
    }
}
