// SPDX-License-Identifier: MIT

import CommandLineKit
import ForeignScript
import HostSystem
import SmartCard

/// The commands that `send` was given, with where each stands.
struct CommandScript: Sendable {
    /// A command of the script.
    struct Line: Sendable {
        /// The bytes.
        let bytes: [UInt8]
        /// `commands.txt:3:1` or `argument 1`.
        let place: String
        /// Whether the script of another tool resets the card before it.
        var followsReset = false
    }

    /// The commands, in order.
    let lines: [Line]
    /// What should be known of the script of another tool.
    private let notes: [String]
    private let isFromArguments: Bool

    init(_ command: ParsedCommand) throws(CommandFailure) {
        let words = command.positionals
        isFromArguments = command.value("-f") == nil && words != ["-"]
        if let path = command.value("-f") {
            guard words.isEmpty else { throw .usage("give commands as arguments or with -f, not both") }
            (lines, notes) = try Self.read(path)
        } else if words == ["-"] {
            (lines, notes) = try Self.read("-")
        } else {
            guard !words.isEmpty else {
                throw .usage("no command to send; give hex text, -f FILE or - for standard input")
            }
            var lines: [Line] = []
            for (index, word) in words.enumerated() {
                let place = "argument \(index + 1)"
                do throws(CommandTextError) {
                    guard let bytes = try CommandText.bytes(word) else { continue }
                    lines.append(Line(bytes: bytes, place: place))
                } catch {
                    throw .usage("\(place), character \(error.column): \(error.message)")
                }
            }
            self.lines = lines
            notes = []
        }
        guard !lines.isEmpty else { throw .usage("there is no command in the input; nothing was sent") }
    }

    private static func read(_ path: String) throws(CommandFailure) -> (lines: [Line], notes: [String]) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                path == "-"
                ? try HostFile.readStandardInput(limit: 64 << 20) : try HostFile.read(path, limit: 64 << 20)
        } catch {
            throw .usage("\(error)")
        }
        let name = path == "-" ? "standard input" : VisibleText.escaped(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(name) is no text: commands are hex text, one a line")
        }
        if let format = ScriptFormat.detect(bytes, name: name) {
            do throws(ForeignScriptError) {
                return foreign(try ForeignScript.read(bytes, name: name, format: format), name: name)
            } catch {
                throw .usage("\(error)")
            }
        }
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            do throws(CommandTextError) {
                guard let bytes = try CommandText.bytes(String(line)) else { continue }
                let column = line.prefix { $0.isWhitespace }.count + 1
                lines.append(Line(bytes: bytes, place: "\(name):\(index + 1):\(column)"))
            } catch {
                throw .usage("\(name):\(index + 1):\(error.column): \(error.message)")
            }
        }
        return (lines, [])
    }

    /// The commands of another tool's script; a reset or a new connection between them is done before the next one.
    private static func foreign(_ script: ForeignScript, name: String) -> (lines: [Line], notes: [String]) {
        var lines: [Line] = []
        var isReset = false
        for action in script.actions {
            switch action.kind {
            case .command(let bytes, _):
                lines.append(Line(bytes: bytes, place: "\(name):\(action.line):1", followsReset: isReset))
                isReset = false
            case .reset, .connect: isReset = !lines.isEmpty
            case .disconnect: break
            }
        }
        let notes = script.notes.map {
            $0.line > 0 ? "\(name):\($0.line):1: \($0.text)" : "\(name): \($0.text)"
        }
        return (lines, notes)
    }

    /// What a careful user should know before the commands go out.
    func warnings(isRaw: Bool) -> [String] {
        var out = notes
        if isFromArguments, let line = lines.first(where: Self.isVerify) {
            out.append(
                "\(line.place) holds a PIN or code, and arguments are seen by everybody on the host; use - and standard input"
            )
        }
        if !isRaw, let line = lines.first(where: { $0.bytes.count > 1 && $0.bytes[1] == 0xC0 }) {
            out.append(
                "\(line.place): the script has its own GET RESPONSE, and responses are followed already; "
                    + "send it with --raw to have exactly its commands on the wire"
            )
        }
        return out
    }

    /// VERIFY, CHANGE REFERENCE DATA or RESET RETRY COUNTER with data.
    private static func isVerify(_ line: Line) -> Bool {
        line.bytes.count > 5 && [0x20, 0x24, 0x2C].contains(line.bytes[1])
    }
}
