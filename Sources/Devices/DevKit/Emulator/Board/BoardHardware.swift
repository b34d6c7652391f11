// SPDX-License-Identifier: MIT

import DevKit

/// What a firmware reaches on its board: LED, button, UART.
struct BoardHardware: Sendable {
    /// Which pins carry what.
    let board: EmulatedBoard
    /// The registers.
    var memory = TargetMemory()
    /// What was sent over the UART since the board was made.
    private(set) var lines: [UARTLine] = []
    /// The moment of what happens, on the board's clock.
    var now = Duration.zero

    private let faults: BoardFaults

    init(board: EmulatedBoard, faults: BoardFaults) {
        self.board = board
        self.faults = faults
        switch faults.led {
        case .stuckLit: memory.gpio.stuck = (board.led, isHigh: faults.isLEDActiveHigh)
        case .stuckDark: memory.gpio.stuck = (board.led, isHigh: !faults.isLEDActiveHigh)
        case .normal, .blinking: break
        }
    }

    /// Whether the LED gives light at the moment.
    var isLit: Bool {
        guard memory.multiplexer.isGPIO(board.led), memory.gpio.drive(of: board.led) == .strong else {
            return false
        }
        return memory.gpio.output(of: board.led) == faults.isLEDActiveHigh
    }

    /// Why the output register does not tell what the LED does; nil when it does.
    var ledDoubt: String? {
        guard memory.multiplexer.isGPIO(board.led) else {
            return "the LED's pin was given to another block of the chip"
        }
        return memory.gpio.drive(of: board.led) == .strong ? nil : "the firmware has not set the LED's pin up"
    }

    /// Whether the interrupt line of the button leads anywhere.
    var isButtonDead: Bool { faults.isButtonDead }

    /// Sets the pins up as the board's support package does, the LED dark.
    mutating func setUpPins() {
        memory.gpio.configure(
            board.led,
            drive: .strong,
            hasInputBuffer: faults.hasLEDInputBuffer,
            isHigh: !faults.isLEDActiveHigh
        )
        if faults.isLEDGivenAway { memory.multiplexer.select(.timer, for: board.led) }
        memory.gpio.configure(board.button, drive: .pullUp, hasInputBuffer: true, isHigh: true)
        memory.gpio.armRisingEdge(of: board.button)
        for pin in 0...1 { memory.multiplexer.select(.serial, for: BoardPin(port: 5, pin: pin)) }
    }

    /// Switches the LED and logs it, each firmware example in its own words.
    mutating func switchLED(_ state: LEDState, saying text: String, _ level: String) {
        memory.gpio.write((state == .lit) == faults.isLEDActiveHigh, to: board.led)
        log(level, text)
    }

    /// Lets the LED be where its blinking has brought it by now.
    mutating func blink(at time: Duration) {
        guard case .blinking(let half) = faults.led, half > .zero,
            memory.gpio.drive(of: board.led) == .strong
        else { return }
        let turns = Int64((time / half).rounded(.down))
        memory.gpio.stuck = (board.led, isHigh: turns.isMultiple(of: 2))
    }

    /// Sends a line over the UART that is not from the logger.
    mutating func say(_ text: String) {
        lines.append(UARTLine(time: now, source: "", level: "", text: text))
    }

    /// Sends a line of the logger over the UART.
    mutating func log(_ level: String, _ text: String, from source: String = "NBT example") {
        lines.append(UARTLine(time: now, source: source, level: level, text: text))
    }
}

/// What is wrong with a board.
struct BoardFaults: Hashable, Sendable {
    /// What the LED does.
    enum LED: Hashable, Sendable {
        /// What the firmware commands.
        case normal
        /// It stays lit.
        case stuckLit
        /// It stays dark.
        case stuckDark
        /// It changes all the time; the value is the time between changes.
        case blinking(Duration)
    }

    /// What the LED does.
    var led = LED.normal
    /// Whether the LED lights when its pin is high; both boards are made the other way.
    var isLEDActiveHigh = false
    /// Whether the LED's pin belongs to a timer, so that the output register says nothing.
    var isLEDGivenAway = false
    /// Whether the LED's pin can be read back.
    var hasLEDInputBuffer = false
    /// Whether the button never reaches the firmware.
    var isButtonDead = false
}
