// SPDX-License-Identifier: MIT

/// The exit status of a program that ran scenarios.
public enum ExitStatus {
    /// All held.
    public static let success: Int32 = 0
    /// Something tested did not hold.
    public static let failed: Int32 = 1
    /// Wrong usage or a wrong input file: nothing was sent, or nothing was selected.
    public static let usage: Int32 = 2
    /// The rig could not judge.
    public static let rigError: Int32 = 3

    /// The status that a run ends with.
    ///
    /// A signal comes first, then failures before errors. A run in which every case was skipped proves nothing, so it
    /// is an error unless that was allowed.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - allowSkipped: A run of skipped cases alone is fine.
    /// - Returns: 0 to 3, or 128 and the signal's number.
    public static func of(_ run: RunRecord, allowSkipped: Bool) -> Int32 {
        if let signal = run.interruptedBy { return 128 + signalNumber(signal) }
        let counts = RunCounts(run)
        if counts.failed > 0 { return failed }
        if counts.errors > 0 { return isScenarioInvalid(run) ? usage : rigError }
        // More shards than cases leave some of them without any.
        if counts.total == 0 { return run.shard == nil ? usage : success }
        if counts.skipped == counts.total, !allowSkipped { return rigError }
        return success
    }

    private static func isScenarioInvalid(_ run: RunRecord) -> Bool {
        run.suites.contains { suite in suite.cases.contains { $0.problem?.type == "ScenarioInvalid" } }
    }

    /// Numbers of the signals that end a run in order.
    private static func signalNumber(_ name: String) -> Int32 {
        switch name {
        case "SIGHUP": 1
        case "SIGQUIT": 3
        case "SIGTERM": 15
        default: 2
        }
    }
}
