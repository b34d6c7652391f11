// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Trace

/// Ends the trace of an attempt whose thread was given up.
enum TraceCompletion {
    /// Appends the exchange that was never answered to a trace that nobody writes any more.
    static func append(
        _ fault: TransportFault,
        state: AttemptProgress.State,
        step: String,
        begin: Duration,
        to path: String
    ) {
        let writer = TraceWriter(continuing: path)
        writer.step = step
        if let (command, since) = state.pending {
            writer.fault(
                command: command,
                fault: fault,
                start: since - begin,
                duration: MonotonicTime.now - since,
                name: CommandNames.name(of: command),
                hiddenInCommand: state.mask.hiddenInCommand(command)
            )
        } else {
            writer.note("given up: \(fault)", time: MonotonicTime.now - begin)
        }
        _ = writer.finish()
    }
}
