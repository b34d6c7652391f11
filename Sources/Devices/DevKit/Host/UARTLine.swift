// SPDX-License-Identifier: MIT

/// A line of the kit's debug UART.
public struct UARTLine: Hashable, Sendable {
    /// When it was received, on the clock of the run.
    public let time: Duration
    /// Who logs, for example `NBT example`; empty for a line that is not from the logger.
    public let source: String
    /// The level, for example `INFO`; empty for a line that is not from the logger.
    public let level: String
    /// What is said.
    public let text: String

    /// Makes a line.
    public init(time: Duration, source: String, level: String, text: String) {
        self.time = time
        self.source = source
        self.level = level
        self.text = text
    }

    /// Reads a line in the form `[source] [LEVEL] text`; any other line is kept whole as the text.
    ///
    /// - Parameters:
    ///   - time: When the line was received.
    ///   - line: The line, without its end.
    public init(time: Duration, line: String) {
        let parts = line.split(separator: "]", maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3, parts[0].hasPrefix("["), parts[1].hasPrefix(" ["), parts[2].hasPrefix(" ") {
            let source = Self.trimmed(parts[0].dropFirst())
            let level = Self.trimmed(parts[1].dropFirst(2))
            // A logger names itself; brackets around nothing belong to the text.
            if !source.isEmpty || !level.isEmpty {
                self.init(time: time, source: source, level: level, text: String(parts[2].dropFirst()))
                return
            }
        }
        self.init(time: time, source: "", level: "", text: line)
    }

    /// The line as the UART sends it: source padded to 9, level to 7 characters.
    public var line: String {
        guard !source.isEmpty || !level.isEmpty else { return text }
        return "[\(Self.padded(source, to: 9))] [\(Self.padded(level, to: 7))] \(text)"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
