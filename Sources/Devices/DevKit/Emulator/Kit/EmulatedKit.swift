// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
import Synchronization

/// An emulated kit: one of the vendor's firmware examples on a board with a button and a LED.
///
/// The firmware ran its start-up before this object is handed out. After each press of the button it acts once,
/// a little later (option `firmware-latency`); what is due is done when somebody looks, so both modelled and real
/// clocks work. Call ``settle()`` before the field at the chip comes or goes.
///
/// LED and button are pins of modelled registers: an ``EmulatedProbe`` on the same kit sees and changes the same state.
public final class EmulatedKit: Kit {
    /// What the kit is called in messages.
    public let name: String

    /// The time that the kit lives in.
    let clock: any RigClock
    private let state: Mutex<KitState>

    /// Makes a kit and lets its firmware start.
    ///
    /// - Parameters:
    ///   - i2c: The I2C face of the chip on the board; the kit gives it power.
    ///   - clock: The time that the kit lives in.
    ///   - options: Settings by name, see ``options``.
    ///   - name: What the kit is called in messages.
    /// - Throws: `EmulatorOptionError` when an option is unknown or its value is wrong.
    public init(
        i2c: any Card,
        clock: any RigClock,
        options: [String: String] = [:],
        name: String = "emulated kit"
    ) throws(EmulatorOptionError) {
        let values = try EmulatorOptionValues(options, of: Self.options)
        self.name = name
        self.clock = clock
        let board = EmulatedBoard.all.first { $0.name == values.text("board") } ?? .prototyping
        var start = KitState(
            hardware: BoardHardware(board: board, faults: Self.faults(values)),
            firmware: Self.firmware(values, chip: i2c),
            latency: values.duration("firmware-latency"),
            bootTime: values.duration("boot-time")
        )
        start.boot(at: clock.now)
        state = Mutex(start)
    }

    /// The board's part number.
    public var boardName: String { state.withLock { $0.hardware.board.name } }

    /// Presses the button; the firmware acts when its latency is over.
    public func pressButton() {
        let now = clock.now
        state.withLock { $0.pressButton(at: now) }
    }

    /// Looks at the LED.
    public func led() -> LEDState {
        let now = clock.now
        return state.withLock { state in
            state.advance(to: now)
            return state.hardware.isLit ? .lit : .dark
        }
    }

    /// Looks at the LED, and at whether its pin follows the firmware.
    public func lookAtLED() -> LEDLook {
        let now = clock.now
        return state.withLock { state in
            state.advance(to: now)
            let hardware = state.hardware
            let doubt = state.isInReset ? "the micro-controller is held in reset" : hardware.ledDoubt
            return LEDLook(samples: [hardware.isLit ? .lit : .dark], doubt: doubt)
        }
    }

    /// The lines of the debug UART from an index on.
    public func uartLines(since index: Int) -> [UARTLine] {
        let now = clock.now
        return state.withLock { state in
            state.advance(to: now)
            return Array(state.hardware.lines.dropFirst(max(0, index)))
        }
    }

    /// How many lines the debug UART has told so far.
    public var uartLineCount: Int {
        let now = clock.now
        return state.withLock { state in
            state.advance(to: now)
            return state.hardware.lines.count
        }
    }

    /// Tells the firmware that the chip has raised its interrupt; when this returns, the firmware has done its work.
    ///
    /// To be called from the chip's `onHostInterrupt`.
    public func chipRaisedInterrupt() {
        let now = clock.now
        state.withLock { $0.interrupt(at: now) }
    }

    /// Does what was due until now.
    public func settle() {
        let now = clock.now
        state.withLock { $0.advance(to: now) }
    }

    /// Resets the board: presses are forgotten, the firmware starts and runs its loop once (option `boot-time`).
    public func reset() {
        let now = clock.now
        state.withLock { $0.restart(at: now) }
    }

    /// Every write by which a debugger has stopped or reset a core, oldest first.
    public var disturbances: [CoreDisturbance] { state.withLock { $0.hardware.memory.disturbances } }

    // MARK: What a probe does

    /// Whether the reset pin is held low.
    var isInReset: Bool { state.withLock { $0.isInReset } }

    /// Holds the reset pin low, or lets it go; the firmware starts a little after that (option `boot-time`).
    public func holdReset(_ isHeld: Bool) {
        let now = clock.now
        state.withLock { $0.holdReset(isHeld, at: now) }
    }

    /// Lets the reset pin go that a case left low.
    public func letGo() {
        if isInReset { holdReset(false) }
    }

    /// Reads a word over an access port; nil for a bus fault.
    func read(_ address: UInt32, through view: TargetView) -> UInt32? {
        let now = clock.now
        return state.withLock { $0.read(address, through: view, at: now) }
    }

    /// Writes a word over an access port.
    ///
    /// - Returns: False for a bus fault.
    func write(_ value: UInt32, at address: UInt32, through view: TargetView) -> Bool {
        let now = clock.now
        return state.withLock { $0.write(value, at: address, through: view, now: now) }
    }
}
