// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// The lock around a chip's state, shared by the chip and its two faces.
final class ChipCore: Sendable {
    private let state: Mutex<ChipState>
    private let fieldHandlers = Mutex<[@Sendable () -> Void]>([])
    private let interruptHandlers = Mutex<[@Sendable () -> Void]>([])
    private let clock: any RigClock

    init(state: consuming ChipState, clock: any RigClock) {
        self.state = Mutex(state)
        self.clock = clock
    }

    func withState<Result>(_ body: (inout sending ChipState) -> sending Result) -> sending Result {
        state.withLock { body(&$0) }
    }

    func addFieldHandler(_ handler: @escaping @Sendable () -> Void) {
        fieldHandlers.withLock { $0.append(handler) }
    }

    func addInterruptHandler(_ handler: @escaping @Sendable () -> Void) {
        interruptHandlers.withLock { $0.append(handler) }
    }

    func setPower(_ isOn: Bool, of interface: ChipInterface) {
        if interface == .nfc {
            // Outside of both locks: a handler talks to the I2C face.
            for handler in fieldHandlers.withLock({ $0 }) { handler() }
        }
        state.withLock { $0.setPower(isOn, of: interface) }
    }

    func respond(to command: [UInt8], on interface: ChipInterface) -> CardAnswer {
        let start = clock.now
        guard interface == .nfc else {
            let answer = carryOut(command, on: interface)
            state.withLock { $0.i2cBusyUntil = start + answer.time }
            return answer
        }
        let (left, rule) = state.withLock { ($0.i2cBusyUntil - start, $0.settings.concurrentNFC) }
        guard left > .zero, rule != .answers else { return carryOut(command, on: interface) }
        guard rule == .waits else { return CardAnswer([], ending: .mute) }
        var answer = carryOut(command, on: interface)
        answer.time += left
        return answer
    }

    private func carryOut(_ command: [UInt8], on interface: ChipInterface) -> CardAnswer {
        switch state.withLock({ $0.take(command, on: interface) }) {
        case .answer(let answer): answer
        case .handOver: waitForHost()
        }
    }

    /// Raises the interrupt and waits until the host, on this thread or another one, has put its response.
    private func waitForHost() -> CardAnswer {
        let start = clock.now
        let patience = state.withLock { $0.settings.hostPatience }
        for handler in interruptHandlers.withLock({ $0 }) { handler() }
        while true {
            if let answer = state.withLock({ $0.takeHostAnswer() }) { return answer }
            let left = patience - (clock.now - start)
            guard left > .zero else { return state.withLock { $0.giveUpHost() } }
            clock.wait(min(Self.pollInterval, left))
        }
    }

    /// How often the chip looks for the host's answer.
    private static let pollInterval = Duration.milliseconds(1)
}
