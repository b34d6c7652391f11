// SPDX-License-Identifier: MIT

public import RunRecord

/// What tells a case from all others, in this run and in the next one.
public struct CaseKey: Hashable, Sendable {
    /// Name of the suite.
    public let suite: String
    /// Name of the case with its matrix values.
    public let name: String

    /// Makes a key.
    public init(suite: String, name: String) {
        self.suite = suite
        self.name = name
    }

    /// The cases of an earlier run that failed or could not be judged.
    public static func notPassed(in run: RunRecord) -> Set<CaseKey> {
        var out: Set<CaseKey> = []
        for suite in run.suites {
            for item in suite.cases where [.failed, .error].contains(item.outcome.verdict) {
                out.insert(CaseKey(suite: suite.name, name: item.name))
            }
        }
        return out
    }

    /// How long each case of an earlier run took.
    public static func durations(in run: RunRecord) -> [CaseKey: Duration] {
        var out: [CaseKey: Duration] = [:]
        for suite in run.suites {
            for item in suite.cases { out[CaseKey(suite: suite.name, name: item.name)] = item.duration }
        }
        return out
    }
}
