// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// Calls to something else than the card, by the thread that has the connection: a probe, a program, a person.
///
/// A supervisor can see how long each takes. When one never returns, the case is given up, and the connection, which its
/// thread will not touch again, is closed in its place.
final class OutsideCalls: Sendable {
    private let connection: ThreadsConnection
    private let watch: DeadlineWatch
    private let progress: AttemptProgress

    /// Makes the calls of a thread.
    ///
    /// - Parameters:
    ///   - base: The thread's connection, without wrappers.
    ///   - watch: The watch of the thread.
    ///   - progress: Where the supervisor finds the connection.
    init(base: any Connection, watch: DeadlineWatch, progress: AttemptProgress) {
        connection = ThreadsConnection(base)
        self.watch = watch
        self.progress = progress
    }

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - limit: How long it may take; nil lets it take as long as it needs.
    ///   - detail: What to say when it took longer.
    ///   - body: The call.
    /// - Returns: What it gave; a call that comes back too late gives nothing, its thread ends here.
    /// - Throws: What the call throws.
    func perform<Result, Failure: Error>(
        _ limit: Duration?,
        _ detail: String,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let idle = IdleConnection(connection)
        progress.update { $0.idle = idle }
        let isOn = limit.map { watch.arm($0, detail) } ?? !watch.isAbandoned
        if !isOn { leave(idle) }
        let result: Result
        do {
            result = try body()
        } catch {
            end(idle)
            throw error
        }
        end(idle)
        return result
    }

    private func end(_ idle: IdleConnection) {
        guard watch.disarm() else { leave(idle) }
        guard idle.takeBack() else { ParkedThread.park() }
        progress.update { $0.idle = nil }
    }

    /// The thread was given up: frees the reader, unless the supervisor does, and never comes back.
    private func leave(_ idle: IdleConnection) -> Never {
        if idle.takeBack() { connection.close() }
        ParkedThread.park()
    }
}

/// A connection in the hands of more than one thread.
// Safe to share: only its own thread uses it, or the supervisor after that thread was given up in an outside call;
// ``IdleConnection`` lets only one of them have it.
final class ThreadsConnection: @unchecked Sendable {
    private let connection: any Connection

    init(_ connection: any Connection) {
        self.connection = connection
    }

    func close() { connection.close() }
}

/// A connection whose thread is elsewhere, in a call that may never return.
final class IdleConnection: Sendable {
    private let connection: ThreadsConnection
    private let isTaken = Mutex(false)

    init(_ connection: ThreadsConnection) {
        self.connection = connection
    }

    /// Gives the connection back to its thread; false when the supervisor has taken it.
    func takeBack() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Closes the connection in its thread's place, unless that thread is back.
    func closeForOwner() {
        if takeBack() { connection.close() }
    }
}
