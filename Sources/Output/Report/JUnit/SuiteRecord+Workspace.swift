// SPDX-License-Identifier: MIT

import RunRecord

extension SuiteRecord {
    /// The suite with its files named from the server's workspace, where a reader of the report opens them.
    var seenFromWorkspace: SuiteRecord {
        guard !folder.isEmpty else { return self }
        var out = self
        place(&out.file)
        for index in out.cases.indices { place(&out.cases[index]) }
        return out
    }

    private func place(_ item: inout CaseRecord) {
        place(&item.file)
        place(&item.problem)
        for index in item.attempts.indices {
            place(&item.attempts[index].problem)
            place(&item.attempts[index].teardownProblem)
            for step in item.attempts[index].steps.indices { place(&item.attempts[index].steps[step].file) }
        }
    }

    private func place(_ problem: inout Problem?) {
        guard var placed = problem else { return }
        place(&placed.file)
        problem = placed
    }

    private func place(_ file: inout String) {
        guard !file.isEmpty, !file.hasPrefix("/") else { return }
        file = "\(folder)/\(file)"
    }
}
