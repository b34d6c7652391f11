// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import PCSC
import Scenario
import Synchronization

/// The locks of the reader that a way to a card uses, taken once for a run.
final class ReaderHold: Sendable {
    private struct Held {
        var identity: ReaderLock?
        var names: [String: ReaderLock] = [:]
    }

    private let access: ReaderAccess
    /// What tells the reader from its like without looking for it; nil when only its name does.
    private let identity: String?
    private let held = Mutex(Held())

    init(_ selector: String, access: ReaderAccess) {
        self.access = access
        let isStable = selector.hasPrefix("serial=") || selector.hasPrefix("usb=")
        identity = isStable ? selector : nil
    }

    /// True once a reader's name is locked.
    var hasName: Bool { held.withLock { !$0.names.isEmpty } }

    /// Locks the reader by what is known of it before it is looked for: one in use does not tell its serial number.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for it.
    ///   - tell: Takes a sentence about who has it, before the wait.
    /// - Throws: A fault that names the holder, or tells what is wrong with the locks.
    func takeIdentity(
        _ patience: ReaderLock.Patience = ReaderLock.Patience(),
        tell: @escaping (String) -> Void = { _ in }
    ) throws(TransportFault) {
        guard let identity, held.withLock({ $0.identity == nil }) else { return }
        let lock = try take(identity, patience, tell)
        held.withLock { $0.identity = lock }
    }

    /// Locks the reader by its name.
    ///
    /// - Parameters:
    ///   - name: The reader's name.
    ///   - patience: How long to wait for it.
    ///   - tell: Takes a sentence about who has it, before the wait.
    /// - Throws: A fault that names the holder, or tells what is wrong with the locks.
    func takeName(
        _ name: String,
        _ patience: ReaderLock.Patience = ReaderLock.Patience(),
        tell: @escaping (String) -> Void = { _ in }
    ) throws(TransportFault) {
        guard held.withLock({ $0.names[name] == nil }) else { return }
        let lock = try take(name, patience, tell)
        held.withLock { $0.names[name] = lock }
    }

    /// Gives everything back.
    func release() {
        let held = held.withLock { held -> Held in
            defer { held = Held() }
            return held
        }
        held.identity?.release()
        for lock in held.names.values { lock.release() }
    }

    private func take(
        _ words: String,
        _ patience: ReaderLock.Patience,
        _ tell: @escaping (String) -> Void
    ) throws(TransportFault) -> ReaderLock {
        var patience = patience
        let limit = patience.limit
        patience.onWait = { holder in
            let who = holder.map { "\($0)" } ?? "another program"
            tell(
                "waiting up to \(DurationText.text(limit)) for the reader '\(words)': it is in use by \(who)"
            )
        }
        return try ReaderLock.acquire(
            words,
            reader: words,
            holder: .current(command: access.command),
            in: access.locks,
            patience: patience
        )
    }
}
