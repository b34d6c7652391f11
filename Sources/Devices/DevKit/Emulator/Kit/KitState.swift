// SPDX-License-Identifier: MIT

/// What a kit remembers: hardware, firmware, and what is about to happen.
struct KitState: Sendable {
    private(set) var hardware: BoardHardware
    private var firmware: any BoardFirmware
    /// What the firmware has not yet seen, in order.
    private var due: [(time: Duration, event: Event)] = []
    /// Whether the reset pin is held low.
    private(set) var isInReset = false

    private let latency: Duration
    private let bootTime: Duration

    /// Something that the firmware notices.
    private enum Event {
        case boot
        case button
    }

    init(hardware: BoardHardware, firmware: any BoardFirmware, latency: Duration, bootTime: Duration) {
        self.hardware = hardware
        self.firmware = firmware
        self.latency = latency
        self.bootTime = bootTime
    }

    /// Does what was due until now.
    mutating func advance(to now: Duration) {
        hardware.blink(at: now)
        // A processor that a debugger has stopped sees nothing; its events wait.
        while let next = due.first, next.time <= now, !hardware.memory.isHalted {
            due.removeFirst()
            hardware.now = next.time
            switch next.event {
            case .boot: boot(at: next.time)
            case .button: firmware.buttonReleased(on: &hardware)
            }
        }
    }

    /// Lets the firmware start at once.
    mutating func boot(at now: Duration) {
        hardware.now = now
        hardware.blink(at: now)
        hardware.setUpPins()
        firmware.start(on: &hardware)
    }

    /// Presses the button and lets it go.
    mutating func pressButton(at now: Duration) {
        advance(to: now)
        guard !hardware.isButtonDead, !isInReset else { return }
        hardware.memory.gpio.pull(hardware.board.button, low: true)
        hardware.memory.gpio.pull(hardware.board.button, low: false)
        noticeButton(at: now)
    }

    /// Lets the firmware handle the chip's interrupt at once; one that stands or starts does not.
    mutating func interrupt(at now: Duration) {
        advance(to: now)
        let isStarting = due.contains { $0.event == .boot }
        guard !isInReset, !isStarting, !hardware.memory.isHalted else { return }
        hardware.now = now
        firmware.chipInterrupted(on: &hardware)
    }

    /// Holds the reset pin low, or lets it go; the firmware starts a little after that.
    mutating func holdReset(_ isHeld: Bool, at now: Duration) {
        advance(to: now)
        if isHeld {
            isInReset = true
            due = []
            hardware.memory.reset()
        } else if isInReset {
            isInReset = false
            due = [(now + bootTime, .boot)]
            advance(to: now)
        }
    }

    /// Resets the board in one go.
    mutating func restart(at now: Duration) {
        holdReset(true, at: now)
        holdReset(false, at: now)
    }

    /// Reads a word over an access port; nil for a bus fault.
    mutating func read(_ address: UInt32, through view: TargetView, at now: Duration) -> UInt32? {
        advance(to: now)
        return hardware.memory.read(address, through: view)
    }

    /// Writes a word over an access port.
    ///
    /// - Returns: False for a bus fault.
    mutating func write(_ value: UInt32, at address: UInt32, through view: TargetView, now: Duration) -> Bool
    {
        advance(to: now)
        switch hardware.memory.write(value, at: address, through: view) {
        case .fault: return false
        case .resetRequested: restart(at: now)
        case .done:
            noticeButton(at: now)
            advance(to: now)
        }
        return true
    }

    /// Turns the interrupt of the button, when it is pending, into an event for the firmware.
    private mutating func noticeButton(at now: Duration) {
        guard !hardware.isButtonDead, hardware.memory.gpio.takeInterrupt(of: hardware.board.button) else {
            return
        }
        // The firmware waits for one event flag: a press while it works is kept, more of them are not told apart.
        guard due.count < 2 else { return }
        due.append((max(now, due.last?.time ?? now) + latency, .button))
    }
}
