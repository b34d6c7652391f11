// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord

/// Thrown through a block of steps when one of them ends the case.
struct StepEnd: Error {
    /// What to tell.
    var problem: Problem
    /// The fault behind it; nil when the card answered.
    var fault: TransportFault?
}

/// Thrown when a lost command in the set-up wants the set-up to begin again.
struct SetupRestart: Error {}
