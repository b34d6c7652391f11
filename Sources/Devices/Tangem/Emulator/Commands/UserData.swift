// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// WRITE_USER_DATA (E0): open data, or protected ones with the passcode.
    mutating func writeUserData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkUserAccess(fields)
        let data = fields[.userData]
        let counter = try fields.number(.userCounter)
        let protected = fields[.userProtectedData]
        let protectedCounter = try fields.number(.userProtectedCounter)
        guard (data?.count ?? 0) <= TangemLimits.dataSize, (protected?.count ?? 0) <= TangemLimits.dataSize
        else { throw .parameters }
        if protected != nil || protectedCounter != nil {
            try checkPasscode(fields)
            try serveSecurityDelayUnlessSmart()
        }
        memory.userData = data ?? memory.userData
        memory.userCounter = counter ?? memory.userCounter
        memory.userProtectedData = protected ?? memory.userProtectedData
        memory.userProtectedCounter = protectedCounter ?? memory.userProtectedCounter
        return reply(identity)
    }

    /// READ_USER_DATA (E1): both kinds and their counters.
    mutating func readUserData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkUserAccess(fields)
        var reply = reply(identity)
        reply.fields.add(.userData, memory.userData)
        reply.fields.add(.userProtectedData, memory.userProtectedData)
        reply.fields.add(.userCounter, number: memory.userCounter, count: 4)
        reply.fields.add(.userProtectedCounter, number: memory.userProtectedCounter, count: 4)
        return reply
    }

    private mutating func checkUserAccess(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let identity = try checkCardAndAccessCode(fields)
        if settings.profile.version.major >= 3, identity.settings.contains(.disableUserData) {
            throw .refused(settings.switchedOff)
        }
        return identity
    }
}
