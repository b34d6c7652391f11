// SPDX-License-Identifier: MIT

/// What the debug port answers to a transfer on the wires.
struct WireAnswer: Hashable, Sendable {
    /// The three acknowledge bits.
    enum Acknowledge: UInt8, Sendable {
        case ok = 1
        case wait = 2
        case fault = 4
        /// Nobody drives the line.
        case silent = 7
    }

    /// The acknowledge bits.
    let acknowledge: Acknowledge
    /// The word of a read.
    let word: UInt32

    static let ok = WireAnswer(acknowledge: .ok, word: 0)
    static let wait = WireAnswer(acknowledge: .wait, word: 0)
    static let fault = WireAnswer(acknowledge: .fault, word: 0)
    static let silent = WireAnswer(acknowledge: .silent, word: 0)
}

/// A request of the host on the wires: which register, which way.
struct WireRequest: Hashable, Sendable {
    /// Access port or debug port.
    let isAccessPort: Bool
    /// Read or write.
    let isRead: Bool
    /// Register address: 0, 4, 8 or 12.
    let address: UInt8

    /// The four low bits of a request byte of the probe.
    init(bits: UInt8) {
        isAccessPort = bits & 1 != 0
        isRead = bits & 2 != 0
        address = bits & 0x0C
    }

    /// The read of RDBUFF.
    static let readBuffer = WireRequest(bits: 0x0E)
}

/// The debug port of a PSoC 62 and the three access ports behind it.
///
/// Access-port reads are posted: each brings the word of the one before. An error sticks until ABORT clears it.
/// Source: ARM Debug Interface v5.2 (IHI 0031), B2.2 (registers) and B4.2 (responses).
struct DebugPort: Sendable {
    private let identity: UInt32
    private var control: UInt32 = 0
    private var hasStickyError = false
    private var select: UInt32 = 0
    private var lineControl: UInt32 = 0
    /// The word of the last access-port read, for RDBUFF and the next read.
    private var posted: UInt32 = 0
    /// The word of the last read, for RESEND.
    private var last: UInt32 = 0
    private var ports: [AccessPort]

    /// DBGPWRUPREQ and SYSPWRUPREQ; each is acknowledged one bit higher.
    private static let powerRequests: UInt32 = 0x5000_0000
    private static let stickyError: UInt32 = 0x20
    private static let clearStickyError: UInt32 = 0x04
    /// The version of the debug port's protocol (DLPIDR, bits 3..0).
    private static let protocolVersion: UInt32 = 1

    init(identity: UInt32, isSystemPortOpen: Bool) {
        self.identity = identity
        ports = TargetView.allCases.map { view in
            AccessPort(view: view, isEnabled: view != .system || isSystemPortOpen)
        }
    }

    /// Bits 9 and 8 of DLCR: the turnaround in cycles, less one.
    var turnaround: UInt8 { UInt8(lineControl >> 8 & 3) }

    /// The line was reset: its control register starts anew.
    mutating func lineWasReset() {
        lineControl = 0
    }

    /// Takes a transfer.
    ///
    /// - Parameters:
    ///   - request: Which register, which way.
    ///   - word: The word of a write.
    ///   - bus: The target's address space.
    /// - Returns: The acknowledge, and the word of a read.
    mutating func transfer(_ request: WireRequest, _ word: UInt32, on bus: some TargetBus) -> WireAnswer {
        let answer =
            switch (request.isAccessPort, request.isRead) {
            case (true, _): accessPort(request, word, on: bus)
            case (false, true): read(request.address)
            case (false, false): write(word, to: request.address)
            }
        if request.isRead, answer.acknowledge == .ok { last = answer.word }
        return answer
    }

    private func read(_ address: UInt8) -> WireAnswer {
        switch address {
        case 0x00: return WireAnswer(acknowledge: .ok, word: identity)
        case 0x04: return WireAnswer(acknowledge: .ok, word: banked)
        case 0x08: return WireAnswer(acknowledge: .ok, word: last)
        default: return hasStickyError ? .fault : WireAnswer(acknowledge: .ok, word: posted)
        }
    }

    /// The register at address 4 that SELECT has chosen.
    private var banked: UInt32 {
        switch select & 0xF {
        case 0:
            let requests = control & Self.powerRequests
            return requests | requests << 1 | (hasStickyError ? Self.stickyError : 0)
        case 1: return lineControl
        case 3: return Self.protocolVersion
        default: return 0
        }
    }

    private mutating func write(_ word: UInt32, to address: UInt8) -> WireAnswer {
        if address == 0x00 {
            if word & Self.clearStickyError != 0 { hasStickyError = false }
            return .ok
        }
        guard !hasStickyError else { return .fault }
        switch address {
        case 0x04 where select & 0xF == 0: control = word
        case 0x04 where select & 0xF == 1: lineControl = word & 0x300
        case 0x08: select = word
        default: break
        }
        return .ok
    }

    private mutating func accessPort(
        _ request: WireRequest,
        _ word: UInt32,
        on bus: some TargetBus
    ) -> WireAnswer {
        guard !hasStickyError else { return .fault }
        guard control & Self.powerRequests == Self.powerRequests else {
            hasStickyError = true
            return .fault
        }
        let register = UInt8(select & 0xF0) | request.address
        let index = Int(select >> 24)
        if request.isRead {
            let before = posted
            // A port that does not exist reads as zero; that is how a host finds the end of the list.
            let word = ports.indices.contains(index) ? ports[index].read(register, on: bus) : 0
            hasStickyError = word == nil
            posted = word ?? 0
            return WireAnswer(acknowledge: .ok, word: before)
        }
        if ports.indices.contains(index) {
            hasStickyError = !ports[index].write(word, to: register, on: bus)
        }
        return .ok
    }

    /// Makes the next access fail, as a bus error would.
    mutating func injectFault() {
        hasStickyError = true
    }
}
