// SPDX-License-Identifier: MIT

public import RunRecord
import Scenario

/// What did not pass in an earlier run, to be run again.
public struct EarlierFailures: Hashable, Sendable {
    /// What the outcome of that run is called in messages: the path of its file.
    public let source: String
    /// The cases that failed or could not be judged.
    public private(set) var cases: Set<CaseKey> = []
    /// The files that were no scenarios, as the outcome names them; which cases are in them nobody knew.
    public private(set) var files: Set<String> = []

    /// Finds what did not pass in a run.
    public init(in run: RunRecord, from source: String) {
        self.source = source
        for suite in run.suites {
            for item in suite.cases where [.failed, .error].contains(item.outcome.verdict) {
                if item.isUnreadFile {
                    files.insert(suite.file)
                } else {
                    cases.insert(CaseKey(item, suite: suite.name))
                }
            }
        }
    }

    /// True when all has passed.
    public var isEmpty: Bool { cases.isEmpty && files.isEmpty }

    /// Whether a case is among what did not pass.
    func contains(_ planned: PlannedCase) -> Bool {
        cases.contains(planned.key) || files.contains(planned.suite.file)
    }
}

extension CaseRecord {
    /// True when it stands for a whole file that could not be read, and not for a case of it.
    fileprivate var isUnreadFile: Bool { problem?.type == "ScenarioInvalid" && attempts.isEmpty }
}
