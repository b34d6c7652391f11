// SPDX-License-Identifier: MIT

/// Why a capture has nothing to keep.
public enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The card's answer lacks the part: it did not hold what the scenario expects of it.
    case mismatch(Mismatch)
    /// No answer could have the part: the scenario is wrong.
    case mistake(ScenarioMistake)

    /// What is missing, with the place of the capture.
    public var description: String {
        switch self {
        case .mismatch(let mismatch): "\(mismatch.position): \(mismatch.message)"
        case .mistake(let mistake): mistake.description
        }
    }
}
