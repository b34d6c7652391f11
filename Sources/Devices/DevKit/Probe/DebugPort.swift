// SPDX-License-Identifier: MIT

import HostSystem

/// The debug port of a chip, reached by serial wire: start-up, choice of access ports, repair after errors.
///
/// Reading through it halts nothing: no register that stops or resets a core is ever written.
/// Source: Arm Debug Interface v5, chapters 2 (debug port) and 5 (serial wire).
final class DebugPort {
    /// The identification of the chip's debug port, after ``start()``.
    private(set) var identity: UInt32 = 0
    let client: DAPClient

    private let wait: (Duration) -> Void
    private let now: () -> Duration
    private var selection: (port: UInt8, bank: UInt8)?
    private var matchRetries: UInt16 = 0

    /// Bit 7 of DAP_SWJ_Pins: nRESET.
    private static let resetPin: UInt8 = 0x80
    private static let fastClock: UInt32 = 1_000_000
    private static let slowClock: UInt32 = 100_000
    private static let idleCycles: UInt8 = 2
    private static let waitRetries: UInt16 = 80
    /// Start-ups at the usual clock before the slow one is tried.
    private static let attempts = 3
    /// STKERRCLR, WDERRCLR, ORUNERRCLR and STKCMPCLR of ABORT.
    private static let clearErrors: UInt32 = 0x1E
    /// The same, and DAPABORT, which ends an access that hangs.
    private static let abandonAccess: UInt32 = 0x1F
    /// CSYSPWRUPREQ and CDBGPWRUPREQ of CTRL/STAT.
    private static let powerUp: UInt32 = 0x5000_0000
    /// CSYSPWRUPACK and CDBGPWRUPACK.
    private static let isPowered: UInt32 = 0xA000_0000
    private static let powerLimit = Duration.seconds(1)
    /// STICKYERR of CTRL/STAT.
    private static let stickyError: UInt32 = 0x20

    /// Prepares the port.
    ///
    /// - Parameters:
    ///   - client: The probe.
    ///   - now: The present time.
    ///   - wait: Lets time pass.
    init(
        _ client: DAPClient,
        now: @escaping () -> Duration = { MonotonicTime.now },
        wait: @escaping (Duration) -> Void = { MonotonicTime.sleep($0) }
    ) {
        self.client = client
        self.now = now
        self.wait = wait
    }

    private var name: String { client.link.name }

    // MARK: Start and end

    /// Takes the probe; the chip's debug port is left as it is.
    func takeProbe() throws(ProbeError) {
        let capabilities = try client.info(.capabilities)
        guard let first = capabilities.first, first & 0x01 != 0 else {
            throw ProbeError("the \(name) cannot speak SWD", kind: .unsupported)
        }
        try client.learnPacketSize()
        try client.connect()
        try client.clock(hertz: Self.fastClock)
        try configureMatch(retries: 0, always: true)
        try client.configureWire(0)
    }

    /// Wakes the debug port again, after a reset of the chip or when it stopped answering.
    func wake() throws(ProbeError) {
        var isAwake = false
        for _ in 0..<Self.attempts where !isAwake { isAwake = try readIdentity() }
        if !isAwake {
            try client.clock(hertz: Self.slowClock)
            isAwake = try readIdentity()
        }
        guard isAwake else { throw silence() }
        try power()
    }

    /// What to say of a chip that does not answer; a reset line that is pulled is told as the reason.
    private func silence() -> ProbeError {
        let what = "the chip behind the \(name) does not answer on SWD"
        if let levels = try? client.pins(output: 0, select: 0), levels & Self.resetPin == 0 {
            return ProbeError(
                "\(what): its reset line is low; let it go with `kit.reset: release` or `taprig kit reset`",
                kind: .target
            )
        }
        return ProbeError("\(what); is the board powered, is the cable in place?", kind: .target)
    }

    /// Pulls the reset line of the board, or lets it go; the chip need not answer for that.
    func pullReset(_ isPulled: Bool) throws(ProbeError) {
        _ = try client.pins(output: isPulled ? 0x00 : Self.resetPin, select: Self.resetPin)
    }

    /// Lets go of the probe; what cannot be told any more is left.
    func end() {
        try? client.hostStatus(type: 0, isOn: false)
        try? client.disconnect()
        client.link.close()
    }

    /// Brings the wire from any state to serial wire debug, and reads the identification, which must come first.
    private func readIdentity() throws(ProbeError) -> Bool {
        selection = nil
        let reset = [UInt8](repeating: 0xFF, count: 7)
        try client.sequence(bits: 51, reset)
        try client.sequence(bits: 16, [0x9E, 0xE7])
        try client.sequence(bits: 51, reset)
        try client.sequence(bits: 8, [0x00])
        let outcome = try client.transfer([.readIdentity])
        guard outcome.acknowledge == .ok, let word = outcome.words.first else { return false }
        identity = word
        return true
    }

    private func power() throws(ProbeError) {
        let first = try client.transfer([
            .abort(Self.clearErrors), .select(port: 0, bank: 0), .writeControl(Self.powerUp), .readControl,
        ])
        guard first.acknowledge == .ok, var status = first.words.first else {
            throw refused("the debug port cannot be powered", first)
        }
        selection = (0, 0)
        let end = now() + Self.powerLimit
        while status & Self.isPowered != Self.isPowered {
            guard now() < end else {
                throw ProbeError(
                    "the debug port of the chip behind the \(name) does not power up (CTRL/STAT \(status.hexText))",
                    kind: .target
                )
            }
            wait(.milliseconds(1))
            let next = try client.transfer([.readControl])
            guard next.acknowledge == .ok, let word = next.words.first else {
                throw refused("the debug port cannot be powered", next)
            }
            status = word
        }
    }

