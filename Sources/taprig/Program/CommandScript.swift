// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import SmartCard

/// The commands that `send` was given, with where each stands.
struct CommandScript: Sendable {
    /// A command of the script.
    struct Line: Sendable {
        /// The bytes.
        let bytes: [UInt8]
        /// `commands.txt:3` or `argument 1`.
        let place: String
    }

    /// The commands, in order.
    let lines: [Line]
    private let isFromArguments: Bool

    init(_ command: ParsedCommand) throws(CommandFailure) {
        let words = command.positionals
        isFromArguments = command.value("-f") == nil && words != ["-"]
        if let path = command.value("-f") {
            guard words.isEmpty else { throw .usage("give commands as arguments or with -f, not both") }
            lines = try Self.read(path)
        } else if words == ["-"] {
            lines = try Self.read("-")
        } else {
            guard !words.isEmpty else {
                throw .usage("no command to send; give hex text, -f FILE or - for standard input")
            }
            var lines: [Line] = []
            for (index, word) in words.enumerated() {
                if let bytes = try Self.bytes(word, place: "argument \(index + 1)") {
                    lines.append(Line(bytes: bytes, place: "argument \(index + 1)"))
                }
            }
            self.lines = lines
        }
        guard !lines.isEmpty else { throw .usage("there is no command in the input; nothing was sent") }
    }

    private static func read(_ path: String) throws(CommandFailure) -> [Line] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                path == "-"
                ? try HostFile.readStandardInput(limit: 64 << 20) : try HostFile.read(path, limit: 64 << 20)
        } catch {
            throw .usage("\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(path) is no text: commands are hex text, one a line")
        }
        let name = path == "-" ? "standard input" : path
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let place = "\(name):\(index + 1)"
            if let bytes = try Self.bytes(String(line), place: place) {
                lines.append(Line(bytes: bytes, place: place))
            }
        }
        return lines
    }

    private static func bytes(_ text: String, place: String) throws(CommandFailure) -> [UInt8]? {
        do {
            return try CommandText.bytes(text)
        } catch {
            throw .usage("\(place): \(error)")
        }
    }

    /// What a careful user should know before the commands go out.
    func warnings(isRaw: Bool) -> [String] {
        var out: [String] = []
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
