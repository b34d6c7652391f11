// SPDX-License-Identifier: MIT

import NBTConstants

/// What became of a password that a SELECT presented.
public enum PasswordOutcome: Hashable, Sendable, CustomStringConvertible {
    /// It was right; the chip proves itself with the response that belongs to it.
    case accepted(response: [UInt8])
    /// It was wrong. That `0000` says so is not published.
    case wrong
    /// It is blocked. That `FFFF` says so is not published.
    case blocked
    /// The answer does not tell, or not in a known form; a read or write will.
    case unknown

    /// Reads a response of the chip.
    init(response: [UInt8]) {
        guard response.count == PasswordLimits.responseSize else {
            self = .unknown
            return
        }
        switch response {
        case PasswordLimits.forbiddenResponses[0]: self = .wrong
        case PasswordLimits.forbiddenResponses[1]: self = .blocked
        default: self = .accepted(response: response)
        }
    }

    /// The response to a right password; nil for all other outcomes.
    public var response: [UInt8]? {
        guard case .accepted(let response) = self else { return nil }
        return response
    }

    /// The outcome in one word.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .wrong: "wrong"
        case .blocked: "blocked"
        case .unknown: "unknown"
        }
    }

    /// The words of all outcomes.
    public static let words = ["accepted", "wrong", "blocked", "unknown"]

    /// The word alone: a response is as secret as a password.
    public var description: String { word }
}

/// The answer to a SELECT of a file.
public struct FileSelection: Hashable, Sendable {
    /// The data of the answer, as they came.
    public let data: [UInt8]
    /// What became of the read password; nil when none was presented.
    public let readPassword: PasswordOutcome?
    /// What became of the write password; nil when none was presented.
    public let writePassword: PasswordOutcome?
}
