// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard

extension InjectedFault {
    /// The fault that a scenario asks for; nil when it is one of a device's own kinds, which its emulator plays.
    ///
    /// - Parameters:
    ///   - plan: What the scenario says.
    ///   - count: Exchanges that went before those which the plan's number counts: zero for a plan of the case.
    init?(_ plan: FaultPlan, after count: Int = 0) {
        guard let when = Moment(rawValue: plan.moment), let kind = Kind(plan) else { return nil }
        let trigger: Trigger
        switch plan.trigger {
        case .exchange(let number): trigger = .exchange(count + number)
        case .step(let word): trigger = .word(word)
        }
        self.init(at: trigger, when: when, kind: kind, times: plan.times)
    }
}

extension FaultPlan {
    /// Whether the power must be taken in the middle of an exchange, which few readers can do.
    var needsFieldCut: Bool { InjectedFault(self)?.needsFieldCut == true }

    /// The plan in words: `remove before exchange 3`.
    var text: String {
        let place =
            switch trigger {
            case .exchange(let number): "exchange \(number)"
            case .step(let word): "'\(word)'"
            }
        return "\(kind) \(moment == "after-answer-lost" ? "after the answer to" : moment) \(place)"
    }
}

extension InjectedFault.Kind {
    fileprivate init?(_ plan: FaultPlan) {
        switch (plan.kind, plan.parameter) {
        case ("remove", _): self = .remove
        case ("power-loss", _): self = .powerLoss
        case ("mute", _): self = .mute
        case ("sw", .statusWord(let sw)?): self = .sw(sw)
        case ("sw", .bytes(let bytes)?) where bytes.count == 2:
            self = .sw(StatusWord(sw1: bytes[0], sw2: bytes[1]))
        case ("delay", .duration(let time)?): self = .delay(time)
        case ("truncate", .number(let count)?): self = .truncate(count)
        case ("truncate", _): self = .truncate(1)
        case ("corrupt", _): self = .corrupt
        case ("reset", _): self = .reset
        default: return nil
        }
    }
}
