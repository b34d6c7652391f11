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
        // A code that is the old one again is no change.
        let (oldAccessCode, oldPasscode) = (accessCode, passcode)
        let answer = try run(SetPINCommand(accessCode: newAccessCode, passcode: newPasscode))
        if let newAccessCode, answer.isAccessCodeChanged {
            accessCode = newAccessCode
            if card?.isAccessCodeDefault != nil {
                card?.isAccessCodeDefault = newAccessCode == .standard(.accessCode)
            }
        }
        if let newPasscode, answer.isPasscodeChanged {
            passcode = newPasscode
            if card?.isPasscodeDefault != nil {
                card?.isPasscodeDefault = newPasscode == .standard(.passcode)
            }
        }
        guard configuration.handlesErrors else { return answer }
        var kept: [String] = []
        if let newAccessCode, newAccessCode != oldAccessCode, !answer.isAccessCodeChanged {
            kept.append("the access code")
        }
        if let newPasscode, newPasscode != oldPasscode, !answer.isPasscodeChanged {
            kept.append("the passcode")
        }
        guard kept.isEmpty else {
            throw TangemError(
                .unknownError,
                "the card takes the command and says that \(kept.joined(separator: " and ")) did not change",
                command: "SET_PIN",
                sw: answer.sw
            )
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

    /// Lets no more wallets leave a primary card.
    public func finalizeReadingBackup() throws(TangemError) {
        let losses = losses
        do throws(TangemError) {
            _ = try run(FinalizeReadBackupDataCommand())
        } catch {
            // "Wrong state" says that it was done before, which after a loss was this very command.
            guard isRefusal(error, afterLossSince: losses), error.kind == .invalidState else { throw error }
        }
    }

    /// Random bytes of the card.
    public func entropy() throws(TangemError) -> [UInt8] {
        try run(GetEntropyCommand())
    }

    /// Makes a development card out of a blank one.
    ///
    /// The session must have begun without reading the card.
    public func personalize(_ configuration: PersonalizationConfiguration) throws(TangemError) -> CardRecord {
        if let wantedID, wantedID != configuration.id {
            throw TangemError(
                .wrongCardNumber,
                "a blank card has no identifier, so it is not \(wantedID); it can only become that card",
                command: "PERSONALIZE"
            )
        }
        let record = try runUnnamed(PersonalizeCommand(configuration)) { () throws(TangemError) in
            try requireBlank()
        } lostAnswer: { () throws(TangemError) in
            // The codes that it has if it is no longer blank.
            accessCode = configuration.accessCode
            guard let record = try recordUnlessBlank() else { return nil }
            return .some(record)
        }
        accessCode = configuration.accessCode
        passcode = configuration.passcode
        card = record
        return try readAgain()
    }

    /// Refuses a card that is not blank.
    private func requireBlank() throws(TangemError) {
        let found: String
        do throws(TangemError) {
            guard let record = try recordUnlessBlank() else { return }
            found = "it is \(record.id)"
        } catch {
            guard error.kind == .accessCodeRequired else { throw error }
            found = "it has an access code"
        }
        throw TangemError(.alreadyPersonalized, found, command: "PERSONALIZE")
    }

    /// The record of the card that lies there; nil of a blank one.
    private func recordUnlessBlank() throws(TangemError) -> CardRecord? {
        do throws(TangemError) {
            return try run(ReadCardCommand(), asksForCodes: false)
        } catch {
            guard error.kind == .notPersonalized else { throw error }
            return nil
        }
    }

    /// Makes a development card blank: that of the session, where there is one.
    ///
    /// The command names no card, so that the card is read first where one is meant.
    public func depersonalize() throws(TangemError) {
        let own = card?.id
        _ = try runUnnamed(DepersonalizeCommand()) { () throws(TangemError) in
            guard own != nil || wantedID != nil else { return }
            let found = try own == nil ? findWanted() : run(ReadCardCommand())
            guard found.id == own ?? wantedID else {
                throw TangemError(
                    .wrongCardNumber,
                    "\(found.id) answered, the session is with \((own ?? wantedID)?.description ?? "")",
                    command: "DEPERSONALIZE"
                )
            }
        } lostAnswer: { () throws(TangemError) in
            do throws(TangemError) {
                return try recordUnlessBlank() == nil ? DoneAnswer(sw: TangemStatus.completed) : nil
            } catch {
                // A card that asks for its code is not blank.
                guard error.kind == .accessCodeRequired else { throw error }
                return nil
            }
        }
        card = nil
    }
}
