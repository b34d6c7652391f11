// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import TangemConstants

extension CardState {
    /// Answers a command, whatever its bytes are.
    mutating func answer(_ bytes: [UInt8], at now: Duration) -> CardAnswer {
        guard field.isPowered else { return CardAnswer([], ending: .mute) }
        call = Call(bytes: bytes, arrival: now)
        let before = memory
        let answer = outcome(of: bytes)
        guard let torn = tornWrite, memory != before else { return answer }
        tornWrite = nil
        if torn == .oldState { memory = before }
        setPower(false)
        return CardAnswer([], time: answer.time, ending: .removed)
    }

    private mutating func outcome(of bytes: [UInt8]) -> CardAnswer {
        let command: CommandAPDU
        do {
            command = try CommandAPDU(bytes: bytes)
        } catch {
            return answer([], settings.wrongLength, after: settings.commandTime)
        }
        do throws(Stop) {
            let reply = try run(command)
            if endsDelay(command) { endDelay() }
            var fields = reply.fields
            if settings.health != 0, !fields.bytes.isEmpty, field.application == .wallet {
                fields.add(.health, number: settings.health, count: 1)
            }
            let data = try seal(fields.bytes, command)
            return answer(data, reply.sw, after: settings.commandTime + call.waited + reply.time)
        } catch {
            switch error {
            case .refused(let sw):
                if endsDelay(command) { endDelay() }
                return answer([], sw, after: settings.commandTime + call.waited)
            case .pause(let left, let silence):
                // Shorter than a block, so it stays in the clear in every mode.
                var fields = pauseFields(left)
                if settings.health != 0 { fields.add(.health, number: settings.health, count: 1) }
                return answer(fields.bytes, TangemStatus.needPause, after: settings.commandTime + silence)
            }
        }
    }

    /// Whether a command that is through ends the delay of another; those by which a host finds the card do not.
    private func endsDelay(_ command: CommandAPDU) -> Bool {
        let instruction = TangemInstruction(rawValue: command.ins)
        return command.cla == TangemInstruction.cla && instruction != .select && instruction != .openSession
    }

    private func answer(_ data: [UInt8], _ sw: StatusWord, after time: Duration) -> CardAnswer {
        CardAnswer(data + [sw.sw1, sw.sw2], time: time)
    }

    private mutating func run(_ command: CommandAPDU) throws(Stop) -> Reply {
        guard command.cla == TangemInstruction.cla else { throw .refused(settings.unknownClass) }
        let instruction = TangemInstruction(rawValue: command.ins)
        if instruction == .select { return try select(command) }
        try checkExpectedLength(command)
        switch field.application {
        case .wallet: break
        case .ndef: return try runInNDEF(command)
        case nil: throw .refused(settings.notSelected)
        }
        guard isThere(instruction) else { throw .refused(settings.unknownInstruction) }
        switch instruction {
        case .openSession: return try openSession(command)
        case .personalize: return try personalize(command)
        case .depersonalize: return try depersonalize()
        default: break
        }
        guard let fields = CommandFields(try open(command)) else { throw .parameters }
        if settings.refusesUnknownObjects, fields.hasUnknown { throw .parameters }
        if memory.identity == nil {
            guard instruction == .read else { throw .state }
            return readBlank()
        }
        return try perform(instruction, fields, p1: command.p1)
    }

    /// Hosts of the vendor send no Le; what a card does with one is not published.
    private func checkExpectedLength(_ command: CommandAPDU) throws(Stop) {
        let isRight =
            switch settings.expectedLength {
            case .any: true
            case .absent: command.ne == 0
            case .present: command.ne > 0
            }
        guard isRight else { throw .refused(settings.wrongLength) }
    }

    /// Whether the firmware knows an instruction.
    private func isThere(_ instruction: TangemInstruction) -> Bool {
        switch instruction {
        case .read, .attestCardKey, .writeIssuerData, .readIssuerData, .createWallet, .attestWalletKey,
            .setPIN, .sign, .purgeWallet, .openSession:
            true
        case .personalize, .depersonalize: settings.isPersonalizable
        case .writeUserData, .readUserData: !has(.linkedTerminal) || has(.userDataAgain)
        case .writeFileData, .readFileData: has(.files)
        case .authorize, .startPrimaryCardLinking, .startBackupCardLinking, .linkBackupCards,
            .readBackupData, .linkPrimaryCard, .writeBackupData, .backupReset:
            has(.backup)
        case .setUserSettings, .getEntropy, .finalizeReadBackupData: has(.keysImport)
        case .generateOTP: settings.hasOTP
        default: false
        }
    }

    private mutating func perform(
        _ instruction: TangemInstruction,
        _ fields: CommandFields,
        p1: UInt8
    ) throws(Stop) -> Reply {
        switch instruction {
        case .read: try read(fields)
        case .attestCardKey: try attestCardKey(fields)
        case .attestWalletKey: try attestWalletKey(fields)
        case .createWallet: try createWallet(fields, p1: p1)
        case .purgeWallet: try purgeWallet(fields)
        case .sign: try sign(fields)
        case .setPIN: try setPIN(fields)
        case .writeIssuerData: try writeIssuerData(fields)
        case .readIssuerData: try readIssuerData(fields)
        case .writeUserData: try writeUserData(fields)
        case .readUserData: try readUserData(fields)
        case .writeFileData: try writeFileData(fields)
        case .readFileData: try readFileData(fields)
        case .getEntropy: try entropy(fields)
        case .setUserSettings: try setUserSettings(fields)
        case .generateOTP: try generateOTP(fields)
        case .authorize: try authorize(fields)
        case .startPrimaryCardLinking: try startPrimaryCardLinking(fields)
        case .startBackupCardLinking: try startBackupCardLinking(fields)
        case .linkBackupCards: try linkBackupCards(fields)
        case .readBackupData: try readBackupData(fields)
        case .finalizeReadBackupData: try finalizeReadBackupData(fields)
        case .linkPrimaryCard: try linkPrimaryCard(fields)
        case .writeBackupData: try writeBackupData(fields)
        case .backupReset: try backupReset(fields)
        default: throw .refused(settings.unknownInstruction)
        }
    }
}
