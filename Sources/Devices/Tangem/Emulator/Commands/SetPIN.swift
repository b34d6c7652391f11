// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// SET_PIN (FA): new codes; with the old ones it only checks them.
    mutating func setPIN(_ fields: CommandFields) throws(Stop) -> Reply {
        // Another card of the set has vouched for the host: no codes are asked for.
        let isReset = field.mayResetCodes && fields[.pin] == nil && fields[.pin2] == nil
        let identity = isReset ? try checkCard(fields) : try checkCardAndAccessCode(fields)
        let new = try newCodes(fields)
        let new3 = fields[.newPIN3]
        if !isReset {
            try checkCVC(fields, identity)
            try checkPasscode(fields)
        }
        var changed: UInt16 = 0
        if new.pin1 != memory.pin1 { changed |= 1 }
        if new.pin2 != memory.pin2 { changed |= 2 }
        if let new3, new3 != memory.pin3 { changed |= 4 }
        let rules = identity.settings
        if changed & 1 != 0 {
            guard rules.contains(.allowSetPIN1) else { throw .refused(settings.codeChangeRefused) }
            if rules.contains(.prohibitDefaultPIN1), new.pin1 == CodeDigest.defaultAccessCode {
                throw .refused(settings.codeChangeRefused)
            }
        }
        if changed & 2 != 0, !rules.contains(.allowSetPIN2) { throw .refused(settings.codeChangeRefused) }
        // Checking codes is free of delay.
        if changed != 0, !isReset { try serveSecurityDelayUnlessSmart() }
        memory.pin1 = new.pin1
        memory.pin2 = new.pin2
        memory.pin3 = new3 ?? memory.pin3
        if isReset {
            memory.pin1Failures = 0
            memory.pin2Failures = 0
            field.mayResetCodes = false
        }
        var reply = reply(identity)
        // The status word tells what was changed, one bit for each code.
        reply.sw = StatusWord(rawValue: TangemStatus.completed.rawValue | changed)
        return reply
    }

    /// The new access code and passcode; from 4.39 on with a digest over both.
    func newCodes(_ fields: CommandFields) throws(Stop) -> (pin1: [UInt8], pin2: [UInt8]) {
        let pin1 = try fields.required(.newPIN, count: 32...32)
        let pin2 = try fields.required(.newPIN2, count: 32...32)
        if has(.hdWallets), let digest = fields[.codeHash] {
            guard digest == SHA256.digest(pin1 + pin2) else { throw .parameters }
        }
        return (pin1, pin2)
    }
}
