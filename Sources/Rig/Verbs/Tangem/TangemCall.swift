// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import Scenario
import SmartCard
import Synchronization
import Tangem
import TangemConstants
import Wording

/// What every verb of a wallet card takes: codes, the card that is meant, and how the session behaves.
let tangemSessionArguments: [ArgumentSpec] = [
    ArgumentSpec("access-code", .text, "the access code (PIN1) in use; the default one when left out"),
    ArgumentSpec("passcode", .text, "the passcode (PIN2) in use; the default one when left out"),
    ArgumentSpec("cvc", .text, "the code printed on the card, where its settings ask for it"),
    ArgumentSpec("card-id", .bytes(8), "the card that is meant; any when left out"),
    ArgumentSpec(
        "wait",
        .duration,
        "how long the step waits for the card that is meant while another one, or none, lies there; 0s by default"
    ),
    ArgumentSpec(
        "encryption",
        .word(["none", "fast", "strong"]),
        "the encryption that the session begins with; more comes when the card asks for it"
    ),
    ArgumentSpec(
        "checks",
        .boolean,
        "whether the library refuses what it knows to be wrong, and gives refusals their meaning; no lets the card judge"
    ),
    ArgumentSpec(
        "terminal-key",
        .checked(
            .bytes,
            ArgumentCheck("a private key of secp256k1") { value in
                guard case .bytes(let key) = value else { return nil }
                do throws(CryptographyError) {
                    _ = try PrivateKey(key, curve: .secp256k1)
                    return nil
                } catch {
                    return "\(error)"
                }
            }
        ),
        "private key of a terminal: a card that was linked to it skips the security delay (2.30 to 4.38)"
    ),
    ArgumentSpec(
        "reconnections",
        .number(0...100),
        "how often a lost card is looked for in mid-command; 0 by default, so that the loss is the step's fault"
    ),
]

/// Makes a verb in whose steps a session of the host library begins and ends.
func tangemVerb(
    _ name: String,
    _ summary: String,
    discussion: String = "",
    arguments: [ArgumentSpec] = [],
    rules: [ArgumentRule] = [],
    bare: String? = nil,
    results: [ResultSpec] = [],
    run: @escaping @Sendable (VerbCall) throws -> Void
) -> Verb {
    Verb(
        VerbSpec(
            "tangem.\(name)",
            summary,
            discussion: discussion,
            arguments: arguments + tangemSessionArguments,
            rules: rules,
            bare: bare,
            results: results
        ),
        run: run
    )
}

extension ArgumentType {
    /// A derivation path.
    static let derivationPath = ArgumentType.checked(
        .text,
        ArgumentCheck("") { value in
            guard case .text(let text) = value else { return nil }
            do throws(TangemError) {
                _ = try DerivationPath(text)
                return nil
            } catch {
                return "\(error)"
            }
        }
    )
}

extension VerbCall {
    /// Runs something in a session of its own, as the host library's functions do, and turns its errors into the
    /// verb's end.
    ///
    /// - Parameters:
    ///   - preflight: What is read before the work.
    ///   - attestation: What a scan proves.
    ///   - work: What is done in the session.
    /// - Returns: What the work gives.
    /// - Throws: The fault of the link, the library's typed error by its name, or what ended the case meanwhile.
    @discardableResult
    func tangem<Result>(
        preflight: SessionConfiguration.Preflight = .full,
        attestation: SessionConfiguration.Attestation = .full,
        _ work: (Tangem.CardSession) throws(TangemError) -> Result
    ) throws -> Result {
        var configuration = SessionConfiguration()
        configuration.attestation = attestation
        // Each wrong try may make a card slower for good, so none is made that nobody asked for.
        configuration.checksUserCodes = boolean("check-codes") ?? false
        // On a rig no other card will come by itself, and a lost one is the step's fault unless it says otherwise.
        configuration.cardTimeout = duration("wait") ?? .zero
        configuration.wrongCardPause = min(configuration.cardTimeout, Self.wrongCardPause)
        configuration.reconnections = try number("reconnections") ?? 0
        libraryFindsCards = configuration.reconnections > 0
        if let code = text("access-code") { configuration.accessCode = UserCode(code) }
        if let code = text("passcode") { configuration.passcode = UserCode(code) }
        configuration.cvc = text("cvc")
        configuration.handlesErrors = boolean("checks") ?? true
        if let key = try bytes("terminal-key") {
            do { configuration.terminalKey = try PrivateKey(key, curve: .secp256k1) } catch {
                throw wrong("terminal-key", "\(error)")
            }
        }
        if session.clock.isVirtual { configuration.randomBytes = repeatableBytes() }
        switch text("encryption") {
        case "fast": configuration.encryption = .fast
        case "strong": configuration.encryption = .strong
        default: configuration.encryption = .none
        }
        let notes = DelayNotes(session.clock)
        let connection = PatientConnection(self)
        let sdk = TangemSDK(
            connection: connection,
            delegate: notes,
            configuration: configuration,
            clock: session.clock
        )
        // The library judges every answer: it repeats after 9789, encrypts after 6982, ends a list at 6A82.
        observation.isJudgedByLibrary = true
        defer { if let text = notes.text { details.append(text) } }
        let wanted = try bytes("card-id")
        do throws(TangemError) {
            return try sdk.withSession(cardId: wanted?.hex, preflight: preflight, work)
        } catch {
            if let end = connection.end { throw end }
            if let fault = error.fault { throw VerbStop.fault(fault) }
            throw VerbStop.device(name: error.name, detail: "\(error)")
        }
    }

