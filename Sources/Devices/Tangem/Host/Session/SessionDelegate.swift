// SPDX-License-Identifier: MIT

/// Somebody who watches a session and answers its questions.
///
/// All calls come on the thread of the session, which waits until they return.
public protocol SessionDelegate: AnyObject {
    /// Something happened.
    func handle(_ event: SessionEvent)

    /// The card asks for a code.
    func code(for request: CodeRequest) -> CodeReply

    /// Another card lies on the reader than the one asked for.
    ///
    /// - Parameters:
    ///   - found: The card that lies there; nil when it does not say which one it is.
    ///   - wanted: The card asked for.
    /// - Returns: What shall happen.
    func wrongCard(found: CardID?, wanted: CardID) -> WrongCardReply
}

extension SessionDelegate {
    /// Nothing is done.
    public func handle(_ event: SessionEvent) {}
    /// Nobody knows the code.
    public func code(for request: CodeRequest) -> CodeReply { .unknown }
    /// The session waits for the next card.
    public func wrongCard(found: CardID?, wanted: CardID) -> WrongCardReply { .waitForNext }
}

/// What happens in a session.
public enum SessionEvent: Hashable, Sendable {
    /// The session began; the text is what its caller wants to say.
    case started(message: String?)
    /// A card came.
    case tagConnected
    /// The card was lost and is looked for.
    case tagLost
    /// Another card lies there than the one asked for; nil when it does not say which one it is.
    case wrongCard(found: CardID?, wanted: CardID)
    /// The security delay runs: milliseconds that are left, and in all; nil where the card does not tell.
    case delay(remaining: Int?, total: Int?)
    /// The security delay is over.
    case delayEnded
    /// So many of a hundred parts of a long operation are done.
    case progress(percent: Int)
    /// The bodies of commands are encrypted from now on.
    case encryption(SessionEncryption)
    /// A code is asked for.
    case codeRequested(CodeRequest)
    /// The card found its hardware in trouble.
    case health(UInt8)
    /// The proofs of a scan are there.
    case attested(CardAttestation)
    /// The session ended.
    case stopped(message: String?, TangemError?)
}

/// A question for a code.
public struct CodeRequest: Hashable, Sendable {
    /// Which code.
    public let kind: UserCode.Kind
    /// The card that asks; nil before it was read.
    public let cardID: CardID?
    /// Whether a code was given before and was wrong.
    public let isWrong: Bool

    /// Makes a question.
    public init(kind: UserCode.Kind, cardID: CardID?, isWrong: Bool) {
        self.kind = kind
        self.cardID = cardID
        self.isWrong = isWrong
    }
}

/// An answer to a question for a code.
public enum CodeReply: Hashable, Sendable {
    /// The text of the code.
    case text(String)
    /// The code.
    case code(UserCode)
    /// Nobody knows: the session ends with what the card said.
    case unknown
    /// The user forgot the code.
    case forgotten
    /// The user gives up.
    case cancel
}

/// What shall happen after a wrong card.
public enum WrongCardReply: Hashable, Sendable {
    /// The session waits for the next card.
    case waitForNext
    /// The session ends.
    case cancel
}

/// A delegate that says nothing and knows no code.
public final class SilentDelegate: SessionDelegate {
    /// Makes a delegate.
    public init() {}
}
