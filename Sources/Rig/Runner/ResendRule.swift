// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// Which lost commands may be sent again.
enum ResendRule {
    /// Instructions that change nothing on a card: SELECT, READ BINARY, READ RECORD, GET DATA, GET RESPONSE.
    static let harmless: Set<UInt8> = [0xA4, 0xB0, 0xB2, 0xCA, 0xCB, 0xC0]

    /// Whether a command that was lost to this fault may be sent again.
    ///
    /// Never after a timeout, whose answer may still come and would be taken for that of the next command; never when
    /// the step expects the fault; `repeatable` of the step wins over the set.
    static func allows(_ fault: TransportFault, command: [UInt8], step: Step) -> Bool {
        guard [.transport, .cardReset, .cardRemoved].contains(fault.kind), command.count >= 4,
            step.isRepeatable != false, step.expectation?.expectsFault != true
        else { return false }
        return step.isRepeatable == true || harmless.contains(command[1])
    }
}
