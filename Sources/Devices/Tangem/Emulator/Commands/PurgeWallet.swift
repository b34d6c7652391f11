// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// PURGE_WALLET (FC): the key is gone for good.
    mutating func purgeWallet(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let (index, _) = try loadedSlot(fields)
        let slot = memory.slots[index]
        guard !ruling(.permanentWallet, of: slot, identity) else { throw .refused(settings.permanentWallet) }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        var new = WalletSlot()
        if !ruling(.isReusable, of: slot, identity) {
            new.status = TangemWalletStatus.purged | slot.status & TangemWalletStatus.backedUpBit
        }
        memory.slots[index] = new
        var reply = reply(identity)
        if !has(.multiWallet) { reply.fields.add(.status, [new.status]) }
        return reply
    }
}
