// SPDX-License-Identifier: MIT

/// The GPIO block of a PSoC 6: what each port's registers hold, and what its pins do.
///
/// Source: PSoC 6 MCU CY8C6xxA registers technical reference manual, GPIO; offsets as in the vendor's device header.
struct GPIOBlock: Sendable {
    /// Address of port 0.
    static let base: UInt32 = 0x4031_0000
    /// Bytes from a port to the next one.
    static let stride: UInt32 = 0x80
    /// How many ports the block has.
    static let portCount = 15

    private var ports = [Port](repeating: Port(), count: portCount)
    /// A pin whose output register cannot be moved, and where it stands.
    var stuck: (pin: BoardPin, isHigh: Bool)?

    /// The output driver of a pin.
    enum Drive: UInt32 {
        /// High impedance.
        case highImpedance = 0
        /// A weak high, a strong low.
        case pullUp = 2
        /// Strong in both directions.
        case strong = 6
    }

    /// Registers of a port, by offset.
    private enum Register: UInt32 {
        case out = 0x00
        case outClear = 0x04
        case outSet = 0x08
        case outInvert = 0x0C
        case input = 0x10
        case interrupt = 0x14
        case interruptMask = 0x18
        case interruptMasked = 0x1C
        case interruptSet = 0x20
        case interruptConfiguration = 0x40
        case configuration = 0x44
    }

    private struct Port: Sendable {
        var out: UInt32 = 0
        var interrupt: UInt32 = 0
        var interruptMask: UInt32 = 0
        var interruptConfiguration: UInt32 = 0
        var configuration: UInt32 = 0
        /// Pins that something on the board pulls to ground.
        var pulledLow: UInt32 = 0
    }

    // MARK: What the firmware does

    /// Sets up a pin.
    mutating func configure(_ pin: BoardPin, drive: Drive, hasInputBuffer: Bool, isHigh: Bool) {
        let shift = UInt32(pin.pin) * 4
        let value = drive.rawValue | (hasInputBuffer ? 8 : 0)
        ports[pin.port].configuration &= ~(0xF << shift)
        ports[pin.port].configuration |= value << shift
        write(isHigh, to: pin)
    }

    /// Arms the interrupt of a pin on its rising edge.
    mutating func armRisingEdge(of pin: BoardPin) {
        ports[pin.port].interruptConfiguration &= ~(3 << UInt32(pin.pin * 2))
        ports[pin.port].interruptConfiguration |= 1 << UInt32(pin.pin * 2)
        ports[pin.port].interruptMask |= pin.mask
    }

    /// Drives a pin.
    mutating func write(_ isHigh: Bool, to pin: BoardPin) {
        if isHigh { ports[pin.port].out |= pin.mask } else { ports[pin.port].out &= ~pin.mask }
    }

    /// Takes the interrupt of a pin, as a handler does.
    ///
    /// - Returns: True when it was pending and enabled.
    mutating func takeInterrupt(of pin: BoardPin) -> Bool {
        let isPending = ports[pin.port].interrupt & ports[pin.port].interruptMask & pin.mask != 0
        if isPending { ports[pin.port].interrupt &= ~pin.mask }
        return isPending
    }

    // MARK: What the board does

    /// Pulls a pin to ground or lets it go; an armed rising edge becomes an interrupt.
    mutating func pull(_ pin: BoardPin, low isLow: Bool) {
        let before = level(of: pin)
        if isLow { ports[pin.port].pulledLow |= pin.mask } else { ports[pin.port].pulledLow &= ~pin.mask }
        let edge = ports[pin.port].interruptConfiguration >> UInt32(pin.pin * 2) & 3
        if !before, level(of: pin), edge & 1 != 0 { ports[pin.port].interrupt |= pin.mask }
    }

    /// The value that the output register shows for a pin.
    func output(of pin: BoardPin) -> Bool { out(pin.port) & pin.mask != 0 }

    /// How a pin is driven; nil for a mode that is not modelled.
    func drive(of pin: BoardPin) -> Drive? {
        Drive(rawValue: ports[pin.port].configuration >> UInt32(pin.pin * 4) & 7)
    }

    private func out(_ port: Int) -> UInt32 {
        guard let stuck, stuck.pin.port == port else { return ports[port].out }
        return stuck.isHigh ? ports[port].out | stuck.pin.mask : ports[port].out & ~stuck.pin.mask
    }

    private func level(of pin: BoardPin) -> Bool {
        switch drive(of: pin) {
        case .strong: output(of: pin)
        case .pullUp: output(of: pin) && ports[pin.port].pulledLow & pin.mask == 0
        case .highImpedance, nil: false
        }
    }

    /// The pins that are high and whose input buffer is on; without the buffer a pin reads 0.
    private func input(_ port: Int) -> UInt32 {
        (0..<8).reduce(0) { bits, number in
            let pin = BoardPin(port: port, pin: number)
            let hasBuffer = ports[port].configuration >> UInt32(number * 4) & 8 != 0
            return hasBuffer && level(of: pin) ? bits | pin.mask : bits
        }
    }

    // MARK: What the bus does

    /// Port and offset of an address; nil when it is not in the block.
    private static func place(_ address: UInt32) -> (port: Int, offset: UInt32)? {
        guard address >= base, address - base < stride * UInt32(portCount) else { return nil }
        return (Int((address - base) / stride), (address - base) % stride)
    }

    /// Reads a register; nil when the address is not in the block.
    func read(_ address: UInt32) -> UInt32? {
        guard let (port, offset) = Self.place(address) else { return nil }
        let state = ports[port]
        return switch Register(rawValue: offset) {
        case .out: out(port)
        case .input: input(port)
        case .interrupt, .interruptSet: state.interrupt
        case .interruptMask: state.interruptMask
        case .interruptMasked: state.interrupt & state.interruptMask
        case .interruptConfiguration: state.interruptConfiguration
        case .configuration: state.configuration
        case .outClear, .outSet, .outInvert, nil: 0
        }
    }

    /// Writes a register.
    ///
    /// - Returns: False when the address is not in the block.
    mutating func write(_ value: UInt32, at address: UInt32) -> Bool {
        guard let (port, offset) = Self.place(address) else { return false }
        switch Register(rawValue: offset) {
        case .out: ports[port].out = value & 0xFF
        case .outClear: ports[port].out &= ~value
        case .outSet: ports[port].out |= value & 0xFF
        case .outInvert: ports[port].out ^= value & 0xFF
        case .interrupt: ports[port].interrupt &= ~value
        case .interruptSet: ports[port].interrupt |= value & 0x1FF
        case .interruptMask: ports[port].interruptMask = value & 0x1FF
        case .interruptConfiguration: ports[port].interruptConfiguration = value
        case .configuration: ports[port].configuration = value
        case .input, .interruptMasked, nil: break
        }
        return true
    }

    /// What a reset of the chip leaves: the board's side stays as it is.
    mutating func reset() {
        for index in ports.indices {
            let pulledLow = ports[index].pulledLow
            ports[index] = Port()
            ports[index].pulledLow = pulledLow
        }
    }
}
