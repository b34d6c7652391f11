// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// GET_ENTROPY (E7): 32 random bytes.
    mutating func entropy(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        var reply = reply(identity)
        reply.fields.add(.issuerData, random.bytes(32))
        return reply
    }

    /// SET_USER_SETTINGS (D5).
    mutating func setUserSettings(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let mask = try fields.requiredNumber(.userSettingsMask)
        try checkPasscode(fields)
        memory.userSettings = TangemUserSettings(rawValue: UInt32(truncatingIfNeeded: mask))
        var reply = reply(identity)
        reply.fields.add(.userSettingsMask, number: mask, count: 4)
        return reply
    }

    /// GENERATE_OTP (E2): a root that is made once, with its counter and the first wallet's key.
    mutating func generateOTP(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        guard let wallet = memory.slots.first(where: \.isLoaded) else {
            throw .refused(TangemStatus.walletNotFound)
        }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        if memory.otpRoot.isEmpty { memory.otpRoot = random.bytes(32) }
        memory.otpCounter = min(memory.otpCounter + 1, Int(UInt32.max))
        var reply = reply(identity)
        reply.fields.add(.codeHash, memory.otpRoot)
        reply.fields.add(.fileIndex, number: memory.otpCounter, count: 4)
        reply.fields.add(.walletPublicKey, wallet.publicKey)
        return reply
    }
}
