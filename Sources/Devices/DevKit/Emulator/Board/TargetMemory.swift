// SPDX-License-Identifier: MIT

/// The ways into the chip: the three access ports of a PSoC 62.
enum TargetView: Int, Sendable, CaseIterable {
    /// The system bus.
    case system = 0
    /// The Cortex-M0+ core.
    case starter = 1
    /// The Cortex-M4 core, which the firmware runs on.
    case application = 2
}

/// The address space of the micro-controller, by 32-bit words.
struct TargetMemory: Sendable {
    /// The GPIO block.
    var gpio = GPIOBlock()
    /// The multiplexer of the pins.
    var multiplexer = PortMultiplexer()
    /// The cores, by the access port that leads to them.
    private var cores: [TargetView: CoreBlock] = [.starter: .starter, .application: .application]
    /// Words of the SRAM that were written.
    private var memory: [UInt32: UInt32] = [:]
    /// Every write that stopped or reset a core, oldest first; the first ones only, should somebody never end.
    private(set) var disturbances: [CoreDisturbance] = []

    private static let disturbanceLimit = 1000
    /// 1 MB of SRAM.
    private static let sram: ClosedRange<UInt32> = 0x0800_0000...0x080F_FFFF
    /// 2 MB of flash, erased.
    private static let flash: ClosedRange<UInt32> = 0x1000_0000...0x101F_FFFF

    /// Whether the core that runs the firmware stands.
    var isHalted: Bool { cores[.application]?.isHalted ?? false }

    /// Reads a word.
    ///
    /// - Returns: nil for a bus fault.
    func read(_ address: UInt32, through view: TargetView) -> UInt32? {
        guard address.isMultiple(of: 4) else { return nil }
        if let value = gpio.read(address) ?? multiplexer.read(address) { return value }
        if CoreBlock.holds(address), let core = cores[view] { return core.read(address) }
        if Self.sram.contains(address) { return memory[address] ?? 0 }
        return Self.flash.contains(address) ? 0 : nil
    }

    /// What a write came to.
    enum WriteResult {
        case done
        case resetRequested
        case fault
    }

    /// Writes a word.
    mutating func write(_ value: UInt32, at address: UInt32, through view: TargetView) -> WriteResult {
        guard address.isMultiple(of: 4) else { return .fault }
        if gpio.write(value, at: address) || multiplexer.write(value, at: address) { return .done }
        if CoreBlock.holds(address), var core = cores[view] {
            let effect = core.write(value, at: address)
            cores[view] = core
            if effect != .none, disturbances.count < Self.disturbanceLimit {
                disturbances.append(CoreDisturbance(address: address, value: value))
            }
            return effect == .resetRequested ? .resetRequested : .done
        }
        guard Self.sram.contains(address) else { return .fault }
        memory[address] = value
        return .done
    }

    /// What a reset of the chip leaves: the SRAM, and the record of who disturbed it.
    mutating func reset() {
        gpio.reset()
        multiplexer.reset()
        for view in cores.keys { cores[view]?.reset() }
    }
}