    // MARK: Accesses

    /// Chooses an access port and a bank of its registers, if another is chosen.
    func selecting(port: UInt8, bank: UInt8) -> [DAPTransfer] {
        if let selection, selection == (port, bank) { return [] }
        return [.select(port: port, bank: bank)]
    }

    /// Carries out transfers, in as many packets as they need; a fault is cleared and the packet repeated once.
    ///
    /// - Parameters:
    ///   - transfers: The transfers; a choice of access port in them is remembered.
    ///   - place: What is accessed, for messages.
    /// - Returns: The words that were read.
    /// - Throws: `ProbeError` of kind `target` when the chip refuses or does not answer.
    func run(_ transfers: [DAPTransfer], _ place: @autoclosure () -> String) throws(ProbeError) -> [UInt32] {
        var words: [UInt32] = []
        var rest = transfers[...]
        while !rest.isEmpty {
            let count = max(1, client.fitting(rest))
            let packet = Array(rest.prefix(count))
            var outcome = try client.transfer(packet)
            if outcome.done < packet.count || outcome.acknowledge != .ok {
                outcome = try repaired(packet, after: outcome, place())
            }
            for transfer in packet where transfer.request == 0x08 {
                let word = transfer.word ?? 0
                selection = (
                    UInt8(truncatingIfNeeded: word >> 24), UInt8(truncatingIfNeeded: word >> 4) & 0x0F
                )
            }
            words += outcome.words
            rest = rest.dropFirst(count)
        }
        return words
    }

    /// Reads one register several times in one packet.
    func block(_ count: Int, _ transfer: DAPTransfer, _ place: String) throws(ProbeError) -> [UInt32] {
        let outcome = try client.transferBlock(reading: count, transfer)
        guard outcome.acknowledge == .ok, outcome.done == count else {
            try clear(after: outcome)
            throw refused("\(place) cannot be read", outcome)
        }
        return outcome.words
    }

    /// Lets the probe itself repeat a read until it matches.
    ///
    /// - Parameters:
    ///   - transfers: What sets the address, and the match as the last of them.
    ///   - retries: How often the probe looks again.
    ///   - place: What is accessed, for messages.
    /// - Returns: False when no look matched.
    /// - Throws: `ProbeError` of kind `target` when the chip refuses or does not answer.
    func match(_ transfers: [DAPTransfer], retries: UInt16, _ place: String) throws(ProbeError) -> Bool {
        try configureMatch(retries: retries)
        let outcome = try client.transfer(transfers)
        if outcome.isMismatch, outcome.acknowledge == .ok { return false }
        guard outcome.acknowledge == .ok, outcome.done == transfers.count else {
            try clear(after: outcome)
            throw refused("\(place) cannot be read", outcome)
        }
        return true
    }

    /// Takes back what an access that failed has left in the debug port.
    private func clear(after outcome: DAPOutcome) throws(ProbeError) {
        switch outcome.acknowledge {
        case .fault: try client.writeAbort(Self.clearErrors)
        case .wait: try client.writeAbort(Self.abandonAccess)
        case .ok, .none: break
        }
    }

    private func configureMatch(retries: UInt16, always: Bool = false) throws(ProbeError) {
        guard always || retries != matchRetries else { return }
        try client.configureTransfers(
            idle: Self.idleCycles,
            waitRetries: Self.waitRetries,
            matchRetries: retries
        )
        matchRetries = retries
    }

    private func repaired(
        _ packet: [DAPTransfer],
        after outcome: DAPOutcome,
        _ place: String
    ) throws(ProbeError) -> DAPOutcome {
        switch outcome.acknowledge {
        case .fault:
            let status = try client.transfer([.readControl]).words.first
            try client.writeAbort(Self.clearErrors)
            let second = try client.transfer(packet)
            if second.acknowledge == .ok, second.done == packet.count { return second }
            if second.acknowledge == .fault { try client.writeAbort(Self.clearErrors) }
            let text = status.map { ", CTRL/STAT \($0.hexText)" } ?? ""
            throw ProbeError(
                "the chip behind the \(name) refuses an access to \(place)\(text)",
                kind: .target,
                acknowledge: second.acknowledge
            )
        case .wait:
            try client.writeAbort(Self.abandonAccess)
            throw refused("the access to \(place) never ended", outcome)
        case .none:
            throw refused("the access to \(place) was not acknowledged", outcome)
        case .ok:
            throw ProbeError(
                "the \(name) carried out \(outcome.done) of \(packet.count) transfers without a reason",
                kind: .outOfStep
            )
        }
    }

    private func refused(_ what: String, _ outcome: DAPOutcome) -> ProbeError {
        let reason: String
        switch outcome.acknowledge {
        case .ok: reason = "\(outcome.done) transfers were done"
        case .wait: reason = "it keeps asking to wait"
        case .fault: reason = "it reports a fault"
        case .none: reason = "it does not answer; was it reset or unplugged?"
        }
        return ProbeError(
            "the chip behind the \(name): \(what): \(reason)",
            kind: .target,
            acknowledge: outcome.acknowledge
        )
    }
}
