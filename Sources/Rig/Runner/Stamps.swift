// SPDX-License-Identifier: MIT

import HostSystem

/// Moments of the calendar for a run: the host's, or modelled ones that are the same in every run.
final class Stamps {
    /// The moment at which every modelled run starts.
    static let modelledStart = WallTime(milliseconds: 946_684_800_000)

    private let isVirtual: Bool
    private var elapsed = Duration.zero

    init(isVirtual: Bool) {
        self.isVirtual = isVirtual
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
