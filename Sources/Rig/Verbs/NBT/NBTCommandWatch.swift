// SPDX-License-Identifier: MIT

import CardConnection
import NBT
import NBTConstants
import SmartCard

/// Follows the commands to a chip: which file is selected, and what they try of its passwords.
///
/// The chip counts wrong passwords by their id and tells no counter, so the rig counts. Which id a file asks for stands in
/// the access policy; while the case has seen none, the file's side is counted in its place.
struct NBTCommandWatch {
    /// The file that is selected; nil before the first SELECT and after one of an application.
    private(set) var file: NBTFile?
    private var rights: [NBTFile: FileAccessPolicy] = [:]
    /// Retry limits of the passwords that were created, by id.
    private var limits: [UInt8: Int] = [:]
    /// What the last SELECT presented and the answer to it did not judge, by its tag.
    private var open: [UInt8: Attempt] = [:]

    /// A password that a command presents.
    private struct Attempt {
        /// Its word for the guard, for example `password 1`.
        let code: String
        /// Its tag in SELECT; nil for a master password.
        let tag: UInt8?
        /// Its retry limit; the usual one where nobody knows.
        let limit: Int
    }

    /// The limit that is taken for granted; the one that ``NBTPassword`` is made with most often.
    private static let usualLimit = 3
    /// The most that a ledger holds.
    private static let largestCount = 15

    /// Asks the guard about the passwords that a command presents.
    func admit(_ command: [UInt8], _ codeGuard: (any CodeGuard)?, isI2C: Bool) throws(TransportFault) {
        guard let codeGuard else { return }
        for attempt in attempts(in: command, isI2C: isI2C) { try codeGuard.admit(code: attempt.code) }
    }

    /// Counts what a command presented whose answer got lost: the chip may have counted it.
    func noteLoss(_ command: [UInt8], _ fault: TransportFault, _ codeGuard: (any CodeGuard)?, isI2C: Bool) {
        guard let codeGuard, ![.guarded, .limit, .control, .probe, .permission].contains(fault.kind)
        else { return }
        for attempt in attempts(in: command, isI2C: isI2C) { note(attempt, wasRight: false, codeGuard) }
    }

    /// Learns from a command and its answer.
    mutating func note(
        _ command: [UInt8],
        _ answer: ResponseAPDU,
        _ codeGuard: (any CodeGuard)?,
        isI2C: Bool
    ) {
        guard let apdu = try? CommandAPDU(bytes: command) else { return }
        if let codeGuard { judge(attempts(in: command, isI2C: isI2C), answer, codeGuard) }
        if let codeGuard { judgeOpen(apdu, answer.sw, codeGuard) }
        let isGone = apdu.ins == NBTInstruction.deletePassword && answer.sw == NBTStatus.referenceNotFound
        guard answer.sw == .success || isGone, apdu.cla == NBTInstruction.tagClass else { return }
        switch apdu.ins {
        case NBTInstruction.select:
            let isFile = apdu.p1 == NBTInstruction.selectByID && apdu.data.count >= 2
            file = isFile ? Self.file(apdu.data) : nil
        case NBTInstruction.updateBinary where file == .accessPolicy: learnPolicy(apdu.data)
        case NBTInstruction.readBinary where file == .accessPolicy && apdu.p1 == 0 && apdu.p2 == 0:
            learnPolicy(answer.data)
        case NBTInstruction.createPassword: learnPassword(apdu.data.suffix(9), codeGuard)
        case NBTInstruction.personalizeData where apdu.data.starts(with: [0xA0, 0x03]):
            learnPassword(apdu.data.dropFirst(3), codeGuard)
        case NBTInstruction.deletePassword:
            limits[apdu.p2] = nil
            codeGuard?.note(code: Self.code(apdu.p2), wasRight: true, tries: Self.usualLimit)
        case NBTInstruction.changePassword:
            let id = apdu.p2 & AccessByte.passwordMask
            if let codeGuard { note(attempt(id, tag: nil), wasRight: true, codeGuard) }
        default: break
        }
    }

    // MARK: Attempts

    private func attempts(in command: [UInt8], isI2C: Bool) -> [Attempt] {
        guard let apdu = try? CommandAPDU(bytes: command), apdu.cla == NBTInstruction.tagClass else {
            return []
        }
        let size = PasswordLimits.valueSize
        switch apdu.ins {
        case NBTInstruction.select where apdu.p1 == NBTInstruction.selectByID && apdu.data.count > 2:
            let file = Self.file(apdu.data)
            return presented(in: apdu.data.dropFirst(2)).compactMap {
                attempt(at: file, tag: $0, isI2C: isI2C)
            }
        case NBTInstruction.createPassword where apdu.data.count > 9,
            NBTInstruction.deletePassword where apdu.data.count == size:
            break
        case NBTInstruction.changePassword:
            let isChange = apdu.p2 & NBTInstruction.changePasswordFlag != 0
            guard apdu.data.count == (isChange ? 2 * size : size) else { return [] }
        default: return []
        }
        let master = attempt(at: .accessPolicy, tag: NBTInstruction.writePasswordTag, isI2C: isI2C)
        return master.map { [Attempt(code: $0.code, tag: nil, limit: $0.limit)] } ?? []
    }

