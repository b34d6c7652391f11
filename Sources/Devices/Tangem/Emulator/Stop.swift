// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

/// Why a command does not go on.
enum Stop: Error, Hashable {
    /// It ends with a status word and no data.
    case refused(StatusWord)
    /// The security delay runs: `left` is what the card tells, `after` how long it is silent before it tells it.
    case pause(left: Duration, after: Duration)

    /// A data object, code, counter or signature is missing or wrong.
    static let parameters = Stop.refused(TangemStatus.invalidParameters)
    /// The card or the wallet is not in the right state.
    static let state = Stop.refused(TangemStatus.invalidState)
}

/// How a command ends that goes through.
struct Reply {
    var fields = AnswerFields()
    var sw = TangemStatus.completed
    /// Time beyond that of every command.
    var time = Duration.zero
}
