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
    /// Commands that give the card other codes, or precede such.
    private static let givingCodes: Set<TangemInstruction> = [
        .personalize, .depersonalize, .linkBackupCards, .linkPrimaryCard, .authorize,
    ]

    /// The passcode that the step names; a refusal of the usual one most often means something else.
    private let ownPasscode: UserCode?
    /// Digest of the passcode that the card was last seen to take; nil when that is unknown.
    private(set) var takenPasscode: [UInt8]?
    /// Whether the card took the access code of a READ in this step.
    private var tookAccessCode = false
    private var last: [UInt8] = []
    /// Whether the card has told a wrong code from another mistake, which nothing else proves.
    private var tellsWrongCodes = false
    private var tried: (accessCode: Bool, passcode: [UInt8]?) = (false, nil)

    init(ownPasscode: UserCode?, takenPasscode: [UInt8]?) {
        self.ownPasscode = ownPasscode
        self.takenPasscode = takenPasscode
    }

    /// Looks for codes in a command, and asks the guard about them.
    mutating func admit(_ command: [UInt8], _ codeGuard: (any CodeGuard)?) throws(TransportFault) {
        // The same bytes again are a poll of the security delay, not another attempt.
        guard let codeGuard, command != last else { return }
        tried = codes(in: command)
        if tried.accessCode { try codeGuard.admit(code: Self.accessCode) }
        if tried.passcode != nil { try codeGuard.admit(code: Self.passcode) }
        last = command
    }

    /// Tells the guard what the card said.
    mutating func judge(_ answer: [UInt8], _ codeGuard: (any CodeGuard)?) {
        // These give the card other codes.
        if let instruction, Self.givingCodes.contains(instruction) { takenPasscode = nil }
        guard let codeGuard, answer.count >= 2, tried.accessCode || tried.passcode != nil else { return }
        let sw = StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1])
        switch sw {
        case TangemStatus.invalidAccessCode:
            tellsWrongCodes = true
            note(Self.accessCode, wasRight: false, codeGuard)
        case TangemStatus.invalidPasscode:
            tellsWrongCodes = true
            if takenPasscode == tried.passcode { takenPasscode = nil }
            if tried.accessCode { note(Self.accessCode, wasRight: true, codeGuard) }
            note(Self.passcode, wasRight: false, codeGuard)
        case TangemStatus.invalidParameters where !tellsWrongCodes:
            // It may mean a wrong code too, unless it is one that the card takes: the first READ has no other parameter,
            // SET_PIN is how codes are asked for.
            if instruction == .read, !tookAccessCode { note(Self.accessCode, wasRight: false, codeGuard) }
            if let passcode = tried.passcode, passcode != takenPasscode,
                ownPasscode != nil || instruction == .setPIN
            {
                note(Self.passcode, wasRight: false, codeGuard)
            }
        case TangemStatus.completed, TangemStatus.pin1Changed, TangemStatus.pin2Changed,
            TangemStatus.pins12Changed:
            if tried.accessCode { note(Self.accessCode, wasRight: true, codeGuard) }
            if tried.passcode != nil { note(Self.passcode, wasRight: true, codeGuard) }
            learn(sw, answer)
        default: break
        }
    }

    /// Learns from a command that was carried out which codes the card takes.
    private mutating func learn(_ sw: StatusWord, _ answer: [UInt8]) {
        // Other commands may pass over a passcode that they do not need.
        if instruction == .sign || instruction == .setPIN, let passcode = tried.passcode {
            takenPasscode = passcode
        }
        if sw == TangemStatus.pin2Changed || sw == TangemStatus.pins12Changed {
            takenPasscode = clearObjects(of: last)?[.newPIN2]
        }
        guard instruction == .read else { return }
        tookAccessCode = true
        guard last[2] == TangemEncryption.none,
            let objects = try? CardObjects(parsing: Array(answer.dropLast(2))),
            objects[.isPIN2Default] != nil || objects[.isPINDefault] != nil
        else { return }
        // Cards from 4.01 on tell whether the passcode is the usual one.
        let standard = UserCode.standard(.passcode).digest
        if objects.flag(.isPIN2Default) {
            takenPasscode = standard
        } else if takenPasscode == standard {
            takenPasscode = nil
        }
    }

    private func note(_ code: String, wasRight: Bool, _ codeGuard: any CodeGuard) {
        codeGuard.note(code: code, wasRight: wasRight, tries: Self.tries)
    }

    private var instruction: TangemInstruction? {
        last.count > 2 ? TangemInstruction(rawValue: last[1]) : nil
    }

    private func codes(in command: [UInt8]) -> (accessCode: Bool, passcode: [UInt8]?) {
        guard let apdu = try? CommandAPDU(bytes: command), apdu.cla == TangemInstruction.cla,
            ![.select, .openSession, .personalize].contains(TangemInstruction(rawValue: apdu.ins))
        else { return (false, nil) }
        // An encrypted body shows nothing; nearly all commands carry the access code.
        guard apdu.p1 == TangemEncryption.none else { return (!apdu.data.isEmpty, ownPasscode?.digest) }
        guard let objects = clearObjects(of: command) else { return (false, nil) }
        return (objects[.pin] != nil, objects[.pin2])
    }

    private func clearObjects(of command: [UInt8]) -> CardObjects? {
        guard let apdu = try? CommandAPDU(bytes: command), apdu.p1 == TangemEncryption.none else {
            return nil
        }
        return try? CardObjects(parsing: apdu.data)
    }
}
