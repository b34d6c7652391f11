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
    /// The passwords that the chip has for certain.
    private var existing: Set<UInt8> = []
    /// The retry limits that the case has seen; 0 where a password has none.
    private var limits: [UInt8: Int] = [:]
    /// Whether the case has read the policy from the chip.
    private var hasReadPolicy = false
    /// Whether the ledger's sample is this very chip: it was found by an identifier of its own.
    ///
    /// Without, other chips are counted under the same name. What was learnt of them may stop this one, but lets
    /// nothing through.
    var isSampleNamed = false
    /// What the last SELECT presented and the answer to it did not judge, by its tag.
    private var open: [UInt8: Attempt] = [:]

    /// A password that a command presents.
    private struct Attempt {
        /// Its id; nil when the case has not seen the policy.
        let id: UInt8?
        /// The word of the side of the file that asks for it.
        let side: String
        /// Its tag in SELECT; nil for a master password.
        let tag: UInt8?

        /// Its word for the guard, for example `password 1`.
        var code: String { id.map(NBTPasswordCounts.code) ?? side }
    }

    /// Asks the guard about the passwords that a command presents.
    func admit(_ command: [UInt8], _ codeGuard: (any CodeGuard)?, isI2C: Bool) throws(TransportFault) {
        let attempts = attempts(in: command, isI2C: isI2C)
        guard let codeGuard, !attempts.isEmpty else { return }
        let counts = counts(codeGuard)
        var worst: (attempt: Attempt, left: Int)?
        for (place, attempt) in attempts.enumerated() {
            guard let left = counts.left(of: attempt.id) else { continue }
            // Two values of one command may be of the same password.
            let before = attempts[..<place].count { $0.id == nil || attempt.id == nil || $0.id == attempt.id }
            if left - before < worst?.left ?? .max { worst = (attempt, left - before) }
        }
        guard let worst else { return }
        try codeGuard.admit(
            code: worst.attempt.code,
            left: worst.left,
            hint: hint(for: worst.attempt, counts.strays)
        )
    }

    /// What to do about wrong values that may have been of any password; nil where there are none.
    private func hint(for attempt: Attempt, _ strays: [String]) -> String? {
        if attempt.id == nil || isSampleNamed && !hasReadPolicy && !strays.isEmpty {
            return
                "a wrong value at a file whose policy the case has not read counts for each password; read it with "
                + "`nbt.policy: {}`"
        }
        guard !strays.isEmpty else { return nil }
        return
            "wrong values of the \(strays.joined(separator: ", of the ")) count for each password; the right value "
            + "there takes them off, as does `nbt.unblock-password` of the one that is asked for there"
    }

    /// The counters of the chip, as far as they may be believed.
    private func counts(_ codeGuard: any CodeGuard) -> NBTPasswordCounts {
        NBTPasswordCounts(codeGuard.codeCounters, limits: limits, isSampleNamed: isSampleNamed)
    }

    /// Counts what a command presented whose answer got lost: the chip may have counted it.
    func noteLoss(_ command: [UInt8], _ fault: TransportFault, _ codeGuard: (any CodeGuard)?, isI2C: Bool) {
        guard let codeGuard, ![.guarded, .limit, .control, .probe, .permission].contains(fault.kind)
        else { return }
        for attempt in attempts(in: command, isI2C: isI2C) {
            count(attempt, wasRight: false, codeGuard)
        }
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
        case NBTInstruction.updateBinary where file == .accessPolicy: learnPolicy(apdu.data, codeGuard)
        case NBTInstruction.readBinary where file == .accessPolicy && apdu.p1 == 0 && apdu.p2 == 0:
            learnPolicy(answer.data, wasRead: true, codeGuard)
        case NBTInstruction.createPassword: learnPassword(apdu.data.suffix(9), codeGuard)
        case NBTInstruction.personalizeData where apdu.data.starts(with: [0xA0, 0x03]):
            learnPassword(apdu.data.dropFirst(NBTDanger.groupHeadSize(apdu.data)), codeGuard)
        case NBTInstruction.personalizeData where apdu.data.starts(with: NBTFile.accessPolicy.idBytes):
            learnPolicy(Array(apdu.data.dropFirst(NBTDanger.groupHeadSize(apdu.data))), codeGuard)
        case NBTInstruction.deletePassword:
            existing.remove(apdu.p2)
            limits[apdu.p2] = nil
            forget(apdu.p2, codeGuard)
            codeGuard?.setTriesLeft(nil, code: NBTPasswordCounts.limitCode(apdu.p2))
        case NBTInstruction.changePassword:
            let id = apdu.p2 & AccessByte.passwordMask
            existing.insert(id)
            forget(id, codeGuard)
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
        return master.map { [Attempt(id: $0.id, side: $0.side, tag: nil)] } ?? []
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
        let side = NBTPasswordCounts.sideCode(file, isReading: isReading, isI2C: isI2C)
        guard let policy = rights[file] else { return Attempt(id: nil, side: side, tag: tag) }
        let right = Self.right(policy, isReading: isReading, isI2C: isI2C)
        return right.passwordID.map { Attempt(id: $0, side: side, tag: tag) }
    }

    private static func right(_ policy: FileAccessPolicy, isReading: Bool, isI2C: Bool) -> AccessCondition {
        switch (isReading, isI2C) {
        case (true, true): policy.i2cRead
        case (true, false): policy.nfcRead
        case (false, true): policy.i2cWrite
        case (false, false): policy.nfcWrite
        }
    }

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
            case .blocked: codeGuard.setTriesLeft(0, code: attempt.code)
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
    private mutating func note(_ attempt: Attempt, wasRight: Bool, _ codeGuard: any CodeGuard) {
        if wasRight, let id = attempt.id { existing.insert(id) }
        count(attempt, wasRight: wasRight, codeGuard)
    }

    private func count(_ attempt: Attempt, wasRight: Bool, _ codeGuard: any CodeGuard) {
        let limit = attempt.id.map { counts(codeGuard).limit(of: $0) } ?? NBTPasswordCounts.usualLimit
        if let limit {
            // A chip of the same name may have been counted from a higher limit.
            if codeGuard.codeCounters[attempt.code] ?? 0 > limit {
                codeGuard.setTriesLeft(limit, code: attempt.code)
            }
            codeGuard.note(code: attempt.code, wasRight: wasRight, tries: limit)
        }
        // The side's password was right, whatever was tried there before the policy was known.
        if wasRight { clear(attempt.side, codeGuard) }
    }

    /// Forgets what was counted at a side.
    private func clear(_ side: String, _ codeGuard: any CodeGuard) {
        codeGuard.setTriesLeft(nil, code: side)
        codeGuard.setTriesLeft(nil, code: NBTPasswordCounts.earlierCode(side))
    }

    // MARK: Knowledge

    private mutating func learnPolicy(
        _ records: [UInt8],
        wasRead: Bool = false,
        _ codeGuard: (any CodeGuard)?
    ) {
        guard let table = try? FileAccessTable(bytes: records) else { return }
        if wasRead { hasReadPolicy = true }
        for policy in table.policies {
            rights[policy.file] = policy
            guard let codeGuard else { continue }
            for (side, id) in Self.sides(policy) { settle(side, id, wasRead: wasRead, codeGuard) }
        }
    }

    /// Moves what was counted at a side to the password that it asks for.
    ///
    /// What is written says nothing of the values before. Nor does the policy of a chip that shares its name.
    private func settle(_ side: String, _ id: UInt8?, wasRead: Bool, _ codeGuard: any CodeGuard) {
        guard let left = codeGuard.codeCounters[side] else { return }
        if !wasRead {
            let earlier = NBTPasswordCounts.earlierCode(side)
            let spent = max(0, NBTPasswordCounts.usualLimit - left)
            let before = codeGuard.codeCounters[earlier] ?? NBTPasswordCounts.usualLimit
            codeGuard.setTriesLeft(max(0, before - spent), code: earlier)
            codeGuard.setTriesLeft(nil, code: side)
        } else if isSampleNamed {
            if let id, let own = counts(codeGuard).own(id) {
                let spent = max(0, NBTPasswordCounts.usualLimit - left)
                codeGuard.setTriesLeft(left == 0 ? 0 : max(0, own - spent), code: NBTPasswordCounts.code(id))
            }
            codeGuard.setTriesLeft(nil, code: side)
        }
    }

    /// The words of a file's sides, and the passwords that they ask for.
    private static func sides(_ policy: FileAccessPolicy) -> [(side: String, id: UInt8?)] {
        [(true, true), (true, false), (false, true), (false, false)].map { isReading, isI2C in
            (
                NBTPasswordCounts.sideCode(policy.file, isReading: isReading, isI2C: isI2C),
                right(policy, isReading: isReading, isI2C: isI2C).passwordID
            )
        }
    }

    private mutating func learnPassword(_ bytes: ArraySlice<UInt8>, _ codeGuard: (any CodeGuard)?) {
        let bytes = Array(bytes)
        guard bytes.count == 9 else { return }
        existing.insert(bytes[0])
        forget(bytes[0], codeGuard)
        let tries = UInt16(bytes[7]) << 8 | UInt16(bytes[8])
        let isCounted = PasswordLimits.countedTries.contains(tries)
        let limit = isCounted ? min(Int(tries), NBTPasswordCounts.largestCount) : 0
        limits[bytes[0]] = limit
        if isSampleNamed {
            codeGuard?.setTriesLeft(limit, code: NBTPasswordCounts.limitCode(bytes[0]))
        }
    }

    /// Forgets what was counted of a password that has all its tries again, also at the sides that name it.
    private func forget(_ id: UInt8, _ codeGuard: (any CodeGuard)?) {
        guard let codeGuard else { return }
        codeGuard.setTriesLeft(nil, code: NBTPasswordCounts.code(id))
        for policy in rights.values {
            for side in Self.sides(policy) where side.id == id { clear(side.side, codeGuard) }
        }
    }

    /// Whether a side of a file is known to ask for no password, so that the chip does not look at one.
    func isOpen(_ file: NBTFile, tag: UInt8, isI2C: Bool) -> Bool {
        attempt(at: file, tag: tag, isI2C: isI2C) == nil
    }

    /// Whether the chip has a password, as far as the case has seen, or an earlier run on this very chip.
    func knows(_ id: UInt8, _ codeGuard: (any CodeGuard)?) -> Bool {
        existing.contains(id) || codeGuard.map { counts($0).knows(id) } ?? false
    }

    /// The passwords by which the policy may be changed, over either interface; nil when the case has not seen that.
    var masters: Set<UInt8>? {
        rights[.accessPolicy].map { Set([$0.i2cWrite, $0.nfcWrite].compactMap(\.passwordID)) }
    }
}
