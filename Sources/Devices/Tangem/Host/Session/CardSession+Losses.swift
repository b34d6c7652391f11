// SPDX-License-Identifier: MIT

import TangemConstants

/// What is done about a card that was lost in the middle of a command: nothing is done twice.
extension CardSession {
    /// How often the card was lost so far and looked for.
    var losses: Int { channel.losses }

    /// Whether the card was lost at a command that is not sent again by itself, and may be looked for.
    func isLoss(_ error: TangemError, since losses: Int) -> Bool { error.isLoss && channel.losses > losses }

    /// Finds the card after a change of codes whose answer was lost.
    ///
    /// - Parameters:
    ///   - codes: The new codes.
    ///   - before: What the command was sent with.
    /// - Returns: The card as it is after the change; nil when it still has the old codes.
    /// - Throws: Why it was not found.
    func cardWithNewCodes(
        _ codes: NewCodes,
        _ before: CommandContext
    ) throws(TangemError) -> CardRecord? {
        let code = try channel.findAgain(before, or: codes.accessCode)
        var context = before.with(accessCode: code)
        let answer = try channel.exchange(ReadCardCommand(), context)
        if let error = TangemError(sw: answer.sw) { throw error }
        let record = try ReadCardCommand().answer(answer, context)
        if let new = codes.accessCode, new != before.accessCode { return code == new ? record : nil }
        guard let new = codes.passcode, new != before.passcode else { return nil }
        // Where the card tells, no code needs to be tried.
        if let isDefault = record.isPasscodeDefault, let wasDefault = before.card?.isPasscodeDefault {
            if isDefault != wasDefault { return record }
            if wasDefault != (new == .standard(.passcode)) { return nil }
        }
        context.passcode = new
        let check = try channel.exchange(SetPINCommand(), context)
        return TangemError(sw: check.sw) == nil ? record : nil
    }

    /// Whether the card refused a command after a loss: what it was to do may have been done before.
    func isRefusal(_ error: TangemError, afterLossSince losses: Int) -> Bool {
        configuration.handlesErrors && error.sw != nil && channel.losses > losses
    }

    /// Carries out what takes several commands; a card that lost the first ones with its power gets all of them again.
    ///
    /// - Parameters:
    ///   - work: All commands.
    ///   - done: What the card shows of work that came to its end although the last answer was lost; nil when it did not.
    /// - Returns: What the work gives.
    /// - Throws: What the card says to the work, also where it refuses the look at what was done.
    func repeatedly<Result>(
        _ work: () throws(TangemError) -> Result,
        unless done: () throws(TangemError) -> Result?
    ) throws(TangemError) -> Result {
        while true {
            let losses = losses
            do throws(TangemError) {
                return try work()
            } catch {
                let refusal = error
                guard isRefusal(refusal, afterLossSince: losses) else { throw refusal }
                do throws(TangemError) {
                    if let result = try done() { return result }
                } catch {
                    throw error.sw == nil ? error : refusal
                }
            }
        }
    }

    /// Runs a command that names no card: after a loss only the same card gets it again, by its UID.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - prepare: Looks whether it is meant for the card that lies there.
    ///   - lostAnswer: What the card that was found again shows of a lost answer; nil when nothing was done.
    /// - Returns: What the card gave back.
    /// - Throws: The loss, where nobody can say which card lies there now.
    func runUnnamed<Command: TangemCommand>(
        _ command: Command,
        prepare: () throws(TangemError) -> Void,
        lostAnswer: () throws(TangemError) -> Command.Answer?
    ) throws(TangemError) -> Command.Answer {
        var before: Int
        repeat {
            before = losses
            if configuration.reconnections > 0 { try channel.noteUID() }
            try prepare()
        } while losses != before
        while true {
            let losses = losses
            do throws(TangemError) {
                return try run(command)
            } catch {
                guard isLoss(error, since: losses) else { throw error }
                var found: Command.Answer?
                repeat {
                    before = channel.losses
                    guard try channel.findNotedAgain() else { throw error }
                    found = try lostAnswer()
                    // What was lost meanwhile may have been changed for another one.
                } while channel.losses != before
                if let found { return found }
            }
        }
    }
}