    /// The tags of the passwords inside SELECT.
    private func presented(in objects: ArraySlice<UInt8>) -> [UInt8] {
        var tags: [UInt8] = []
        var rest = objects
        while let tag = rest.popFirst(), let length = rest.popFirst() {
            if [NBTInstruction.readPasswordTag, NBTInstruction.writePasswordTag].contains(tag) {
                tags.append(tag)
            }
            rest = rest.dropFirst(Int(length))
        }
        return tags
    }

    /// The password that a side of a file asks for; nil when it is known to ask for none.
    private func attempt(at file: NBTFile, tag: UInt8, isI2C: Bool) -> Attempt? {
        let isReading = tag == NBTInstruction.readPasswordTag
        guard let policy = rights[file] else {
            let side = isReading ? "for reading" : "for writing"
            let isMaster = file == .accessPolicy && !isReading
            let code = isMaster ? "master password" : "password \(side) \(file.name ?? file.idBytes.hex)"
            return Attempt(code: code, tag: tag, limit: Self.usualLimit)
        }
        let right =
            switch (isReading, isI2C) {
            case (true, true): policy.i2cRead
            case (true, false): policy.nfcRead
            case (false, true): policy.i2cWrite
            case (false, false): policy.nfcWrite
            }
        return right.passwordID.map { attempt($0, tag: tag) }
    }

    private func attempt(_ id: UInt8, tag: UInt8?) -> Attempt {
        Attempt(code: Self.code(id), tag: tag, limit: limits[id] ?? Self.usualLimit)
    }

    private static func code(_ id: UInt8) -> String { "password \(id)" }

    private static func file(_ data: [UInt8]) -> NBTFile {
        NBTFile(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
    }

    // MARK: Outcomes

    private mutating func judge(_ attempts: [Attempt], _ answer: ResponseAPDU, _ codeGuard: any CodeGuard) {
        guard !attempts.isEmpty else { return }
        let tags = attempts.compactMap(\.tag)
        // CHANGE and UNBLOCK answer 6985 to a wrong master password, and for other reasons too.
        let isWrong =
            answer.sw == NBTStatus.securityNotSatisfied || answer.sw.triesLeft != nil
            || tags.isEmpty && answer.sw == NBTStatus.conditionsNotSatisfied
        guard !tags.isEmpty, answer.sw == .success else {
            guard isWrong || answer.sw == .success else { return }
            for attempt in attempts { note(attempt, wasRight: !isWrong, codeGuard) }
            return
        }
        open = [:]
        for (attempt, outcome) in zip(
            attempts,
            NBTResponseParser.passwordOutcomes(answer.data, presented: tags)
        ) {
            switch outcome {
            case .accepted: note(attempt, wasRight: true, codeGuard)
            case .wrong: note(attempt, wasRight: false, codeGuard)
            case .blocked: codeGuard.note(code: attempt.code, wasRight: false, tries: 1)
            case .unknown: open[attempt.tag ?? 0] = attempt
            }
        }
    }

    /// Where the answer to SELECT does not tell, the first read or write does.
    private mutating func judgeOpen(_ apdu: CommandAPDU, _ sw: StatusWord, _ codeGuard: any CodeGuard) {
        let tag: UInt8
        switch apdu.ins {
        case NBTInstruction.readBinary: tag = NBTInstruction.readPasswordTag
        case NBTInstruction.updateBinary: tag = NBTInstruction.writePasswordTag
        default: return
        }
        guard sw == .success || sw == NBTStatus.securityNotSatisfied,
            let attempt = open.removeValue(forKey: tag)
        else { return }
        note(attempt, wasRight: sw == .success, codeGuard)
    }

    /// Tells the guard; what has no limit is not counted.
    private func note(_ attempt: Attempt, wasRight: Bool, _ codeGuard: any CodeGuard) {
        guard attempt.limit <= Int(PasswordLimits.countedTries.upperBound) else { return }
        let tries = min(attempt.limit, Self.largestCount)
        codeGuard.note(code: attempt.code, wasRight: wasRight, tries: tries)
        // One that has a single try stands at the floor from the start.
        if wasRight, tries == 1 { codeGuard.note(code: attempt.code, wasRight: false, tries: tries + 1) }
    }

    // MARK: Knowledge

    private mutating func learnPolicy(_ records: [UInt8]) {
        guard let table = try? FileAccessTable(bytes: records) else { return }
        for policy in table.policies { rights[policy.file] = policy }
    }

    private mutating func learnPassword(_ bytes: ArraySlice<UInt8>, _ codeGuard: (any CodeGuard)?) {
        let bytes = Array(bytes)
        guard bytes.count == 9 else { return }
        limits[bytes[0]] = Int(bytes[7]) << 8 | Int(bytes[8])
        guard let codeGuard else { return }
        codeGuard.note(code: Self.code(bytes[0]), wasRight: true, tries: Self.usualLimit)
        note(attempt(bytes[0], tag: nil), wasRight: true, codeGuard)
    }
}
