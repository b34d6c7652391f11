// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
import Synchronization

/// An emulated kit: the vendor's asynchronous data transfer firmware on a board with a button and a LED.
///
/// The firmware ran its start-up before this object is handed out. After each press of the button it acts once,
/// a little later (option `firmware-latency`); what is due is done when somebody looks, so both modelled and real
/// clocks work. Call ``settle()`` before the field at the chip comes or goes.
public final class EmulatedKit: Kit {
    /// What the kit is called in messages.
    public let name: String

    private let clock: any RigClock
    private let latency: Duration
    private let isButtonDead: Bool
    private let stuckLED: LEDState?
    private let runsFirmware: Bool
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
        latency = values.duration("firmware-latency")
        isButtonDead = values.text("button") == "dead"
        stuckLED =
            switch values.text("led") {
            case "stuck-lit": .lit
            case "stuck-dark": .dark
            default: nil
            }
        runsFirmware = values.text("firmware-loop") == "adt"
        state = Mutex(KitState(firmware: TransferFirmware(chip: i2c)))
        restart()
    }

    /// The settings that ``init(i2c:clock:options:name:)`` takes.
    public static let options: [EmulatorOption] = [
        EmulatorOption(
            "led",
            .choice(["normal", "stuck-lit", "stuck-dark"]),
            default: "normal",
            "whether the LED does what the firmware commands"
        ),
        EmulatorOption(
            "button",
            .choice(["normal", "dead"]),
            default: "normal",
            "whether the button reaches the firmware"
        ),
        EmulatorOption(
            "firmware-loop",
            .choice(["adt", "off"]),
            default: "adt",
            "which firmware runs on the board"
        ),
        EmulatorOption(
            "firmware-latency",
            .duration,
            default: "25ms",
            "time from the press of the button to the change of the LED"
        ),
    ]

    /// Presses the button; the firmware acts when its latency is over.
    public func pressButton() {
        guard runsFirmware, !isButtonDead else { return }
        let now = clock.now
        state.withLock { state in
            state.advance(to: now)
            // The firmware waits for one event flag: a press while it works is kept, more of them are not told apart.
            guard state.due.count < 2 else { return }
            state.due.append(max(now, state.due.last ?? now) + latency)
        }
    }

    /// Looks at the LED.
    public func led() -> LEDState {
        let now = clock.now
        let commanded = state.withLock { state in
            state.advance(to: now)
            return state.firmware.led
        }
        return stuckLED ?? commanded
    }

    /// The lines of the debug UART from an index on.
    public func uartLines(since index: Int) -> [UARTLine] {
        let now = clock.now
        return state.withLock { state in
            state.advance(to: now)
            return Array(state.firmware.lines.dropFirst(max(0, index)))
        }
    }

    /// Does what was due until now.
    public func settle() {
        let now = clock.now
        state.withLock { $0.advance(to: now) }
    }

    /// Resets the board: presses are forgotten, the firmware starts and runs its loop once.
    public func restart() {
        let now = clock.now
        state.withLock { state in
            state.due = []
            if runsFirmware { state.firmware.start(at: now) }
        }
    }
}

/// What a kit remembers.
private struct KitState {
    var firmware: TransferFirmware
    /// When the firmware acts on presses that it has not yet seen, in order.
    var due: [Duration] = []

    mutating func advance(to now: Duration) {
        while let next = due.first, next <= now {
            due.removeFirst()
            firmware.runLoopBody(at: next)
        }
    }
}
