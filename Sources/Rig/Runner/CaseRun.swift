// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord

/// What came of a case on one of the ways, and what was learnt of the way.
struct CaseRun: Sendable {
    /// The case's outcome.
    var record: CaseRecord
    /// What is known of reader and card; nil when there was no connection.
    var facts: ConnectionFacts?
    /// Firmware of the device, when it is known.
    var firmware: String?
    /// True when the case was not begun for want of something that another reader might have.
    var isUnmet = false
    /// Why the reader is out of use since; nil while it is in use.
    var quarantine: TransportFault?
    /// Why the device may be in another state than cases expect; nil when its teardown did what it should.
    var dirt: String?
}
