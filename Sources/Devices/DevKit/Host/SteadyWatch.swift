// SPDX-License-Identifier: MIT

/// Keeps what the looks at a LED have shown.
struct SteadyWatch {
    let wanted: LEDState
    var lastOther: LEDSample?
    private(set) var firstAgreeing: LEDSample?
    private(set) var changes = 0
    private(set) var count = 0
    private(set) var last: LEDState?
    private var sawOther = false
    /// Why the last look told nothing; nil when it did.
    private(set) var doubt: String?

    init(wanted: LEDState, lastOther: LEDSample?) {
        self.wanted = wanted
        self.lastOther = lastOther
    }

    /// True when no look showed anything but the wanted state.
    var isOnlyWanted: Bool { count > 0 && !sawOther && last == wanted }

    /// Whether all looks show the wanted state since one that ended in time.
    func hasAgreed(since start: Duration, within limit: Duration) -> Bool {
        firstAgreeing.map { $0.time - start <= limit } ?? false
    }

    /// Takes a look.
    ///
    /// - Returns: True when all of it shows the wanted state.
    mutating func add(_ look: LEDLook, at time: Duration) -> Bool {
        count += 1
        doubt = look.doubt
        if doubt == nil {
            for state in look.samples {
                if let last, last != state { changes += 1 }
                last = state
            }
        }
        guard look.steady == wanted else {
            firstAgreeing = nil
            if doubt == nil {
                lastOther = LEDSample(wanted.other, at: time)
                sawOther = true
            }
            return false
        }
        if firstAgreeing == nil { firstAgreeing = LEDSample(wanted, at: time) }
        return true
    }
}
