// SPDX-License-Identifier: MIT

import HostSystem
import VirtualReader

/// Follows a card in the virtual reader: tells where it is, and puts it in anew where the service has not noticed it.
///
/// The service looks every 0.4 s. When one card goes and another comes between two looks, as with a program that was
/// killed and started again, it may take the new one for the old one, which it has already powered down, and report
/// nothing to anybody. Only an absence that it cannot miss helps.
struct VirtualCardWatch {
    private let client: VirtualCardClient
    private var told = Standing.out
    private var knownLosses = 0
    /// The link of which something is still expected, and since when.
    private var pending: (link: Int, since: Duration)?
    private var hasComplained = false
    private let start = MonotonicTime.now
    private var hasToldOfSilence = false
    /// Links that were cut for the service's sake since it last took the card.
    private var renewals = 0

    /// How long a card may say nothing before it is taken out and put in again: longer than any delay that an emulated
    /// device is told to make, while a program that asks it would wait for ever.
    static let silence = Duration.seconds(90)

    /// Longer than two looks of the service; power follows the first one at once.
    private static let patience = Duration.milliseconds(1200)
    /// An absence that no look of the service misses.
    private static let absence = Duration.milliseconds(700)
    /// A service that still gives no power is none that it would help.
    private static let mostRenewals = 2

    private enum Standing: Hashable {
        case out
        /// The link is up, and the service has not yet given power.
        case expected
        case taken

        init(_ state: VirtualCardState) {
            self = state.isTaken ? .taken : state.isConnected ? .expected : .out
        }
    }

    init(client: VirtualCardClient) {
        self.client = client
    }

    /// Looks once, after a change or a fifth of a second, and does what is to be done.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether the program is to end.
    ///   - tell: Takes a line for people.
    mutating func look(isCancelled: () -> Bool, tell: (String) -> Void) {
        let told = told
        client.wait(timeout: .milliseconds(200)) { Standing($0) != told }
        let state = client.state
        report(state, tell)
        if state.connectionCount == 0, !hasToldOfSilence, MonotonicTime.now - start > Self.patience {
            hasToldOfSilence = true
            tell(
                "no virtual reader answers at \(client.host):\(client.port): start pcscd with the driver vpcd, or name "
                    + "another place with --vpcd HOST:PORT; dialling goes on"
            )
        }
        if state.lossCount > knownLosses, state.isInserted, state.lastLoss?.isOurs == true {
            renew(isCancelled)
        } else if isOverdue(state) {
            if state.isServed, renewals < Self.mostRenewals {
                renewals += 1
                renew(isCancelled)
            } else if !state.isServed, !hasComplained {
                hasComplained = true
                tell(
                    "the virtual reader at \(client.host):\(client.port) does not take the card: another one lies "
                        + "in it, perhaps of another taprig; end that, or name another slot with --vpcd HOST:PORT"
                )
            }
        }
        knownLosses = client.state.lossCount
    }

    private mutating func report(_ state: VirtualCardState, _ tell: (String) -> Void) {
        let standing = Standing(state)
        if standing == .taken {
            renewals = 0
            hasComplained = false
        }
        if (standing == .taken) != (told == .taken) { tell(state.place) }
        told = standing
    }

    /// True when a link has waited for power for longer than a service takes.
    private mutating func isOverdue(_ state: VirtualCardState) -> Bool {
        guard Standing(state) == .expected else {
            pending = nil
            return false
        }
        guard let pending, pending.link == state.connectionCount else {
            pending = (state.connectionCount, MonotonicTime.now)
            return false
        }
        return MonotonicTime.now - pending.since > Self.patience
    }

    /// Takes the card out for so long that the service sees it, and puts it in again.
    private mutating func renew(_ isCancelled: () -> Bool) {
        client.remove()
        client.wait(timeout: Self.absence) { _ in isCancelled() }
        client.insert()
        pending = nil
    }
}

extension VirtualCardState {
    /// Where the card is, for people.
    var place: String {
        if isTaken { return "in the reader" }
        let reason = lastLoss.map { ": \($0)" } ?? ""
        return isInserted ? "out of the reader\(reason); dialling again" : "out of the reader\(reason)"
    }
}

extension LinkLoss {
    /// True when the card's side ended the link, because the driver would have waited for ever.
    fileprivate var isOurs: Bool {
        switch self {
        case .emptyAnswer, .answerTooLong, .silent, .emptyATR: true
        default: false
        }
    }
}
