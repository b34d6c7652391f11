// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// Checks card identifier and access code, which nearly all commands carry.
    ///
    /// - Returns: The card's identity.
    mutating func checkCardAndAccessCode(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let identity = try checkCard(fields)
        try checkAccessCode(fields)
        return identity
    }

    /// Checks the card identifier.
    ///
    /// - Returns: The card's identity.
    func checkCard(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let identity = try identity()
        guard let given = fields[.cardID] else { throw .parameters }
        guard given == identity.cardID else { throw .refused(settings.wrongCard) }
        return identity
    }

    /// Checks the access code; each check after several wrong ones waits.
    mutating func checkAccessCode(_ fields: CommandFields) throws(Stop) {
        guard let given = fields[.pin] else { throw .parameters }
        guard given == memory.pin1 else {
            try countWrongAccessCode()
            throw .refused(settings.tellsWhichCode ? TangemStatus.invalidAccessCode : wrongCode)
        }
        try serve(.accessCode, penalty(memory.pin1Failures))
        memory.pin1Failures = 0
    }

    /// Takes note of a wrong access code, after the delay that earlier ones cost.
    mutating func countWrongAccessCode() throws(Stop) {
        try serve(.accessCode, penalty(memory.pin1Failures))
        memory.pin1Failures += 1
    }

    /// Checks the passcode; each check after several wrong ones waits.
    mutating func checkPasscode(_ fields: CommandFields) throws(Stop) {
        guard let given = fields[.pin2] else { throw .refused(noPasscode) }
        try serve(.passcode, penalty(memory.pin2Failures))
        guard given == memory.pin2 else {
            memory.pin2Failures += 1
            throw .refused(noPasscode)
        }
        memory.pin2Failures = 0
    }

    /// Checks the code that is printed on the card, where the settings ask for it.
    func checkCVC(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) {
        guard identity.settings.contains(.useCVC) else { return }
        guard fields[.cvc] == identity.cvc else { throw .parameters }
    }

    private var noPasscode: StatusWord {
        settings.tellsWhichCode ? TangemStatus.invalidPasscode : wrongCode
    }

    private var wrongCode: StatusWord { TangemStatus.invalidParameters }

    /// The delay before a check that follows so many wrong codes.
    private func penalty(_ failures: Int) -> Duration {
        let counted = min(max(failures - settings.freeWrongCodes, 0), 100_000)
        return min(settings.wrongCodeDelay * counted, settings.wrongCodeDelayLimit)
    }
}
