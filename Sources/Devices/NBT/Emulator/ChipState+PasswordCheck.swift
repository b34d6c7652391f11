// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

/// What came out of a password that was presented.
struct PasswordResult: Sendable {
    /// How it ended.
    enum Outcome: Sendable {
        case right(response: [UInt8])
        case wrong(triesLeft: UInt16)
        case blocked
    }

    let tag: UInt8
    let id: UInt8
    let outcome: Outcome

    /// What the face may do from now on; nil when the value was wrong.
    var grant: FaceState.Grant? {
        guard case .right = outcome else { return nil }
        return FaceState.Grant(id: id, isForWriting: tag == NBTInstruction.writePasswordTag)
    }
}

extension ChipState {
    /// Checks a password of SELECT against the one that the policy names for the file and this face.
    ///
    /// - Returns: nil when no password rules that right; the value is not looked at then.
    mutating func check(
        _ presented: PresentedPassword,
        for file: NBTFile,
        on face: ChipInterface
    ) -> PasswordResult? {
        guard let table = memory.files[.accessPolicy], let record = PolicyRecord(of: file, in: table)
        else { return nil }
        let right = record.right(toWrite: presented.isForWriting, over: face)
        guard right & AccessByte.passwordFlag != 0 else { return nil }
        let id = right & AccessByte.passwordMask
        return PasswordResult(tag: presented.tag, id: id, outcome: verify(presented.value, against: id))
    }

    /// Compares a value with a stored password, and counts.
    mutating func verify(_ value: [UInt8], against id: UInt8) -> PasswordResult.Outcome {
        guard var stored = memory.passwords[id] else { return .wrong(triesLeft: 0) }
        guard !rules.passwords.isBlocked(stored.triesLeft) else { return .blocked }
        let isRight = rules.passwords.isRight(value, stored.value)
        let before = stored.triesLeft
        if !isRight {
            stored.triesLeft = rules.passwords.triesAfterFailure(stored.triesLeft, stored.limit)
        } else if settings.restoresTries {
            stored.triesLeft = rules.passwords.triesAfterSuccess(stored.triesLeft, stored.limit)
        }
        if stored.triesLeft != before { memory.passwords[id] = stored }
        return isRight ? .right(response: stored.response) : .wrong(triesLeft: stored.triesLeft)
    }

    /// The status word of a SELECT with a wrong password; nil where that ends with 9000.
    func refusal(of results: [PasswordResult]) -> StatusWord? {
        for result in results {
            switch (result.outcome, settings.wrongPassword) {
            case (.right, _), (_, .success): continue
            case (_, .securityNotSatisfied), (.blocked, .counter): return NBTStatus.securityNotSatisfied
            case (.wrong(let left), .counter): return StatusWord(rawValue: 0x63C0 | min(left, 0x000F))
            }
        }
        return nil
    }

    /// What SELECT answers to a password.
    func answer(to result: PasswordResult) -> [UInt8] {
        let response: [UInt8] =
            switch result.outcome {
            case .right(let response): response
            case .wrong: [0x00, 0x00]
            case .blocked: [0xFF, 0xFF]
            }
        return switch settings.passwordResponse {
        case .tagged: [result.tag, Self.low(response.count)] + response
        case .bare: response
        case .none: []
        }
    }
}
