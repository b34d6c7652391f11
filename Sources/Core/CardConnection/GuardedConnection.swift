// SPDX-License-Identifier: MIT

import SmartCard

/// Stops PIN and code attempts before a sample blocks itself.
///
/// It stands above chaining and following, where a command is whole. Commands: VERIFY (`20`), CHANGE REFERENCE DATA
/// (`24`) and RESET RETRY COUNTER (`2C`) of any class. Source: ISO/IEC 7816-4:2013 §11.5.6 to §11.5.10.
public final class GuardedConnection: ConnectionWrapper {
    /// The connection below.
    public let inner: any Connection
    /// Lets the next attempt pass whatever the counter says, then is false again.
    public var letsNextThrough = false
    /// The sample whose counters are watched: UID or serial.
    public var sample: String

    private let ledger: RetryLedger
    private let floor: Int
    private var isLinkUp = true

    /// Puts the guard on a connection.
    ///
    /// - Parameters:
    ///   - inner: The connection below.
    ///   - ledger: Where counters are remembered.
    ///   - sample: UID or serial of the card.
    ///   - floor: Tries that are kept in reserve.
    public init(_ inner: any Connection, ledger: RetryLedger, sample: String, floor: Int = 1) {
        self.inner = inner
        self.ledger = ledger
        self.sample = sample
        self.floor = floor
    }

    /// Sends a command, unless it is an attempt and the counter stands at the floor.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let attempt = Attempt(command) else {
            let answer = try inner.transmit(command)
            isLinkUp = true
            return answer
        }
        if attempt.carriesValue {
            try admit(attempt.reference)
            letsNextThrough = false
        }
        do {
            let answer = try inner.transmit(command)
            isLinkUp = true
            note(StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1]), attempt)
            return answer
        } catch {
            // The card may have counted a wrong value before its answer got lost. A link that was down already
            // carried nothing.
            if attempt.carriesValue, isLinkUp, Self.mayHaveReachedCard(error) {
                ledger.countUnknownResult(sample: sample, reference: attempt.reference)
            }
            if Self.mayHaveReachedCard(error) { isLinkUp = false }
            throw error
        }
    }

    private func admit(
        _ reference: RetryLedger.Reference,
        what: String = ""
    ) throws(TransportFault) {
        guard let left = ledger.triesLeft(sample: sample, reference: reference) else { return }
        try admit(left: left, what: what)
    }

    private func admit(left: Int, what: String, hint: String? = nil) throws(TransportFault) {
        guard left <= floor else { return }
        guard letsNextThrough else {
            let left = max(left, 0)
            let pass = "write `allow: guard` at the step to let one through"
            throw TransportFault(
                .guarded,
                "stopped: \(left) \(left == 1 ? "try" : "tries")\(what) left, floor is \(floor)",
                hint: hint.map { "\($0), or \(pass)" } ?? pass
            )
        }
        letsNextThrough = false
    }

    /// Connects anew through the connection below.
    public func reconnect() throws(TransportFault) {
        try inner.reconnect()
        isLinkUp = true
    }

    /// Switches the field through the connection below.
    public func setField(_ state: FieldState) throws(TransportFault) {
        try inner.setField(state)
        isLinkUp = state == .on
    }

    private func note(_ word: StatusWord, _ attempt: Attempt) {
        if let left = word.triesLeft {
            ledger.setTriesLeft(left, sample: sample, reference: attempt.reference)
        } else if word == Self.blocked {
            ledger.setTriesLeft(0, sample: sample, reference: attempt.reference)
        } else if word == .success, attempt.carriesValue {
            ledger.setTriesLeft(nil, sample: sample, reference: attempt.reference)
            // A resetting code that was right gives the PIN its tries back.
            let pin = RetryLedger.Reference(isResettingCode: false, p2: attempt.p2)
            ledger.setTriesLeft(nil, sample: sample, reference: pin)
        } else if word == Self.failedWithoutCounter, attempt.carriesValue {
            ledger.countUnknownResult(sample: sample, reference: attempt.reference)
        }
    }

    private static func mayHaveReachedCard(_ fault: TransportFault) -> Bool {
        switch fault.kind {
        case .transport, .timeout, .cardRemoved, .cardMute, .readerRemoved, .service: true
        default: false
        }
    }

    /// Authentication method blocked.
    private static let blocked = StatusWord(rawValue: 0x6983)
    /// Verification failed, without a counter.
    private static let failedWithoutCounter = StatusWord(rawValue: 0x6300)
}

