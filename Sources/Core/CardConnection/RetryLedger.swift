// SPDX-License-Identifier: MIT

import JSONText
import SmartCard
import Synchronization

/// What is remembered of the retry counters of samples, over runs.
///
/// A counter belongs to a sample (UID or serial) and a reference: VERIFY and CHANGE REFERENCE DATA of one P2 share
/// it, RESET RETRY COUNTER of that P2 has its own. The applications of a card are not told apart, which errs to the
/// side of stopping early. Any thread may use it.
public final class RetryLedger: Sendable {
    /// A counter of a sample.
    public struct Reference: Hashable, Sendable, CustomStringConvertible {
        /// Instruction and P2 in hex (`20/01`), or the word of a code.
        public let description: String

        /// Makes a reference to the counter of a PIN.
        ///
        /// - Parameters:
        ///   - isResettingCode: True for the counter of the resetting code.
        ///   - p2: P2 of the command.
        public init(isResettingCode: Bool, p2: UInt8) {
            description = (isResettingCode ? "2C/" : "20/") + [p2].hex
        }

        /// Makes a reference to a code of a card that tells no counter, so that the rig counts.
        ///
        /// - Parameter code: Its word, for example `access code`.
        public init(code: String) {
            description = code
        }
    }

    private let counters: Mutex<[String: [String: Int]]>
    /// Where the counters live beyond the process; nil when they do not.
    private let store: (any RetryLedgerStore)?

    /// Makes a ledger that remembers nothing.
    public init() {
        counters = Mutex([:])
        store = nil
    }

    /// Makes a ledger that lives in a store, which other processes may use too.
    ///
    /// - Parameters:
    ///   - store: Where the counters live.
    ///   - known: The counters as they stand in it, for the case that it cannot be read later on.
    public init(store: any RetryLedgerStore, known: RetryLedger) {
        counters = Mutex(known.counters.withLock { $0 })
        self.store = store
    }

    /// Reads a ledger that was kept as JSON text.
    ///
    /// - Parameter json: What ``jsonText`` gave.
    /// - Throws: ``RetryLedgerError`` when it is something else.
    public init(json: [UInt8]) throws(RetryLedgerError) {
        let document: JSON
        do {
            document = try JSON(parsing: json)
        } catch {
            throw RetryLedgerError("the retry ledger is no JSON text, \(error)")
        }
        guard document["retry_ledger"]?.integer == 1, let samples = document["samples"]?.members else {
            throw RetryLedgerError("the retry ledger lacks \"retry_ledger\": 1 or its \"samples\"")
        }
        var counters: [String: [String: Int]] = [:]
        for sample in samples {
            guard let references = sample.value.members else {
                throw RetryLedgerError(
                    "sample \"\(sample.key)\" of the retry ledger is no object of counters"
                )
            }
            for reference in references {
                guard let left = reference.value.integer, (0...15).contains(left) else {
                    throw RetryLedgerError(
                        "counter \"\(reference.key)\" of sample \"\(sample.key)\" in the retry ledger "
                            + "is no number from 0 to 15"
                    )
                }
                counters[sample.key, default: [:]][reference.key] = left
            }
        }
        self.counters = Mutex(counters)
        store = nil
    }

    /// The ledger as JSON text, in the same order each time.
    public var jsonText: String {
        let samples = counters.withLock { $0 }.sorted { $0.key < $1.key }
        return JSON.object([
            "retry_ledger": 1,
            "samples": .object(
                samples.map { sample in
                    let references = sample.value.sorted { $0.key < $1.key }
                    return JSON.Member(
                        sample.key,
                        .object(references.map { JSON.Member($0.key, .integer($0.value)) })
                    )
                }
            ),
        ]).prettyText
    }

    /// Tries left as last heard from the sample; nil when it never said, or has been given the right value since.
    public func triesLeft(sample: String, reference: Reference) -> Int? {
        store?.read { kept in
            let left = kept.triesLeft(sample: sample, reference: reference)
            remember(left, sample: sample, reference: reference)
        }
        return counters.withLock { $0[sample]?[reference.description] }
    }

    /// Tries left of all references of a sample, as last heard, by their words.
    public func triesLeft(sample: String) -> [String: Int] {
        store?.read { kept in
            let known = kept.counters.withLock { $0[sample] }
            counters.withLock { $0[sample] = known }
        }
        return counters.withLock { $0[sample] ?? [:] }
    }

    /// Remembers tries left; nil forgets them.
    public func setTriesLeft(_ left: Int?, sample: String, reference: Reference) {
        remember(left, sample: sample, reference: reference)
        store?.change { $0.setTriesLeft(left, sample: sample, reference: reference) }
    }

    /// Takes over the counters of another ledger where fewer tries are left, or where nothing is known.
    public func takeLower(of other: RetryLedger) {
        let others = other.counters.withLock { $0 }
        counters.withLock { counters in
            for (sample, references) in others {
                counters[sample, default: [:]].merge(references) { min($0, $1) }
            }
        }
    }

    private func remember(_ left: Int?, sample: String, reference: Reference) {
        counters.withLock { counters in
            counters[sample, default: [:]][reference.description] = left
            if counters[sample]?.isEmpty == true { counters[sample] = nil }
        }
    }

    /// Counts a try whose result is not known, as a failed one.
    func countUnknownResult(sample: String, reference: Reference) {
        counters.withLock { counters in
            guard let left = counters[sample]?[reference.description] else { return }
            counters[sample]?[reference.description] = max(left - 1, 0)
        }
        store?.change { $0.countUnknownResult(sample: sample, reference: reference) }
    }
}

/// Keeps the counters of a ledger beyond the process, for all processes that use the same store.
///
/// Trouble is the store's own to remember and tell: the guard goes on with what the process knows.
public protocol RetryLedgerStore: Sendable {
    /// Shows the counters as they stand now; not called when they cannot be read.
    func read(_ body: (RetryLedger) -> Void)

    /// Changes the counters as they stand now; no other process changes them in between.
    func change(_ body: (RetryLedger) -> Void)
}

/// Why a text is no retry ledger.
public struct RetryLedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in one sentence.
    public let description: String

    /// Makes an error from its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
