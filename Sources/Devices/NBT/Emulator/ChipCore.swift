// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization

/// The lock around a chip's state, shared by the chip and its two faces.
final class ChipCore: Sendable {
    private let state: Mutex<ChipState>
    private let fieldHandlers = Mutex<[@Sendable () -> Void]>([])
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

    func setPower(_ isOn: Bool, of interface: ChipInterface) {
        if interface == .nfc {
            // Outside of both locks: a handler talks to the I2C face.
            for handler in fieldHandlers.withLock({ $0 }) { handler() }
        }
        let now = clock.now
        state.withLock { $0.setPower(isOn, of: interface, at: now) }
    }
}
