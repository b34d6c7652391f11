// SPDX-License-Identifier: MIT

/// An exchange between the kit's micro-controller and the chip, as the firmware logged it.
public struct UARTExchange: Hashable, Sendable {
    /// When the command's line came.
    public let time: Duration
    /// When the answer's line came; nil when there was none.
    public let end: Duration?
    /// The command.
    public let command: [UInt8]
    /// Data and status word; nil when no answer was logged before the next command.
    public let response: [UInt8]?
}

/// Puts the log's lines about commands and answers together: a second trace beside that of the reader.
///
/// Source: the log of the kit's firmware: source `APDU-PROTOCOL`, `>> ` or `<< ` and lower-case bytes with blanks.
public struct UARTExchangeReader: Sendable {
    /// Source of the lines that are read.
    public static let source = "APDU-PROTOCOL"

    private var open: (time: Duration, command: [UInt8])?

    /// Makes a reader.
    public init() {}

    /// Reads a line.
    ///
    /// - Parameter line: Any line of the log.
    /// - Returns: The exchange that the line ended; nil when it ended none.
    public mutating func add(_ line: UARTLine) -> UARTExchange? {
        guard line.source == Self.source, let bytes = Self.bytes(line.text.dropFirst(3)) else { return nil }
        if line.text.hasPrefix(">> ") {
            let unanswered = end()
            open = (line.time, bytes)
            return unanswered
        }
        guard line.text.hasPrefix("<< "), let command = open else { return nil }
        open = nil
        return UARTExchange(time: command.time, end: line.time, command: command.command, response: bytes)
    }

    /// Ends the log; gives the command that was not answered.
    public mutating func end() -> UARTExchange? {
        defer { open = nil }
        return open.map { UARTExchange(time: $0.time, end: nil, command: $0.command, response: nil) }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        var out: [UInt8] = []
        for word in text.split(separator: " ") {
            guard word.count == 2, let byte = UInt8(word, radix: 16) else { return nil }
            out.append(byte)
        }
        return out.isEmpty ? nil : out
    }
}
