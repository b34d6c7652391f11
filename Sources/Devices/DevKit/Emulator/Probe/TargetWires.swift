// SPDX-License-Identifier: MIT

import CardConnection

/// The two wires between probe and target, with the debug port at their end.
struct TargetWires: Sendable {
    /// Clock in Hz.
    var clock: UInt32 = 1_000_000
    /// Turnaround in cycles, less one, as the probe drives it.
    var turnaround: UInt8 = 0

    private let settings: ProbeSettings
    private let kit: EmulatedKit
    private var line = SerialWireLine()
    private var port: DebugPort
    private var accessCount = 0
    private var waitsLeft: Int
    private var deafLeft: Int
    /// Time on the wires that the kit's clock has not seen yet.
    private var unspent = Duration.zero

    /// Bits of a transfer: request, turnaround, acknowledge, data, parity.
    private static let transferLength: Int64 = 46

    init(settings: ProbeSettings, kit: EmulatedKit) {
        self.settings = settings
        self.kit = kit
        waitsLeft = settings.waitCount
        deafLeft = settings.deafCount
        port = Self.port(settings)
    }

    private static func port(_ settings: ProbeSettings) -> DebugPort {
        DebugPort(identity: settings.targetIdentity, isSystemPortOpen: settings.isSystemPortOpen)
    }

    /// Sends bits, the lowest of each byte first.
    mutating func send(_ bytes: ArraySlice<UInt8>, count: Int) {
        for index in 0..<count {
            let byte = bytes[bytes.startIndex + index / 8]
            if line.clock(byte >> UInt8(index % 8) & 1 != 0) { port.lineWasReset() }
        }
    }

    /// Sends a request once.
    mutating func transfer(_ request: WireRequest, _ word: UInt32) -> WireAnswer {
        spend(cycles: Self.transferLength)
        guard settings.isTargetOn, !kit.isInReset, isClockGood else { return .silent }
        let isIdentityRead = !request.isAccessPort && request.isRead && request.address == 0
        let isFirst = line.state != .connected
        guard line.accepts(isIdentityRead: isIdentityRead) else { return .silent }
        if isFirst, deafLeft > 0 {
            deafLeft -= 1
            line.lose(toJTAG: false)
            return .silent
        }
        guard turnaround == port.turnaround else {
            line.lose(toJTAG: false)
            return .silent
        }
        guard request.isAccessPort else { return port.transfer(request, word, on: kit) }
        guard waitsLeft == 0 else {
            waitsLeft -= 1
            return .wait
        }
        waitsLeft = settings.waitCount
        accessCount += 1
        if accessCount == settings.faultAt { port.injectFault() }
        return port.transfer(request, word, on: kit)
    }

    private var isClockGood: Bool {
        settings.fastestClock == 0 || clock <= UInt32(settings.fastestClock) * 1000
    }

    /// Holds the target's reset pin low, or lets it go.
    mutating func holdReset(_ isHeld: Bool) {
        kit.holdReset(isHeld)
        guard settings.losesLineInReset else { return }
        line.lose(toJTAG: true)
        port = Self.port(settings)
    }

    /// Lets time on the wires pass: at once where it is modelled.
    private mutating func spend(cycles: Int64) {
        unspent += .nanoseconds(cycles * 1_000_000_000 / Int64(max(clock, 1)))
        if kit.clock.isVirtual { catchUp() }
    }

    /// Lets the kit's clock see the time that was spent on the wires.
    mutating func catchUp(atLeast limit: Duration = .zero) {
        guard unspent > limit else { return }
        kit.clock.wait(unspent)
        unspent = .zero
    }

    /// Forgets time on the wires: on a real clock, the way to the probe takes longer.
    mutating func forgetTime() {
        unspent = .zero
    }
}
