// SPDX-License-Identifier: MIT

import NBTConstants

/// The way of the phone's commands to the host and of its responses back.
struct PassThroughState: Sendable {
    /// A foreign application was selected; commands go to the host.
    private(set) var isOpen = false
    /// The command that waits to be fetched or answered.
    private var command: [UInt8]?
    /// The host has fetched it.
    private var isFetched = false
    /// What the host answered.
    private var response: [UInt8]?
    /// The interrupt is raised.
    private(set) var isInterruptRaised = false
    /// What happened at the field since the last fetch.
    private var events: UInt16 = 0

    /// Hands a command over; the way is open from now on.
    mutating func offer(_ bytes: [UInt8]) {
        isOpen = true
        command = bytes
        isFetched = false
        response = nil
        isInterruptRaised = true
    }

    /// Takes the command back that nobody answered.
    mutating func withdraw() {
        command = nil
        isFetched = false
        response = nil
        isInterruptRaised = false
    }

    /// Ends the way: the chip's own application was selected, or the field went.
    mutating func close() {
        isOpen = false
        withdraw()
    }

    /// The host lost its power; what it had fetched it will not answer.
    mutating func forgetHost() {
        if isFetched { withdraw() }
    }

    /// Takes the host's answer; nil when there is none yet.
    mutating func takeResponse() -> [UInt8]? {
        guard let answer = response else { return nil }
        withdraw()
        return answer
    }

    /// FETCH DATA: status and command.
    mutating func fetch(isFieldOn: Bool, rules: PassThroughRules) -> [UInt8] {
        var status = events
        if isFieldOn { status |= PassThroughBit.fieldPresent | PassThroughBit.layer4Active }
        let waiting = isFetched ? nil : command
        if waiting != nil { status |= PassThroughBit.commandAvailable }
        events = rules.eventsAfterFetch(events)
        if command != nil { isFetched = true }
        if rules.fetchClearsInterrupt { isInterruptRaised = false }
        return [ChipState.high(Int(status)), ChipState.low(Int(status))] + (waiting ?? [])
    }

    /// PUT RESPONSE: false when no command waits for it.
    mutating func put(_ bytes: [UInt8], rules: PassThroughRules) -> Bool {
        guard command != nil, response == nil, isFetched || !rules.needsFetch else { return false }
        response = bytes
        isInterruptRaised = false
        return true
    }

    /// Notes what happens at the field; what was open is closed.
    mutating func fieldChanged(to isOn: Bool, from wasOn: Bool) {
        if wasOn { events |= PassThroughBit.fieldLost | PassThroughBit.layer4Left }
        if isOn { events |= PassThroughBit.fieldFound | PassThroughBit.layer4Entered }
        close()
    }
}
