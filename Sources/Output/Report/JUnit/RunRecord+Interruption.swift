// SPDX-License-Identifier: MIT

import RunRecord

extension RunRecord {
    /// The run, with a case for the interruption when no case tells of it: reports have no other place for it.
    var tellingOfInterruption: RunRecord {
        guard let signal = interruptedBy else { return self }
        let isTold = suites.contains { suite in
            suite.cases.contains { $0.outcome.problem?.type == "Interrupted" }
        }
        guard !isTold else { return self }
        let file = suites.last?.file ?? ""
        var suite = SuiteRecord(
            name: "rig.run",
            title: "",
            file: file,
            target: "rig",
            via: "",
            started: started
        )
        var item = CaseRecord(name: "the run ends in order", file: file, line: 1, tags: [])
        item.verdict = .error
        item.problem = Problem(
            type: "Interrupted",
            isRigError: true,
            message: "the run was ended by \(signal); the cases that are not listed were not tried",
            file: "",
            line: 0
        )
        suite.cases = [item]
        var out = self
        out.suites.append(suite)
        return out
    }
}
