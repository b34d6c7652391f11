// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import RunRecord
import Trace

/// Ends the trace of an attempt whose thread was given up.
enum TraceCompletion {
    /// Appends the exchange that was never answered to a trace that nobody writes any more.
    ///
    /// - Returns: Number of exchanges in the trace.
    static func append(
        _ fault: TransportFault,
        state: AttemptProgress.State,
        step: String,
        begin: Duration,
        to path: String
    ) -> Int {
        let writer = TraceWriter(continuing: path)
        writer.step = step
        if let (command, hidden, since) = state.pending {
            writer.fault(
                command: command,
                fault: fault,
                start: since - begin,
                duration: MonotonicTime.now - since,
                name: CommandNames.name(of: command),
                hiddenInCommand: hidden
            )
        } else {
            writer.note("given up: \(fault)", time: MonotonicTime.now - begin)
        }
        writer.finish()
        return writer.exchangeCount
    }

    /// Writes the last line; gives the digest of the file.
    static func end(_ record: AttemptRecord, at path: String) -> String {
        let writer = TraceWriter(continuing: path)
        writer.end(verdict: record.verdict.rawValue)
        return writer.finish()
    }
}