    /// How long a wrong card is left alone before the next look.
    private static var wrongCardPause: Duration { .milliseconds(500) }

    /// Bytes that are the same in each run: on an emulator there is nobody to be surprised by a challenge.
    private func repeatableBytes() -> @Sendable (Int) -> [UInt8]? {
        let key = "\(step.position)|\(session.clock.now)"
        let source = ChallengeSource(key: key)
        return { count in source.next(count) }
    }

    // MARK: Arguments

    /// The public key of the wallet that is meant.
    func wallet() throws(VerbStop) -> [UInt8] { try needed("wallet") }

    /// Bytes that must be there.
    func needed(_ name: String) throws(VerbStop) -> [UInt8] {
        guard let bytes = try bytes(name) else { throw wrong(name, "it is missing") }
        return bytes
    }

    /// A counter of 32 bits; nil when left out.
    func counter(_ name: String = "counter") throws(VerbStop) -> UInt32? {
        guard let number = try number(name) else { return nil }
        guard let counter = UInt32(exactly: number) else { throw wrong(name, "it has 32 bits") }
        return counter
    }

    /// A curve by the card's word; nil when left out.
    func curve() throws(VerbStop) -> TangemCurve? {
        guard let word = text("curve") else { return nil }
        guard let curve = TangemCurve(word: word) else {
            throw wrong("curve", "'\(word)' is no curve of these cards")
        }
        return curve
    }

    /// A derivation path; nil when left out.
    func path() throws(VerbStop) -> DerivationPath? {
        guard let text = text("path") else { return nil }
        do throws(TangemError) {
            return try DerivationPath(text)
        } catch {
            throw wrong("path", "\(error)")
        }
    }

    /// Several byte strings.
    func byteList(_ name: String) throws(VerbStop) -> [[UInt8]] {
        guard case .list(let values)? = argument(name) else {
            return try bytes(name).map { [$0] } ?? []
        }
        var out: [[UInt8]] = []
        for value in values {
            guard case .bytes(let bytes) = value else { throw wrong(name, "each of them is hex text") }
            out.append(bytes)
        }
        return out
    }

    // MARK: Results

    /// Sets a result field; nil leaves it out.
    func give(_ name: String, _ value: Value?) {
        observation.fields[name] = value
    }
}

extension Value {
    /// A number; nil for none.
    static func optional(_ number: Int?) -> Value? { number.map { .number($0) } }
    /// Bytes; nil for none.
    static func optional(_ bytes: [UInt8]?) -> Value? { bytes.map { .bytes($0) } }
    /// A truth value; nil for none.
    static func optional(_ flag: Bool?) -> Value? { flag.map { .boolean($0) } }
}

/// A stream of bytes that follows from a text.
private final class ChallengeSource: Sendable {
    private let key: String
    private let position = Mutex(0)

    init(key: String) {
        self.key = key
    }

    func next(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count {
            let number = position.withLock {
                $0 += 1
                return $0
            }
            out += SHA256.digest(Array("\(key)|\(number)".utf8))
        }
        return Array(out.prefix(count))
    }
}

/// Observes the exchanges of a session, counts wrong codes, and ends a long session when the case is over: a security
/// delay takes many exchanges.
private final class PatientConnection: ConnectionWrapper {
    let inner: any Connection
    private let session: CardSession
    private var attempts: CodeAttempts
    /// What ended the case; the library sees a fault in its place.
    private(set) var end: (any Error)?

    init(_ call: VerbCall) {
        inner = ObservedConnection(call)
        session = call.session
        attempts = CodeAttempts(
            ownPasscode: call.text("passcode").map { UserCode($0) },
            takenPasscode: call.session.takenPasscode
        )
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        do {
            try session.wait(.zero)
        } catch {
            end = error
            throw TransportFault(.timeout, "the case is over")
        }
        try attempts.admit(command, session.codeGuard)
        let answer = try inner.transmit(command)
        attempts.judge(answer, session.codeGuard)
        session.takenPasscode = attempts.takenPasscode
        return answer
    }
}

/// Keeps what the security delay of a step was like, for the report.
final class DelayNotes: SessionDelegate {
    private let clock: any RigClock
    private var start: Duration?
    private var waited = Duration.zero
    private var last = Duration.zero
    private var remaining: [Int?] = []

    init(_ clock: any RigClock) {
        self.clock = clock
    }

    func handle(_ event: SessionEvent) {
        switch event {
        case .delay(let left, _):
            if start == nil { start = clock.now }
            last = clock.now
            remaining.append(left)
        case .delayEnded:
            if let start { waited += clock.now - start }
            start = nil
        default: break
        }
    }

    /// One sentence, nil when there was no delay.
    var text: String? {
        guard !remaining.isEmpty else { return nil }
        let total = waited + (start.map { last - $0 } ?? .zero)
        var words = remaining.map { $0.map { seconds($0) } ?? "unknown" }
        if words.count > 6 { words.replaceSubrange(3..<words.count - 2, with: ["..."]) }
        return
            "security delay: \(Amount.text(remaining.count, "answer")) 9789 in \(seconds(milliseconds(total))), left \(words.joined(separator: ", "))"
    }

    private func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private func seconds(_ milliseconds: Int) -> String {
        let hundredths = milliseconds % 1000 / 10
        return "\(milliseconds / 1000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }
}
