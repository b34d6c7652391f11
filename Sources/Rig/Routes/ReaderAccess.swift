// SPDX-License-Identifier: MIT

public import Bench

/// How a run comes by real readers.
public struct ReaderAccess: Sendable {
    /// How long to wait for a reader that is in use, and for a card in it.
    public var wait: Duration
    /// Program and subcommand, as others read who holds a reader.
    public var command: String
    /// Where the locks of readers lie.
    public var locks: LockFolder

    /// Makes an access; the default does not wait.
    public init(wait: Duration = .zero, command: String = "taprig", locks: LockFolder = .standard) {
        self.wait = wait
        self.command = command
        self.locks = locks
    }
}
