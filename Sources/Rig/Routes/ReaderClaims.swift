// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// Which way of a run has which reader, so that none has two.
final class ReaderClaims: Sendable {
    private let owners = Mutex<[String: String]>([:])

    /// Claims a reader for a way, for the rest of the run.
    func claim(_ reader: String, for spec: String) throws(TransportFault) {
        let other = owners.withLock { owners -> String? in
            if let owner = owners[reader], owner != spec { return owner }
            for (name, owner) in owners where owner == spec && name != reader { owners[name] = nil }
            owners[reader] = spec
            return nil
        }
        guard let other else { return }
        throw TransportFault(
            .busy,
            "'\(other)' and '\(spec)' are one reader: '\(reader)'",
            hint: "name each reader once"
        )
    }
}
