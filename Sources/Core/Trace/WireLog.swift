// SPDX-License-Identifier: MIT

/// The exchanges that passed a connection since the log was last emptied.
///
/// It tells what a command became on the wire: the links of a chain, and what was sent to follow `61xx` and `6Cxx`.
/// Belongs to the thread of its connection.
public final class WireLog {
    /// One exchange, as the trace has it.
    public struct Exchange: Hashable, Sendable {
        /// The command's bytes.
        public let command: [UInt8]
        /// The answer's bytes; nil when there was none.
        public let response: [UInt8]?
        /// Time between the two.
        public let duration: Duration
    }

    /// The exchanges, in order.
    public private(set) var exchanges: [Exchange] = []

    /// Makes an empty log.
    public init() {}

    /// Forgets everything, and keeps the room for exchanges.
    public func removeAll() {
        exchanges.removeAll(keepingCapacity: true)
    }

    func add(_ command: [UInt8], _ response: [UInt8]?, _ duration: Duration) {
        exchanges.append(Exchange(command: command, response: response, duration: duration))
    }
}
