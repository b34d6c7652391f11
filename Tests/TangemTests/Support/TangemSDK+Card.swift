// SPDX-License-Identifier: MIT

import CardConnection
import Tangem

extension TangemSDK {
    /// The functions over a card in process, with what they tell kept in a log.
    convenience init(
        _ card: any Card,
        clock: ModelClock,
        log: EventLog,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) {
        var configuration = SessionConfiguration()
        change(&configuration)
        self.init(
            connection: InProcessConnection(card: card, clock: clock),
            delegate: log,
            configuration: configuration,
            clock: clock
        )
    }
}
