// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants

/// Which codes the commands of a step try, and what the card says to them.
///
/// These cards tell no counter, but each wrong code may make them slower for good, so the rig counts.
struct CodeAttempts {
    /// Wrong codes in a row that the rig lets out, and one that it keeps in reserve.
    static let tries = 6

    private static let accessCode = "access code"
    private static let passcode = "passcode"

    /// Whether the step names a passcode: a refusal of the usual one most often means something else.
    private let hasOwnPasscode: Bool
    private var last: [UInt8] = []
    /// Whether the card has shown that it tells a wrong code from another mistake.
    private var tellsWrongCodes = false
    private var tried: (accessCode: Bool, passcode: Bool) = (false, false)

    init(hasOwnPasscode: Bool) {
        self.hasOwnPasscode = hasOwnPasscode
    }

    /// Looks for codes in a command, and asks the guard about them.
    mutating func admit(_ command: [UInt8], _ codeGuard: (any CodeGuard)?) throws(TransportFault) {
        // The same bytes again are a poll of the security delay, not another attempt.
        guard let codeGuard, command != last else { return }
        tried = codes(in: command)
        if tried.accessCode { try codeGuard.admit(code: Self.accessCode) }
        if tried.passcode { try codeGuard.admit(code: Self.passcode) }
        last = command
    }

    /// Tells the guard what the card said.
    mutating func judge(_ answer: [UInt8], _ codeGuard: (any CodeGuard)?) {
        guard let codeGuard, answer.count >= 2, tried.accessCode || tried.passcode else { return }
        let sw = StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1])
        tellsWrongCodes = tellsWrongCodes || showsCodes(sw, answer)
        switch sw {
        case TangemStatus.invalidAccessCode:
            note(Self.accessCode, wasRight: false, codeGuard)
        case TangemStatus.invalidPasscode:
            if tried.accessCode { note(Self.accessCode, wasRight: true, codeGuard) }
            note(Self.passcode, wasRight: false, codeGuard)
        case TangemStatus.invalidParameters where !tellsWrongCodes:
            // Before 4.01 it may mean a wrong code too: READ has no other parameter, SET_PIN is how codes are asked for.
            if instruction == .read { note(Self.accessCode, wasRight: false, codeGuard) }
            if tried.passcode, hasOwnPasscode || instruction == .setPIN {
                note(Self.passcode, wasRight: false, codeGuard)
            }
        case TangemStatus.completed, TangemStatus.pin1Changed, TangemStatus.pin2Changed,
            TangemStatus.pins12Changed:
            if tried.accessCode { note(Self.accessCode, wasRight: true, codeGuard) }
            if tried.passcode { note(Self.passcode, wasRight: true, codeGuard) }
        default: break
        }
    }

    /// Words of their own for wrong codes, or a READ that tells which code is the default: both came with 4.01.
    private func showsCodes(_ sw: StatusWord, _ answer: [UInt8]) -> Bool {
        if sw == TangemStatus.invalidAccessCode || sw == TangemStatus.invalidPasscode { return true }
        guard instruction == .read, last[2] == TangemEncryption.none, sw == TangemStatus.completed,
            let objects = try? CardObjects(parsing: Array(answer.dropLast(2)))
        else { return false }
        return objects.items.contains { $0.tag == .isPIN2Default || $0.tag == .isPINDefault }
    }

    private func note(_ code: String, wasRight: Bool, _ codeGuard: any CodeGuard) {
        codeGuard.note(code: code, wasRight: wasRight, tries: Self.tries)
    }

    private var instruction: TangemInstruction? {
        last.count > 2 ? TangemInstruction(rawValue: last[1]) : nil
    }

    private func codes(in command: [UInt8]) -> (accessCode: Bool, passcode: Bool) {
        guard let apdu = try? CommandAPDU(bytes: command), apdu.cla == TangemInstruction.cla,
            ![.select, .openSession, .personalize].contains(TangemInstruction(rawValue: apdu.ins))
        else { return (false, false) }
        // An encrypted body shows nothing; nearly all commands carry the access code.
        guard apdu.p1 == TangemEncryption.none else { return (!apdu.data.isEmpty, hasOwnPasscode) }
        guard let objects = try? CardObjects(parsing: apdu.data) else { return (false, false) }
        let tags = objects.items.map(\.tag)
        return (tags.contains(.pin), tags.contains(.pin2))
    }
}
