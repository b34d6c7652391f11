// SPDX-License-Identifier: MIT

public import CardConnection

/// Whether a LED gives light.
public enum LEDState: String, Hashable, Sendable, CaseIterable {
    /// It gives light.
    case lit
    /// It gives none.
    case dark
}

/// How a button event is brought about.
public enum ButtonPress: String, Hashable, Sendable, CaseIterable {
    /// By the interrupt that the button's edge would raise.
    case irq
    /// By a reset of the micro-controller, after which its firmware runs its loop once.
    case reset
}

/// A development kit: a board with a button, a LED, a debug UART, and the chip under test.
///
/// A real kit (through its debug probe) and an emulated one look the same to the rig.
/// The methods may be called from any thread.
public protocol Kit: AnyObject, Sendable {
    /// What the kit is called in messages.
    var name: String { get }

    /// What looks at the LED, in messages: `the probe` or `the LED's program`.
    var eye: String { get }

    /// Presses the user button and lets it go.
    ///
    /// - Throws: `TransportFault` of kind `probe` or `control` when the button cannot be reached.
    func pressButton() throws(TransportFault)

    /// Looks at the user LED.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the LED cannot be seen.
    func led() throws(TransportFault) -> LEDState

    /// Looks at the user LED several times at once, and at what drives it.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the LED cannot be seen.
    func lookAtLED() throws(TransportFault) -> LEDLook

    /// Resets the kit's micro-controller and lets it run.
    ///
    /// - Throws: `TransportFault` of kind `probe` or `control` when it cannot be reset.
    func reset() throws(TransportFault)

    /// Pulls the reset line of the micro-controller, or lets it go.
    ///
    /// - Throws: `TransportFault` of kind `probe` or `control` when the line cannot be reached.
    func holdReset(_ isHeld: Bool) throws(TransportFault)

    /// Lets go of what a case left held: the reset line. To be called after each case.
    ///
    /// - Throws: `TransportFault` of kind `probe` or `control` when it is held and cannot be reached.
    func letGo() throws(TransportFault)

    /// The lines of the debug UART from an index on; the first line ever has index 0.
    ///
    /// Old ones may be gone after very many: see ``checkUART()``.
    func uartLines(since index: Int) -> [UARTLine]

    /// How many lines the debug UART has told so far.
    var uartLineCount: Int { get }

    /// Sees that the lines are all there; without that, a line that is missing says nothing about the firmware.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the UART was lost, or has told more than is kept.
    func checkUART() throws(TransportFault)

    /// Brings the kit up to the present; an emulated kit does what was due until now.
    ///
    /// To be called before the field at the chip comes or goes.
    func settle()
}

extension Kit {
    /// The probe.
    public var eye: String { "the probe" }

    /// One sample, beyond doubt.
    public func lookAtLED() throws(TransportFault) -> LEDLook { LEDLook(try led()) }

    /// Refused.
    public func reset() throws(TransportFault) {
        throw TransportFault(.control, "the \(name) cannot be reset", hint: "use a kit with a debug probe")
    }

    /// Refused.
    public func holdReset(_ isHeld: Bool) throws(TransportFault) {
        throw TransportFault(
            .control,
            "the \(name) cannot be held in reset",
            hint: "use a kit with a debug probe"
        )
    }

    /// Nothing: a kit that cannot be held in reset holds nothing.
    public func letGo() throws(TransportFault) {}

    /// That of the lines.
    public var uartLineCount: Int { uartLines(since: 0).count }

    /// Nothing: lines that are made in this process are all there.
    public func checkUART() throws(TransportFault) {}

    /// Brings a button event about.
    ///
    /// - Parameter press: How.
    /// - Throws: `TransportFault` when the kit cannot be reached.
    public func pressButton(by press: ButtonPress) throws(TransportFault) {
        switch press {
        case .irq: try pressButton()
        case .reset: try reset()
        }
    }
}
