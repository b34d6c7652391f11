// SPDX-License-Identifier: MIT

public import CardConnection

/// A connection whose field is switched by a program of the bench: a relay, a lift, a robot.
public final class ProgramFieldConnection: ConnectionWrapper {
    /// The connection below.
    public let inner: any Connection
    private let program: ControlProgram
    private var isOff = false

    /// Puts the program on a connection.
    public init(_ inner: any Connection, program: ControlProgram) {
        self.inner = inner
        self.program = program
    }

    /// The facts of the connection below; the field can be switched.
    public var facts: ConnectionFacts {
        var facts = inner.facts
        facts.capabilities.insert(.fieldControl)
        return facts
    }

    /// Sends a command, unless the field is off.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard !isOff else {
            throw TransportFault(.noCard, "no card: the field is off", hint: "switch the field on first")
        }
        return try inner.transmit(command)
    }

    /// Runs the program with `on` or `off`, and connects anew behind `on`.
    public func setField(_ state: FieldState) throws(TransportFault) {
        try program.run([state.rawValue])
        isOff = state == .off
        if state == .on { try inner.reconnect() }
    }

    /// Closes the connection; a field that is off goes on first, so that whoever comes next finds a card.
    ///
    /// A program that fails here fails again at the next connect, which tells of it.
    public func close() {
        if isOff, (try? program.run([FieldState.on.rawValue])) != nil { isOff = false }
        inner.close()
    }
}
