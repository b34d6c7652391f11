// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// Which lost commands may be sent again.
enum ResendRule {
    /// Instructions that change nothing on a card: SELECT, READ BINARY, READ RECORD, GET DATA, GET RESPONSE.
    static let harmless: Set<UInt8> = [0xA4, 0xB0, 0xB2, 0xCA, 0xCB, getResponse]
    private static let getResponse: UInt8 = 0xC0

    /// Whether a lost command may be sent again.
    ///
    /// Never after a timeout, whose answer may still come and would be taken for that of the next command; never when
    /// the step expects a fault; never when a reset has undone what the case's steps did before and no replay of the
    /// set-up brings back: the answer would be that of another state. `repeatable` of the step wins over the set and
    /// over the state. The state is that of the moment: what the lost command's own step did before it belongs to it.
    static func allows(_ lost: LostCommand, state: VolatileState) -> Bool {
        guard [.transport, .cardReset, .cardRemoved].contains(lost.fault.kind), lost.bytes.count >= 4,
            lost.resends < RunDefaults.resendLimit, lost.step.isRepeatable != false, !lost.step.expectsFault
        else { return false }
        return lost.step.isRepeatable == true
            || (harmless.contains(lost.bytes[1]) && !state.isBeyondReplay
                && !(lost.bytes[1] == getResponse && state.hasPendingResponse))
    }
}
