// SPDX-License-Identifier: MIT

public import CardConnection
public import SmartCard
public import Type4Tag

/// Why an operation on the chip did not succeed.
public enum NBTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No usable answer came.
    case transport(TransportFault)
    /// A command was answered with another status word than `9000`.
    case unexpectedStatus(UnexpectedStatus)
    /// The data of an answer are not what the command promises.
    case malformedAnswer(command: String, detail: String)
    /// An argument is out of its range; nothing was sent.
    case argument(String)
    /// The library does not do this, whatever the arguments are; nothing was sent.
    case refused(String)
    /// The NDEF file holds no message that can be read.
    case ndef(NDEFError)
    /// The chip could not prove what it is.
    case brand(BrandProtectionError)

    /// A status word that was not expected.
    public struct UnexpectedStatus: Hashable, Sendable {
        /// The command, in words.
        public let command: String
        /// The status word.
        public let sw: StatusWord
        /// What the status word says after this command; nil when no source tells.
        public let meaning: String?
    }

    /// The kind of error in one word, as scenarios name it.
    public var word: String {
        switch self {
        case .transport: "transport"
        case .unexpectedStatus: "unexpectedStatus"
        case .malformedAnswer: "malformedAnswer"
        case .argument: "argument"
        case .refused: "refused"
        case .ndef: "ndef"
        case .brand(let error): error.word
        }
    }

    /// The words of all kinds.
    public static let words =
        ["transport", "unexpectedStatus", "malformedAnswer", "argument", "refused", "ndef"]
        + BrandProtectionError.words

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .transport(let fault):
            return fault.description
        case .unexpectedStatus(let status):
            let meaning = status.meaning.map { ": \($0)" } ?? ", expected 9000"
            return "\(status.command) was answered with \(status.sw)\(meaning)"
        case .malformedAnswer(let command, let detail):
            return "the answer to \(command) cannot be used: \(detail)"
        case .argument(let text), .refused(let text):
            return text
        case .ndef(let error):
            return error.description
        case .brand(let error):
            return error.description
        }
    }
}
