// SPDX-License-Identifier: MIT

/// A write by which a debugger disturbed the processor.
public struct CoreDisturbance: Hashable, Sendable {
    /// The register: DHCSR (E000EDF0) halts, AIRCR (E000ED0C) resets.
    public let address: UInt32
    /// What was written.
    public let value: UInt32

    /// Makes a record of a write.
    public init(address: UInt32, value: UInt32) {
        self.address = address
        self.value = value
    }
}

/// The system control space of a Cortex-M core, as far as a debugger that reads a LED may meet it.
///
/// Source: ARMv7-M Architecture Reference Manual (DDI 0403), B3.2 and C1.6.
struct CoreBlock: Sendable {
    /// The processor's name for itself.
    let identity: UInt32
    /// Whether a debugger has stopped the core.
    private(set) var isHalted = false
    private var control: UInt32 = 0

    private static let identityRegister: UInt32 = 0xE000_ED00
    private static let resetRegister: UInt32 = 0xE000_ED0C
    private static let debugRegister: UInt32 = 0xE000_EDF0
    private static let resetKey: UInt32 = 0x05FA
    private static let debugKey: UInt32 = 0xA05F

    /// The core that the firmware runs on: Cortex-M4 r0p1.
    static let application = CoreBlock(identity: 0x410F_C241)
    /// The core that starts the chip: Cortex-M0+ r0p1.
    static let starter = CoreBlock(identity: 0x410C_C601)

    private init(identity: UInt32) {
        self.identity = identity
    }

    /// What a write came to.
    enum Effect {
        case none
        case disturbed
        case resetRequested
    }

    /// Whether an address lies in the private bus of a core.
    static func holds(_ address: UInt32) -> Bool { 0xE000_E000...0xE000_EFFF ~= address }

    /// Reads a register; 0 where nothing is modelled.
    func read(_ address: UInt32) -> UInt32 {
        switch address {
        case Self.identityRegister: identity
        case Self.resetRegister: 0xFA05_0000
        // S_REGRDY, and S_HALT for a core that stands.
        case Self.debugRegister: control & 0x2F | 0x0001_0000 | (isHalted ? 0x0002_0000 : 0)
        default: 0
        }
    }

    /// Writes a register.
    mutating func write(_ value: UInt32, at address: UInt32) -> Effect {
        switch address {
        case Self.debugRegister where value >> 16 == Self.debugKey:
            control = value & 0xFFFF
            // C_HALT counts only with C_DEBUGEN.
            isHalted = value & 3 == 3
            return .disturbed
        case Self.resetRegister where value >> 16 == Self.resetKey:
            return value & 4 != 0 ? .resetRequested : .disturbed
        case Self.debugRegister, Self.resetRegister: return .disturbed
        default: return .none
        }
    }

    /// What a reset of the chip leaves.
    mutating func reset() {
        isHalted = false
        control = 0
    }
}
