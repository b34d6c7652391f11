// SPDX-License-Identifier: MIT

public import HostSystem

/// What a terminal can show.
public struct TerminalStyle: Hashable, Sendable {
    /// One line can be rewritten; else plain lines are written.
    public var rewritesLine: Bool
    /// Colours are shown.
    public var usesColour: Bool
    /// Width in columns.
    public var columns: Int

    /// Makes a style.
    public init(rewritesLine: Bool, usesColour: Bool, columns: Int = 80) {
        self.rewritesLine = rewritesLine
        self.usesColour = usesColour
        self.columns = max(columns, 20)
    }

    /// Plain lines: for log files and CI.
    public static let plain = TerminalStyle(rewritesLine: false, usesColour: false)

    /// The style for a stream of this process.
    ///
    /// - Parameters:
    ///   - stream: Where the text goes.
    ///   - environment: `NO_COLOR` (any value but the empty one) and `TERM=dumb` are honoured, `CI` asks for plain lines.
    /// - Returns: Plain where nobody looks.
    public static func of(_ stream: StandardStream, environment: [String: String]) -> TerminalStyle {
        guard stream.isTerminal else { return .plain }
        return of(columns: stream.columns ?? 80, environment: environment)
    }

    /// The style for standard error of this process.
    public static func detected() -> TerminalStyle {
        of(.error, environment: HostEnvironment.all)
    }

    /// The style of a terminal with a width.
    static func of(columns: Int, environment: [String: String]) -> TerminalStyle {
        let isDumb = environment["TERM"] == "dumb" || environment["TERM", default: ""].isEmpty
        let isPlain = isDumb || !environment["CI", default: ""].isEmpty
        let isColourless = isDumb || !environment["NO_COLOR", default: ""].isEmpty
        return TerminalStyle(rewritesLine: !isPlain, usesColour: !isColourless, columns: columns)
    }

    /// A text in a colour, where colours are shown.
    func painted(_ text: String, _ colour: Colour) -> String {
        usesColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The colours in use: bold ones, readable on dark and on light.
    enum Colour: String {
        case red = "1;31"
        case green = "32"
        case yellow = "33"
        case magenta = "1;35"
        case dim = "2"
    }
}
