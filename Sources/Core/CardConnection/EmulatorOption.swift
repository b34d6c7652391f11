// SPDX-License-Identifier: MIT

import SmartCard

/// One setting of an emulator, as `--option NAME=VALUE` and a suite's `options` give it.
public struct EmulatorOption: Hashable, Sendable {
    /// What values it takes.
    public enum Kind: Hashable, Sendable {
        /// One of these words.
        case choice([String])
        /// A whole number in a range.
        case number(ClosedRange<Int>)
        /// A time, for example `200ms`.
        case duration
        /// Hex text.
        case hex
        /// A file's path, relative to the file that names it.
        case file
    }

    /// The option's name, in words joined by dashes.
    public let name: String
    /// What values it takes.
    public let kind: Kind
    /// The value when nothing is said.
    public let defaultText: String
    /// What it does, in one line.
    public let summary: String

    /// Makes an option.
    public init(_ name: String, _ kind: Kind, default defaultText: String, _ summary: String) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.summary = summary
    }
}

extension EmulatorOption {
    /// What the option takes, when a text is no value of it; nil when it is.
    public func complaint(about text: String) -> String? {
        switch kind {
        case .choice(let words):
            return words.contains(text) ? nil : "one of \(words.joined(separator: ", "))"
        case .number(let range):
            if let value = Int(text), range.contains(value) { return nil }
            return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration:
            return EmulatorOptionValues.duration(text) == nil ? "a duration such as 200ms or 1.5s" : nil
        case .hex:
            do {
                _ = try HexText.bytes(text)
                return nil
            } catch {
                return "hex text (\(error))"
            }
        case .file:
            return text.isEmpty ? "the path of a file" : nil
        }
    }
}

/// Why an emulator could not be made.
public struct EmulatorOptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let message: String
    /// Line and column in the text that was to be read, from 1; nil when no place in a text is meant.
    public let place: TextPlace?

    /// A place in a text.
    public struct TextPlace: Hashable, Sendable {
        /// Line, from 1.
        public let line: Int
        /// Byte in the line, from 1.
        public let column: Int

        /// Makes a place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// Makes an error.
    public init(_ message: String, at place: TextPlace? = nil) {
        self.message = message
        self.place = place
    }

    /// One sentence, with the place where there is one.
    public var description: String {
        place.map { "line \($0.line), column \($0.column): \(message)" } ?? message
    }
}