/// Counts attempts at codes of a card that tells no counter of its own.
///
/// Whoever knows the card's commands says which code goes out and how it ended; the guard counts per sample, over runs.
public protocol CodeGuard: AnyObject {
    /// Lets an attempt pass, or stops it.
    ///
    /// - Parameter code: The word of the code, for example `access code`.
    /// - Throws: The fault `guard` when as many wrong ones went before as the rig allows.
    func admit(code: String) throws(TransportFault)

    /// Lets an attempt pass, or stops it, where the caller has worked out what is left.
    ///
    /// - Parameters:
    ///   - code: The word of the code.
    ///   - left: Tries that are left at worst.
    ///   - hint: What else to do than to let one through; nil for nothing.
    /// - Throws: The fault `guard` when no more are left than the rig keeps.
    func admit(code: String, left: Int, hint: String?) throws(TransportFault)

    /// Tries left of the sample's codes, as far as any were counted or set, by their words.
    var codeCounters: [String: Int] { get }

    /// Remembers tries left of a code, 0 to 15; nil forgets them.
    func setTriesLeft(_ left: Int?, code: String)

    /// Remembers how an attempt ended.
    ///
    /// - Parameters:
    ///   - code: The word of the code.
    ///   - wasRight: Whether the card took it; a right one gives all tries back.
    ///   - tries: How many wrong ones in a row there may be in all, the floor included.
    func note(code: String, wasRight: Bool, tries: Int)
}

extension GuardedConnection: CodeGuard {
    /// Lets an attempt pass unless the counter stands at the floor.
    public func admit(code: String) throws(TransportFault) {
        try admit(RetryLedger.Reference(code: code), what: " of the \(code)")
    }

    /// Lets an attempt pass unless what is left stands at the floor.
    public func admit(code: String, left: Int, hint: String?) throws(TransportFault) {
        try admit(left: left, what: " of the \(code)", hint: hint)
    }

    /// All counters of the sample.
    public var codeCounters: [String: Int] { ledger.triesLeft(sample: sample) }

    /// Sets a counter of the sample.
    public func setTriesLeft(_ left: Int?, code: String) {
        let reference = RetryLedger.Reference(code: code)
        guard left != nil || ledger.triesLeft(sample: sample, reference: reference) != nil else { return }
        ledger.setTriesLeft(left, sample: sample, reference: reference)
    }

    /// Counts a wrong code, or forgets all of them after a right one.
    public func note(code: String, wasRight: Bool, tries: Int) {
        let reference = RetryLedger.Reference(code: code)
        let left = ledger.triesLeft(sample: sample, reference: reference)
        if wasRight {
            if left != nil { ledger.setTriesLeft(nil, sample: sample, reference: reference) }
        } else {
            ledger.setTriesLeft(max((left ?? tries) - 1, 0), sample: sample, reference: reference)
        }
    }
}

/// A command that speaks of a retry counter.
private struct Attempt {
    let reference: RetryLedger.Reference
    let p2: UInt8
    /// False for the status query, which the card answers without counting.
    let carriesValue: Bool

    init?(_ command: [UInt8]) {
        guard command.count >= 4, [0x20, 0x24, 0x2C].contains(command[1]) else { return nil }
        p2 = command[3]
        reference = RetryLedger.Reference(isResettingCode: command[1] == 0x2C, p2: p2)
        // What is no well-formed command is taken for an attempt when anything could be a value.
        let parsed = try? CommandAPDU(bytes: command)
        carriesValue = parsed.map { $0.nc > 0 } ?? (command.count > 5)
    }
}
