// SPDX-License-Identifier: MIT

/// The target's address space, as an access port sees it.
protocol TargetBus {
    /// Reads an aligned word; nil for a bus fault.
    func read(_ address: UInt32, through view: TargetView) -> UInt32?

    /// Writes an aligned word.
    ///
    /// - Returns: False for a bus fault.
    func write(_ value: UInt32, at address: UInt32, through view: TargetView) -> Bool
}

extension EmulatedKit: TargetBus {}

/// A memory access port.
///
/// Source: ARM Debug Interface v5.2 (IHI 0031), C2.6; identities from a published debugger log of this part.
struct AccessPort: Sendable {
    private let view: TargetView
    private let isEnabled: Bool
    private var control: UInt32 = 0x4300_0002
    private var address: UInt32 = 0

    /// Bits of CSW that a write changes: protection 62, 61, 57 and 56, the increment, the size.
    private static let writable: UInt32 = 0x6300_0017
    /// DeviceEn: the port reaches its bus.
    private static let enabled: UInt32 = 0x40
    /// No debug components are listed (format bit set, entry not present).
    private static let noComponents: UInt32 = 0x0000_0002
    /// The part of the address that an increment changes: it wraps in each kilobyte, which is the least that the
    /// specification allows, and in the port of the Cortex-M4 in each 4 KB (pyOCD relies on it for this identity).
    private var wrap: UInt32 { view == .application ? 0xFFF : 0x3FF }

    init(view: TargetView, isEnabled: Bool) {
        self.view = view
        self.isEnabled = isEnabled
    }

    private var identity: UInt32 {
        view == .application ? 0x2477_0011 : 0x8477_0001
    }

    /// Bytes of one access: 1, 2 or 4.
    private var size: UInt32 { 1 << min(control & 7, 2) }

    /// The bits of a word that an access of the present size and address covers.
    private var lanes: UInt32 {
        guard size < 4 else { return .max }
        return ((1 << (size * 8)) - 1) << ((address & 3) * 8)
    }

    /// Reads a register; nil for a bus fault.
    mutating func read(_ register: UInt8, on bus: some TargetBus) -> UInt32? {
        switch register {
        case 0x00: return control | (isEnabled ? Self.enabled : 0)
        case 0x04: return address
        case 0x0C:
            guard let word = load(on: bus) else { return nil }
            increment()
            return word
        case 0x10, 0x14, 0x18, 0x1C: return isEnabled ? bus.read(banked(register), through: view) : nil
        case 0xF8: return Self.noComponents
        case 0xFC: return identity
        default: return 0
        }
    }

    /// Writes a register.
    ///
    /// - Returns: False for a bus fault.
    mutating func write(_ word: UInt32, to register: UInt8, on bus: some TargetBus) -> Bool {
        switch register {
        case 0x00:
            control = word & Self.writable
            // Sizes above a word are not there, and neither are packed transfers.
            if control & 7 > 2 { control = control & ~7 | 2 }
        case 0x04: address = word
        case 0x0C:
            guard store(word, on: bus) else { return false }
            increment()
        case 0x10, 0x14, 0x18, 0x1C:
            return isEnabled && bus.write(word, at: banked(register), through: view)
        default: break
        }
        return true
    }

    /// The address of a banked data register: one of the four words around TAR.
    private func banked(_ register: UInt8) -> UInt32 {
        address & ~0xF | UInt32(register & 0xC)
    }

    private var isAligned: Bool { address.isMultiple(of: size) }

    private func load(on bus: some TargetBus) -> UInt32? {
        guard isEnabled, isAligned else { return nil }
        return bus.read(address & ~3, through: view).map { $0 & lanes }
    }

    private func store(_ word: UInt32, on bus: some TargetBus) -> Bool {
        guard isEnabled, isAligned else { return false }
        var value = word
        if size < 4 {
            guard let before = bus.read(address & ~3, through: view) else { return false }
            value = before & ~lanes | word & lanes
        }
        return bus.write(value, at: address & ~3, through: view)
    }

    private mutating func increment() {
        guard control & 0x30 == 0x10 else { return }
        address = address & ~wrap | (address &+ size) & wrap
    }
}
