// SPDX-License-Identifier: MIT

/// The state of the two wires as the debug port sees it, bit by bit.
///
/// Source: ARM Debug Interface v5.2 (IHI 0031), B4.3 (line reset, first access after it) and B5.2 (switching between
/// JTAG and SWD).
struct SerialWireLine: Sendable {
    /// What the debug port makes of the next transfer.
    enum State: Hashable, Sendable {
        /// The port speaks JTAG.
        case jtag
        /// The port is lost until a line reset.
        case lost
        /// The line was reset; the idle cycles behind it are counted.
        case reset(idle: Int)
        /// Transfers are taken.
        case connected
    }

    /// What the debug port makes of the next transfer.
    private(set) var state = State.jtag
    private var ones = 0
    /// Bits since the first zero behind a run of ones: a switching sequence is sixteen of them.
    private var sequence: (bits: UInt16, count: Int)?

    /// Ones in a row that make a line reset.
    private static let resetLength = 50
    /// Zeros behind a line reset, before the first transfer.
    private static let idleLength = 2
    private static let toSerialWire: UInt16 = 0xE79E
    private static let toJTAG: UInt16 = 0xE73C

    /// Takes a bit that the host sends outside of a transfer.
    ///
    /// - Returns: True when the line has just been reset.
    mutating func clock(_ isHigh: Bool) -> Bool {
        collect(isHigh)
        guard isHigh else {
            if ones >= Self.resetLength { sequence = (0, 1) }
            ones = 0
            if case .reset(let idle) = state { state = .reset(idle: min(idle + 1, Self.idleLength)) }
            return false
        }
        ones = min(ones + 1, Self.resetLength)
        guard state != .jtag else { return false }
        if ones == Self.resetLength {
            let isNew = state != .reset(idle: 0)
            state = .reset(idle: 0)
            return isNew
        }
        // A one in the middle is the start of something that is not followed here.
        if case .reset(let idle) = state, idle > 0 { state = .lost }
        return false
    }

    private mutating func collect(_ isHigh: Bool) {
        guard var (bits, count) = sequence else { return }
        if isHigh { bits |= 1 << UInt16(count) }
        count += 1
        guard count == 16 else {
            sequence = (bits, count)
            return
        }
        sequence = nil
        switch bits {
        case Self.toSerialWire: state = .lost
        case Self.toJTAG: state = .jtag
        default: break
        }
    }

    /// Takes the request of a transfer.
    ///
    /// - Parameter isIdentityRead: Whether it reads DPIDR, the only thing allowed behind a line reset.
    /// - Returns: False when the port does not answer.
    mutating func accepts(isIdentityRead: Bool) -> Bool {
        ones = 0
        sequence = nil
        switch state {
        case .connected: return true
        case .reset(let idle) where idle >= Self.idleLength && isIdentityRead:
            state = .connected
            return true
        case .reset, .lost:
            state = .lost
            return false
        case .jtag: return false
        }
    }

    /// The port has lost the host's clock, or was reset with the chip.
    mutating func lose(toJTAG: Bool) {
        self = SerialWireLine()
        if !toJTAG { state = .lost }
    }
}
