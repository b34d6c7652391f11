// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario

/// Thrown through a block of steps when one of them ends the case.
struct StepEnd: Error {
    /// What to tell.
    var problem: Problem
    /// The fault behind it; nil when the card answered.
    var fault: TransportFault?
}

/// Thrown when a lost command in the set-up wants the set-up to begin again.
struct SetupRestart: Error {}

/// A command that was lost on its way, for the decision whether it is sent again.
struct LostCommand {
    /// How it was lost.
    let fault: TransportFault
    /// Its bytes.
    let bytes: [UInt8]
    /// How often it was sent again before.
    let resends: Int
    /// The step that it belongs to.
    let step: Step
}

/// What becomes of a lost command.
enum Recovery {
    /// The fault stands.
    case none
    /// The card is back where the set-up left it: send the command again.
    case resend
    /// The set-up must begin again.
    case restartSetup
}
