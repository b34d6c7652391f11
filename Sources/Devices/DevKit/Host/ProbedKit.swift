// SPDX-License-Identifier: MIT

public import CardConnection
public import DebugProbe
import Synchronization

/// A real kit, seen through its debug probe and heard through its debug UART.
///
/// The probe is taken at the first use and kept; one that was lost is taken again at the next use.
public final class ProbedKit: Kit {
    /// What the kit is called in messages.
    public let name: String
    /// What is where on the board.
    public let board: BoardProfile

    private let opening: @Sendable () throws(ProbeError) -> any ProbeLink
    private let clock: any RigClock
    private let log: UARTLog?
    private let probe = Mutex(Hand())

    /// What the kit has in its hand.
    private struct Hand {
        var memory: TargetMemory?
        /// True while the reset line is pulled, also when the probe was lost meanwhile.
        var holdsReset = false
    }

    /// How long the reset line is pulled.
    private static let resetTime = Duration.milliseconds(10)
    /// Samples of the LED in one look: with the two registers beside them they fill one packet of 64 bytes.
    private static let samplesPerLook = 13

    /// Makes a kit; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: What the kit is called in messages.
    ///   - board: What is where on the board.
    ///   - log: The lines of its debug UART; nil when it is not read.
    ///   - clock: The time that it lives in.
    ///   - opening: Opens the probe.
    public init(
        name: String,
        board: BoardProfile,
        log: UARTLog? = nil,
        clock: any RigClock = SystemClock(),
        opening: @escaping @Sendable () throws(ProbeError) -> any ProbeLink
    ) {
        self.name = name
        self.board = board
        self.log = log
        self.clock = clock
        self.opening = opening
    }

    // MARK: Kit

    /// Raises the interrupt of the button's edge by software; nothing else of the chip is touched.
    public func pressButton() throws(TransportFault) {
        let button = board.button
        try onProbe { memory throws(ProbeError) in
            try memory.write(button.interruptSet, button.mask)
        }
    }

    /// Looks at the user LED.
    public func led() throws(TransportFault) -> LEDState {
        let look = try lookAtLED()
        if let doubt = look.doubt { throw Self.cannotJudge(doubt) }
        return look.samples.last ?? .dark
    }

    /// Looks at the user LED several times at once, and at what drives its pin.
    public func lookAtLED() throws(TransportFault) -> LEDLook { try look(at: board.led) }

    /// Pulls the reset line for a moment.
    public func reset() throws(TransportFault) {
        try holdReset(true)
        clock.wait(Self.resetTime)
        try holdReset(false)
    }

    /// Pulls the reset line, or lets it go; the chip need not answer for that.
    public func holdReset(_ isHeld: Bool) throws(TransportFault) {
        try Self.reporting { () throws(ProbeError) in
            try probe.withLock { hand throws(ProbeError) in try pullReset(isHeld, &hand) }
        }
    }

    /// Lets the reset line go that a case left pulled.
    public func letGo() throws(TransportFault) {
        if probe.withLock({ $0.holdsReset }) { try holdReset(false) }
    }

    /// The lines of the debug UART from an index on; none when it is not read.
    public func uartLines(since index: Int) -> [UARTLine] { log?.lines(since: index) ?? [] }

    /// How many lines the debug UART has told since it was opened.
    public var uartLineCount: Int { log?.lineCount ?? 0 }

    /// Sees that the lines are all there.
    public func checkUART() throws(TransportFault) { try checkUART(since: 0) }

    /// Sees that the lines from an index on are all there.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the UART was lost, or has told more than is kept.
    public func checkUART(since index: Int) throws(TransportFault) { try log?.check(since: index) }

    /// Nothing: a real kit lives by itself.
    public func settle() {}

    // MARK: More than a kit

    /// What the kit offers, by the words of scenarios.
    public var capabilities: Set<Capability> {
        var out = Set(["kit.led", "kit.button", "kit.reset"].map(Capability.init(rawValue:)))
        if log != nil { out.insert(Capability(rawValue: "kit.uart")) }
        return out
    }

    /// Looks at any LED of the board.
    ///
    /// - Parameter led: The LED.
    /// - Returns: Samples of what its pin is commanded to be, all taken in one exchange with the probe.
    /// - Throws: `TransportFault` of kind `probe` when the LED cannot be seen.
    public func look(at led: BoardLED) throws(TransportFault) -> LEDLook {
        if probe.withLock({ $0.holdsReset }) {
            return LEDLook(samples: [.dark], doubt: "the micro-controller is held in reset")
        }
        let pin = led.pin
        let addresses =
            [pin.blockSelect, pin.configuration] + [UInt32](repeating: pin.output, count: Self.samplesPerLook)
        let words = try onProbe { memory throws(ProbeError) in try memory.read(addresses) }
        guard words.count == addresses.count else {
            throw TransportFault(.probe, "the \(name) gave \(words.count) words for \(addresses.count)")
        }
        return LEDLook(
            samples: words.dropFirst(2).map(led.state),
            doubt: Self.doubt(about: pin, block: pin.block(in: words[0]), drive: pin.driveMode(in: words[1]))
        )
    }

