// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit

/// The kit of one case on a bench: programs work what they are named for, the debug probe does the rest.
///
/// A light sensor or a relay so goes before what the probe sees and does. The log begins with the case.
public final class BenchKit: Kit {
    /// What the kit is called in messages.
    public let name: String

    private let programs: ExecKit?
    private let probed: ProbedKit?
    private let firstLine: Int

    /// Puts a kit together; nil when there is neither a program nor a probe.
    init?(programs: ExecKit?, probed: ProbedKit?) {
        guard let name = probed?.name ?? programs?.name else { return nil }
        self.name = name
        self.programs = programs
        self.probed = probed
        firstLine = probed?.uartLineCount ?? 0
    }

    /// What the kit can do, by the words of scenarios.
    public var capabilities: Set<Capability> {
        (programs?.capabilities ?? []).union(probed?.capabilities ?? [])
    }

    /// The program for the LED where there is one, else the probe.
    public var eye: String { (try? worker(of: .led).eye) ?? "the probe" }

    /// Presses the button and lets it go.
    public func pressButton() throws(TransportFault) { try worker(of: .button).pressButton() }

    /// Looks at the LED.
    public func led() throws(TransportFault) -> LEDState { try worker(of: .led).led() }

    /// Looks at the LED several times at once, where a probe does it.
    public func lookAtLED() throws(TransportFault) -> LEDLook { try worker(of: .led).lookAtLED() }

    /// Resets the board.
    public func reset() throws(TransportFault) { try worker(of: .reset).reset() }

    /// Pulls the reset line, or lets it go; no program does that.
    public func holdReset(_ isHeld: Bool) throws(TransportFault) {
        guard let probed else {
            throw TransportFault(
                .control,
                "the \(name) cannot be held in reset",
                hint: "name a debug probe for the role"
            )
        }
        try probed.holdReset(isHeld)
    }

    /// Lets the reset line go that a case left pulled.
    public func letGo() throws(TransportFault) { try probed?.letGo() }

    /// The lines of the debug UART since the case began, from an index on.
    public func uartLines(since index: Int) -> [UARTLine] {
        probed?.uartLines(since: firstLine + max(0, index)) ?? []
    }

    /// How many lines the debug UART has told since the case began.
    public var uartLineCount: Int { max(0, (probed?.uartLineCount ?? 0) - firstLine) }

    /// Sees that the lines since the case began are all there.
    public func checkUART() throws(TransportFault) { try probed?.checkUART(since: firstLine) }

    /// Nothing: a real kit lives by itself.
    public func settle() {}

    private func worker(of name: ControlProgram.Name) throws(TransportFault) -> any Kit {
        if let programs, programs.has(name) { return programs }
        if let probed { return probed }
        if let programs { return programs }
        throw TransportFault(.control, "nothing on the bench does \(name.rawValue)")
    }
}
