// SPDX-License-Identifier: MIT

import TangemConstants

/// What a card waits for before it does its work.
enum DelayReason: String, Hashable, Sendable {
    case accessCode
    case passcode
    case security
}

/// A delay that runs for one command.
struct RunningDelay: Hashable, Sendable {
    /// The command, which must come again byte for byte.
    let command: [UInt8]
    var reason: DelayReason?
    /// When it began, moved back where it goes on after a loss of power.
    var start = Duration.zero
    /// How much of it the card has told to be over.
    var told = Duration.zero
    /// Delays of this command that are over.
    var paid: Set<DelayReason> = []
}

extension CardState {
    /// Lets a delay pass before the command goes on.
    ///
    /// The first answer tells the whole delay. Each repetition of the command is answered at the next tick, counted
    /// from the beginning; the last one waits for the rest and goes on.
    mutating func serve(_ reason: DelayReason, _ total: Duration) throws(Stop) {
        guard total > .zero else { return }
        var delay = RunningDelay(command: call.bytes)
        if let running = field.delay, running.command == call.bytes {
            delay = running
        } else if var stored = storedDelay, stored.command == call.bytes {
            stored.start = call.now - stored.told / settings.delayScale
            delay = stored
        }
        guard !delay.paid.contains(reason) else {
            field.delay = delay
            return
        }
        guard delay.reason == reason else {
            delay.reason = reason
            delay.start = call.now
            delay.told = .zero
            keep(delay)
            throw .pause(left: total, after: call.waited)
        }
        let elapsed = (call.now - delay.start) * settings.delayScale
        // The millisecond takes up what the division by the scale cut off.
        let ticks = Int((elapsed + .milliseconds(1)) / settings.delayTick)
        let target = min(settings.delayTick * (ticks + 1), total)
        call.waited += max(target - elapsed, .zero) / settings.delayScale
        if target < total {
            delay.told = target
            keep(delay)
            throw .pause(left: total - target, after: call.waited)
        }
        delay.paid.insert(reason)
        delay.reason = nil
        keep(delay)
    }

    /// Lets the security delay pass.
    mutating func serveSecurityDelay() throws(Stop) {
        let pause = try identity().pause
        try serve(.security, .milliseconds(10 * pause))
        call.paidSecurityDelay = true
    }

    /// Lets the security delay pass, unless a right passcode that is not the default makes up for it.
    mutating func serveSecurityDelayUnlessSmart() throws(Stop) {
        let isSmart = try identity().settings.contains(.smartSecurityDelay)
        if isSmart, settings.passcodeReplacesDelay, memory.pin2 != CodeDigest.defaultPasscode { return }
        try serveSecurityDelay()
    }

    /// Forgets the delay of a command that has come to its end.
    mutating func endDelay() {
        field.delay = nil
        storedDelay = nil
    }

    private mutating func keep(_ delay: RunningDelay) {
        field.delay = delay
        storedDelay = settings.keepsDelayInFlash ? delay : nil
    }

    /// The objects beside the status word of a running delay.
    func pauseFields(_ left: Duration) -> AnswerFields {
        var fields = AnswerFields()
        let value = min(left.hundredths, Int(UInt32.max))
        let needed = (1...4).first { value < 1 << (8 * $0) } ?? 4
        fields.add(.pause, number: value, count: max(needed, settings.pauseLength))
        fields.add(.flash, flag: settings.keepsDelayInFlash)
        return fields
    }
}
