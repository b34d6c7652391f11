// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit

/// A kit whose button and LED are worked by programs of the bench.
public final class ExecKit: Kit {
    /// What the kit is called in messages.
    public let name: String
    private let programs: [ControlProgram.Name: ControlProgram]

    /// Makes the kit of a role; nil when no program for a kit is there that may start.
    ///
    /// - Parameters:
    ///   - bench: The bench.
    ///   - role: The role.
    public convenience init?(_ bench: TestBench, role: BenchRole) {
        guard bench.mayStartPrograms else { return nil }
        self.init(name: "kit of \(role.name) on \(bench.name)", programs: bench.programs(of: role))
    }

    /// Makes a kit from programs; nil when none of them works a kit.
    init?(name: String, programs: [ControlProgram]) {
        let own = programs.filter { [.button, .led, .reset].contains($0.name) }
        guard !own.isEmpty else { return nil }
        self.name = name
        self.programs = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What the kit can do, by the words of scenarios.
    public var capabilities: Set<Capability> {
        Set(programs.keys.map { Capability(rawValue: $0.rawValue) })
    }

    /// The program for the LED.
    public var eye: String { "the LED's program" }

    /// Presses the button and lets it go.
    public func pressButton() throws(TransportFault) {
        try program(.button).run()
    }

    /// Looks at the LED.
    public func led() throws(TransportFault) -> LEDState {
        let program = try program(.led)
        let output = try program.run()
        let answer = PlainText.line(output)
        guard let state = LEDState(rawValue: answer.lowercased()) else {
            throw TransportFault(
                .control,
                "kit.led: \(program.shortName) printed '\(answer)'",
                hint: "it has to print lit or dark and nothing else"
            )
        }
        return state
    }

    /// Resets the board.
    public func reset() throws(TransportFault) {
        try program(.reset).run()
    }

    /// None: no program reads a UART.
    public func uartLines(since index: Int) -> [UARTLine] { [] }

    /// Nothing: a real kit lives by itself.
    public func settle() {}

    /// True when a program does this.
    func has(_ name: ControlProgram.Name) -> Bool { programs[name] != nil }

    private func program(_ name: ControlProgram.Name) throws(TransportFault) -> ControlProgram {
        guard let program = programs[name] else {
            throw TransportFault(
                .control,
                "the bench names no program for \(name.rawValue)",
                hint: "add it under `programs` in the bench file"
            )
        }
        return program
    }
}
