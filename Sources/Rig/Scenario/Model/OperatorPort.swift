// SPDX-License-Identifier: MIT

/// A person, or a program in a person's place, that does what the rig cannot: turn a card over, change a sample.
///
/// May be called from any thread, by one at a time.
public protocol OperatorPort: AnyObject, Sendable {
    /// Asks for something and waits until it is done.
    ///
    /// - Parameters:
    ///   - request: What is to be done, in the scenario's words.
    ///   - limit: How long to wait; nil waits as long as it takes.
    /// - Returns: How it ended.
    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer
}

/// How a request to the operator ended.
public enum OperatorAnswer: Hashable, Sendable {
    /// It is done.
    case done
    /// It was refused, with the reason.
    case refused(String)
    /// Nobody answered in time.
    case silent
}