    /// Lets the probe itself wait for the LED, which sees a change within microseconds.
    ///
    /// - Parameters:
    ///   - led: The LED.
    ///   - state: What it has to become.
    ///   - retries: How often the probe looks before it gives up.
    /// - Returns: False when the state did not come.
    /// - Throws: `TransportFault` of kind `probe` when the LED cannot be seen.
    public func wait(
        for led: BoardLED,
        toBe state: LEDState,
        retries: UInt16 = 4000
    ) throws(TransportFault) -> Bool {
        let isLow = (state == .lit) == led.isLitLow
        return try onProbe { memory throws(ProbeError) in
            try memory.wait(
                for: led.pin.output,
                mask: led.pin.mask,
                value: isLow ? 0 : led.pin.mask,
                retries: retries
            )
        }
    }

    /// Opens the probe, when that was not done yet.
    ///
    /// - Returns: The identification of the chip's debug port.
    /// - Throws: `TransportFault` of kind `probe`, `busy` or `permission` that says what is missing.
    @discardableResult
    public func open() throws(TransportFault) -> UInt32 {
        try onProbe { memory throws(ProbeError) in memory.debugPortIdentity }
    }

    /// What is unusual about the chip, in one sentence; nil when nothing is.
    public func warning() throws(TransportFault) -> String? {
        let identity = try open()
        guard let expected = board.debugPortIdentity, identity != expected else { return nil }
        return
            "the chip's debug port calls itself \(Self.hex(identity)), a \(board.name) has \(Self.hex(expected)); "
            + "is another board plugged in?"
    }

    /// Lets go of reset line, probe and UART; the next use takes the probe again.
    public func close() {
        probe.withLock { hand in
            // Nobody is left to be told when the probe is gone.
            if hand.holdsReset { try? pullReset(false, &hand) }
            hand.memory?.close()
            hand = Hand()
        }
        log?.close()
    }

    // MARK: Steps

    private func onProbe<Result: Sendable>(
        _ body: @Sendable (TargetMemory) throws(ProbeError) -> Result
    ) throws(TransportFault) -> Result {
        try Self.reporting { () throws(ProbeError) in
            try probe.withLock { hand throws(ProbeError) in
                try using(&hand) { memory throws(ProbeError) in
                    try memory.open()
                    return try body(memory)
                }
            }
        }
    }

    private func pullReset(_ isHeld: Bool, _ hand: inout Hand) throws(ProbeError) {
        // From the order on: whether it was carried out by a probe that fails is not known.
        if isHeld { hand.holdsReset = true }
        try using(&hand) { memory throws(ProbeError) in
            if isHeld { try memory.holdReset() } else { try memory.releaseReset() }
        }
        hand.holdsReset = isHeld
    }

    /// Does something with the probe, which is taken first where it is not in hand; the chip is not woken for that.
    private func using<Result>(
        _ hand: inout Hand,
        _ body: (TargetMemory) throws(ProbeError) -> Result
    ) throws(ProbeError) -> Result {
        let memory: TargetMemory
        if let open = hand.memory {
            memory = open
        } else {
            memory = try TargetMemory(try opening(), clock: clock, wakesChip: false)
            hand.memory = memory
        }
        do throws(ProbeError) {
            return try body(memory)
        } catch {
            if error.endsLink {
                memory.close()
                hand.memory = nil
            }
            throw error
        }
    }

    /// Turns the probe's error into the fault that reports tell apart.
    private static func reporting<Result>(
        _ body: () throws(ProbeError) -> Result
    ) throws(TransportFault) -> Result {
        do throws(ProbeError) {
            return try body()
        } catch {
            let kind: FaultKind =
                switch error.kind {
                case .busy: .busy
                case .notPermitted: .permission
                case .absent, .gone, .unsupported, .outOfStep, .target, .refused: .probe
                }
            throw TransportFault(kind, error.description)
        }
    }

    /// Why a pin's output register does not tell what the pin does; nil when it does.
    private static func doubt(about pin: GPIOPin, block: UInt32, drive: UInt32) -> String? {
        guard block == 0 else {
            return
                "the LED's pin \(pin) belongs to another block of the chip (port select \(block)), so its output "
                + "register does not tell whether the LED is lit"
        }
        guard drive == GPIOPin.strongDrive else {
            return
                "the LED's pin \(pin) is not driven (drive mode \(drive), 6 is strong drive), so its output register "
                + "does not tell whether the LED is lit; does the firmware run, is it the right board?"
        }
        return nil
    }

    /// The fault of a look that tells nothing.
    static func cannotJudge(_ doubt: String) -> TransportFault {
        TransportFault(.probe, "cannot judge the LED: \(doubt)")
    }

    private static func hex(_ number: UInt32) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 8 - text.count)) + text
    }
}
