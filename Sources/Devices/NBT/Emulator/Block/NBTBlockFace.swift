// SPDX-License-Identifier: MIT

public import CardConnection
import Synchronization

/// The chip on the I2C bus, as a master sees it: blocks of T=1' that are written, and bytes that are read.
///
/// It stands before ``NBTChip/i2c``. The address byte of the bus is the caller's. The position of a read survives: a
/// master may read six bytes, look at the length, and read the rest later.
public final class NBTBlockFace: Sendable {
    private let chip: NBTChip
    private let clock: any RigClock
    private let parameters: BlockParameters
    /// How often the chip asks for more time before each answer.
    private let requests: Int
    private let state: Mutex<BusState>

    private struct BusState {
        var link: BlockLink
        /// What waits to be read, the oldest first.
        var output: ArraySlice<UInt8> = []
        /// Before this moment the chip does not acknowledge.
        var readyAt = Duration.zero
        /// The time of a command until the chip asks for more, or answers.
        var share = Duration.zero
    }

    /// Puts a chip on the bus; it must have been given power on its I2C face.
    ///
    /// - Parameters:
    ///   - chip: The chip.
    ///   - clock: The time that both live in.
    ///   - parameters: What the chip tells of its interface.
    public init(_ chip: NBTChip, clock: any RigClock, parameters: BlockParameters = BlockParameters()) {
        self.chip = chip
        self.clock = clock
        self.parameters = parameters
        requests = chip.core.withState { $0.settings.waitingTimeRequests }
        state = Mutex(BusState(link: BlockLink(parameters)))
    }

    /// The address of the chip on the bus, 7 bits.
    public static let address: UInt8 = 0x18

    /// Writes a block; what was not read of the last answer is dropped.
    ///
    /// - Parameter bytes: The whole block, NAD first.
    /// - Returns: False when the chip does not acknowledge: it has no power, a field silences it, or it is busy.
    public func write(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard isHeard(state) else { return false }
            state.output = []
            switch state.link.take(bytes) {
            case .send(let block):
                state.output = block[...]
            case .run(let command):
                let answer = chip.i2c.respond(to: command)
                state.share = answer.time / (requests + 1)
                if answer.ending == .answered {
                    state.output = state.link.answer(with: answer.bytes, after: requests)[...]
                }
                state.readyAt = clock.now + state.share
            case .granted(let block):
                state.output = block[...]
                state.readyAt = clock.now + state.share
            case .reset(let block):
                chip.i2c.powerOff()
                chip.i2c.powerOn()
                state.output = block?[...] ?? []
                state.readyAt = clock.now + .milliseconds(Int(parameters.wakeUpMilliseconds))
            case .ignore:
                break
            }
            tellPin(state)
            return true
        }
    }

    /// Reads bytes of the answer.
    ///
    /// - Parameter count: How many; beyond the end the bus reads `FF`.
    /// - Returns: nil when the chip does not acknowledge: no answer is there, or not yet.
    public func read(_ count: Int) -> [UInt8]? {
        state.withLock { state in
            guard isHeard(state), !state.output.isEmpty, count > 0 else { return nil }
            let part = Array(state.output.prefix(count))
            state.output = state.output.dropFirst(part.count)
            tellPin(state)
            return part + [UInt8](repeating: 0xFF, count: count - part.count)
        }
    }

    private func isHeard(_ state: borrowing BusState) -> Bool {
        // In pass-through the host talks to the chip while the field is on.
        clock.now >= state.readyAt && (chip.i2cMuteReason == nil || chip.isHostHeardInField)
    }

    private func tellPin(_ state: borrowing BusState) {
        let isWaiting = !state.output.isEmpty
        chip.core.withState { $0.hasI2CAnswer = isWaiting }
    }
}

extension NBTChip {
    /// Whether FETCH DATA and PUT RESPONSE are answered although a field is there.
    fileprivate var isHostHeardInField: Bool { core.withState { $0.isHostHeard && $0.effect.passesThrough } }
}
