// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Trace

/// Notes which command is on its way, so that the supervisor can say what was never answered.
final class AnnouncingConnection: ConnectionWrapper {
    let inner: any Connection
    private let tracing: TracingConnection
    private let progress: AttemptProgress?

    /// With no progress to note in, nothing is noted: on a modelled clock nothing can hang.
    init(_ tracing: TracingConnection, progress: AttemptProgress?) {
        inner = tracing
        self.tracing = tracing
        self.progress = progress
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let progress else { return try inner.transmit(command) }
        let hidden = tracing.hidden(inNext: command)
        progress.update { $0.pending = (command, hidden, MonotonicTime.now) }
        let answer = try inner.transmit(command)
        progress.update { $0.pending = nil }
        return answer
    }
}
