// SPDX-License-Identifier: MIT

/// A script or log of another tool, read into what it does to a card.
public struct ForeignScript: Hashable, Sendable {
    /// One thing that the script does.
    public struct Action: Hashable, Sendable {
        /// What is done.
        public enum Kind: Hashable, Sendable {
            /// The card is powered or connected to.
            case connect
            /// The card is reset.
            case reset
            /// The card is let go of.
            case disconnect
            /// A command, with the answer where the source tells one.
            case command([UInt8], answer: [UInt8]?)
        }

        /// What is done.
        public let kind: Kind
        /// Line of the source, from 1.
        public let line: Int
        /// Time of the exchange where the source tells one.
        public let duration: Duration?

        /// Makes an action.
        public init(_ kind: Kind, line: Int, duration: Duration? = nil) {
            self.kind = kind
            self.line = line
            self.duration = duration
        }
    }

    /// Something that a reader of the script should know.
    public struct Note: Hashable, Sendable {
        /// Line of the source, from 1; 0 for the whole.
        public let line: Int
        /// One sentence.
        public let text: String

        /// Makes a note.
        public init(line: Int, _ text: String) {
            self.line = line
            self.text = text
        }
    }

    /// The format that was found.
    public let format: ScriptFormat
    /// What the script does, in order.
    public internal(set) var actions: [Action] = []
    /// What was left out or should be known.
    public internal(set) var notes: [Note] = []
    /// Answer to reset, where the source tells it.
    public internal(set) var atr: [UInt8]?
    /// Protocol, where the source tells it: `T=0`, `T=1`.
    public internal(set) var protocolName: String?
    /// Reader, where the source tells it.
    public internal(set) var readerName: String?

    init(_ format: ScriptFormat) {
        self.format = format
    }

    /// The commands alone, in order.
    public var commands: [[UInt8]] {
        actions.compactMap { action in
            guard case .command(let bytes, _) = action.kind else { return nil }
            return bytes
        }
    }

    /// The longest source that is read.
    public static let sizeLimit = 16 << 20

    /// Reads a script.
    ///
    /// - Parameters:
    ///   - bytes: The whole source.
    ///   - name: Its name; the suffix helps to tell the format.
    ///   - format: The format, when it is known.
    /// - Returns: What the script does.
    /// - Throws: ``ForeignScriptError`` with the line that cannot be read.
    public static func read(
        _ bytes: [UInt8],
        name: String,
        format: ScriptFormat? = nil
    ) throws(ForeignScriptError) -> ForeignScript {
        guard bytes.count <= sizeLimit else {
            throw ForeignScriptError(name: name, line: 0, "it is longer than \(sizeLimit) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ForeignScriptError(name: name, line: 0, "it is no text")
        }
        let lines = SourceLines(text, name: name)
        guard let format = format ?? ScriptFormat.detect(lines, name: name) else {
            throw ForeignScriptError(
                name: name,
                line: 0,
                "its format is not known; there are \(ScriptFormat.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let script = try format.read(lines)
        guard !script.actions.isEmpty else {
            throw ForeignScriptError(name: name, line: 0, "there is no command in it")
        }
        return script
    }
}

/// Why a script cannot be read.
public struct ForeignScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name of the source.
    public let name: String
    /// Line, from 1; 0 for the whole.
    public let line: Int
    /// Column in characters, from 1.
    public let column: Int
    /// What is wrong.
    public let message: String

    init(name: String, line: Int, column: Int = 1, _ message: String) {
        self.name = name
        self.line = line
        self.column = column
        self.message = message
    }

    /// `name:line:column: what is wrong`.
    public var description: String {
        line > 0 ? "\(name):\(line):\(column): \(message)" : "\(name): \(message)"
    }
}
