// SPDX-License-Identifier: MIT

public import RunRecord

/// What tells a case from all others, in this run and in the next one; its repetitions have one key.
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

    init(_ item: CaseRecord, suite: String) {
        self.init(suite: suite, name: CaseNaming.name(item.name, withoutRepetition: item.repetition))
    }

    /// How long each case of an earlier run took; of repetitions it is the mean.
    public static func durations(in run: RunRecord) -> [CaseKey: Duration] {
        var sums: [CaseKey: (duration: Duration, count: Int)] = [:]
        for suite in run.suites {
            for item in suite.cases {
                let key = CaseKey(item, suite: suite.name)
                let sum = sums[key] ?? (.zero, 0)
                sums[key] = (sum.duration + item.duration, sum.count + 1)
            }
        }
        return sums.mapValues { $0.duration / $0.count }
    }
}
