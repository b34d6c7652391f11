// SPDX-License-Identifier: MIT

public import CardConnection

/// Whether a LED gives light.
public enum LEDState: String, Hashable, Sendable, CaseIterable {
    /// It gives light.
    case lit
    /// It gives none.
    case dark
}

/// A development kit: a board with a button, a LED, a debug UART, and the chip under test.
///
/// A real kit (through its debug probe) and an emulated one look the same to the rig.
/// The methods may be called from any thread.
public protocol Kit: AnyObject, Sendable {
    /// What the kit is called in messages.
    var name: String { get }

    /// Presses the user button and lets it go.
    ///
    /// - Throws: `TransportFault` of kind `probe` or `control` when the button cannot be reached.
    func pressButton() throws(TransportFault)

    /// Looks at the user LED.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the LED cannot be seen.
    func led() throws(TransportFault) -> LEDState

    /// The lines of the debug UART from an index on; the first line ever has index 0.
    func uartLines(since index: Int) -> [UARTLine]

    /// Brings the kit up to the present; an emulated kit does what was due until now.
    ///
    /// To be called before the field at the chip comes or goes.
    func settle()
}
