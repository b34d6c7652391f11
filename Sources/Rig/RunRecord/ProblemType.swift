// SPDX-License-Identifier: MIT

/// The closed list of type words that a problem may have; reports and retries refer to them.
public enum ProblemType {
    /// The product was wrong.
    public static let failures: Set<String> = [
        "UnexpectedStatus", "UnexpectedData", "UnexpectedError", "TimingExceeded", "ProbeMismatch",
        "CheckFailed",
        "KnownFailurePassed",
    ]

    /// The rig could not judge.
    public static let errors: Set<String> = [
        "LinkLost", "RigTimeout", "CardRemoved", "CardMute", "CardReset", "ReaderGone", "CardAbsent",
        "ReaderAbsent",
        "ReaderBusy", "ServiceGone", "NotPermitted", "ProtocolMismatch", "LengthLimit", "RetryGuard",
        "ProbeGone",
        "ControlFailed", "SetupFailed", "TeardownFailed", "ScenarioInvalid", "Interrupted",
    ]

    /// True for a word of either list.
    public static func isKnown(_ word: String) -> Bool {
        failures.contains(word) || errors.contains(word)
    }
}
