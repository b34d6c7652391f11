// SPDX-License-Identifier: MIT

/// The multiplexer that gives each pin to the GPIO block or to another one (HSIOM).
///
/// Source: PSoC 6 MCU CY8C6xxA registers technical reference manual, HSIOM: PORT_SEL0 and PORT_SEL1 of each port, a field
/// of five bits for each pin, one in a byte.
struct PortMultiplexer: Sendable {
    /// Address of port 0.
    static let base: UInt32 = 0x4030_0000
    /// Bytes from a port to the next one.
    static let stride: UInt32 = 0x10

    private var selections = [UInt32](repeating: 0, count: GPIOBlock.portCount * 2)

    /// What a pin is given to.
    enum Function: UInt32 {
        /// The output register of the GPIO block.
        case gpio = 0
        /// A timer's output.
        case timer = 8
        /// A serial block.
        case serial = 18
    }

    /// Gives a pin to a block.
    mutating func select(_ function: Function, for pin: BoardPin) {
        let (index, shift) = Self.place(of: pin)
        selections[index] &= ~(0x1F << shift)
        selections[index] |= function.rawValue << shift
    }

    /// True when the output register decides on a pin.
    func isGPIO(_ pin: BoardPin) -> Bool {
        let (index, shift) = Self.place(of: pin)
        return selections[index] >> shift & 0x1F == Function.gpio.rawValue
    }

    private static func place(of pin: BoardPin) -> (index: Int, shift: UInt32) {
        (pin.port * 2 + pin.pin / 4, UInt32(pin.pin % 4) * 8)
    }

    private static func index(_ address: UInt32) -> Int?? {
        guard address >= base, address - base < stride * UInt32(GPIOBlock.portCount) else { return nil }
        let offset = (address - base) % stride
        return .some(offset < 8 ? Int((address - base) / stride) * 2 + Int(offset / 4) : nil)
    }

    /// Reads a register; nil when the address is not in the block.
    func read(_ address: UInt32) -> UInt32? {
        Self.index(address).map { index in index.map { selections[$0] } ?? 0 }
    }

    /// Writes a register.
    ///
    /// - Returns: False when the address is not in the block.
    mutating func write(_ value: UInt32, at address: UInt32) -> Bool {
        guard let index = Self.index(address) else { return false }
        if let index { selections[index] = value & 0x1F1F_1F1F }
        return true
    }

    /// What a reset of the chip leaves.
    mutating func reset() {
        self = PortMultiplexer()
    }
}
