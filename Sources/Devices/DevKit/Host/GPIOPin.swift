// SPDX-License-Identifier: MIT

/// A pin of the kit's micro-controller, a PSoC 62, with the registers that belong to it.
///
/// Source: PSoC 6 peripheral driver library, `gpio_v` and `hsiom_v` register blocks of the PSoC 62 2M.
public struct GPIOPin: Hashable, Sendable, CustomStringConvertible {
    /// The port's number, 0 to 14.
    public let port: Int
    /// The pin's number in its port, 0 to 7.
    public let number: Int

    /// Makes a pin; nil when the chip has none of these numbers.
    public init?(port: Int, number: Int) {
        guard (0...14).contains(port), (0...7).contains(number) else { return nil }
        self.port = port
        self.number = number
    }

    /// Reads `P13.7`; nil when that is no pin.
    public init?(_ text: String) {
        guard text.first == "P" || text.first == "p" else { return nil }
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
            let port = Int(parts[0]), let number = Int(parts[1])
        else { return nil }
        self.init(port: port, number: number)
    }

    /// The pin as the board's papers write it: `P13.7`.
    public var description: String { "P\(port).\(number)" }

    /// The pin's bit in the registers of its port.
    public var mask: UInt32 { 1 << UInt32(number) }

    /// OUT: what the firmware commands.
    public var output: UInt32 { base + 0x00 }
    /// OUT_CLR: writing the bit drives the pin low.
    public var outputClear: UInt32 { base + 0x04 }
    /// OUT_SET: writing the bit drives the pin high.
    public var outputSet: UInt32 { base + 0x08 }
    /// INTR_SET: writing the bit raises the interrupt of an edge.
    public var interruptSet: UInt32 { base + 0x20 }
    /// CFG: drive mode and input buffer, four bits a pin.
    public var configuration: UInt32 { base + 0x44 }

    /// PORT_SEL0 or PORT_SEL1: which block drives the pin, five bits at steps of eight.
    public var blockSelect: UInt32 {
        Self.blockBase + UInt32(port) * 0x10 + (number < 4 ? 0 : 4)
    }

    /// Which block drives the pin, from the word at ``blockSelect``; 0 is GPIO.
    public func block(in word: UInt32) -> UInt32 { word >> UInt32(number % 4 * 8) & 0x1F }

    /// The drive mode, from the word at ``configuration``; the input buffer is left out.
    public func driveMode(in word: UInt32) -> UInt32 { word >> UInt32(number * 4) & 0x07 }

    /// Strong drive of both levels.
    static let strongDrive: UInt32 = 6

    private static let gpioBase: UInt32 = 0x4031_0000
    private static let blockBase: UInt32 = 0x4030_0000
    private var base: UInt32 { Self.gpioBase + UInt32(port) * 0x80 }
}
