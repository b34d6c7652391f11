// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import Scenario

/// A program of a bench that does what a person would be asked for.
final class BenchOperator: OperatorPort {
    private let bench: BenchRoute
    private let other: (any OperatorPort)?

    /// Makes the operator of a role.
    ///
    /// - Parameters:
    ///   - bench: The role on its bench.
    ///   - other: Who is asked when the bench has no program for it.
    init(_ bench: BenchRoute, else other: (any OperatorPort)?) {
        self.bench = bench
        self.other = other
    }

    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        do throws(TransportFault) {
            if try bench.bench.ask(request, within: limit, role: bench.role) { return .done }
        } catch {
            return .refused(error.detail)
        }
        return other?.ask(request, within: limit) ?? .silent
    }
}
