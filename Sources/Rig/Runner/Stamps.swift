// SPDX-License-Identifier: MIT

import HostSystem

/// Moments of the calendar for a case: the host's, or modelled ones that are the same in every run.
///
/// Each case on a modelled clock starts at the same moment, since its card has a clock of its own. So neither the cases
/// before it, nor the number of workers, nor the shard that it is in, change a byte of what it leaves.
final class Stamps {
    /// The moment at which every modelled case starts.
    static let modelledStart = WallTime(milliseconds: 946_684_800_000)

    private let isVirtual: Bool
    private var elapsed = Duration.zero

    init(isVirtual: Bool) {
        self.isVirtual = isVirtual
    }

    /// Another case begins.
    func beginCase() {
        elapsed = .zero
    }

    /// Lets modelled time pass; the host's passes by itself.
    func advance(by duration: Duration) {
        elapsed += duration
    }

    /// This moment, ISO 8601 in UTC with milliseconds.
    var now: String {
        isVirtual ? Self.modelledStart.advanced(by: elapsed).iso : WallTime.now.iso
    }
}
