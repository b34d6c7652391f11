// SPDX-License-Identifier: MIT

import Routes
import Scenario
import SmartCard
import Wording

/// What a line of the shell asks for.
enum ShellLine {
    /// Nothing: an empty line, or a comment.
    case nothing
    /// A command to be sent as it is.
    case command([UInt8])
    /// A verb.
    case step(Step)
    /// A word of the shell's own.
    case control(ShellControl, arguments: [String])

    /// Why a line asks for nothing that there is.
    struct Mistake: Error {
        let message: String
    }

    /// Reads a line.
    init(_ text: String, target: String, vocabulary: Vocabulary = .shipped) throws(Mistake) {
        let line = Self.trimmed(text)
        guard let first = line.first, first != "#" else {
            self = .nothing
            return
        }
        if first == ":" {
            self = try Self.control(line)
        } else if Self.isHex(line),
            StepLine.words(target: target, vocabulary: vocabulary)[Self.word(line)] == nil
        {
            self = try Self.command(line)
        } else {
            do {
                self = .step(try StepLine.read(line, target: target, vocabulary: vocabulary))
            } catch {
                throw Mistake(message: error.message + (error.hint.map { "; did you mean '\($0)'?" } ?? ""))
            }
        }
    }

    private static func command(_ line: String) throws(Mistake) -> ShellLine {
        do {
            guard let bytes = try CommandText.bytes(line) else { return .nothing }
            guard bytes.count >= 4 else {
                throw Mistake(message: "\(APDUError.headerTooShort(count: bytes.count))")
            }
            return .command(bytes)
        } catch let error as Mistake {
            throw error
        } catch {
            throw Mistake(message: "\(error)")
        }
    }

    private static func control(_ line: String) throws(Mistake) -> ShellLine {
        let words = line.dropFirst().split(whereSeparator: \.isWhitespace).map(String.init)
        guard let word = words.first else { throw Mistake(message: "a word is missing; :help lists them") }
        guard let control = ShellControl(rawValue: word) else {
            let near = Suggestion.nearest(to: word, among: ShellControl.allCases.map(\.rawValue))
            throw Mistake(
                message: "there is no ':\(word)'"
                    + (near.map { "; did you mean ':\($0)'?" } ?? "; :help lists all")
            )
        }
        let arguments = Array(words.dropFirst())
        if let choices = control.choices, let given = arguments.first, !choices.contains(given) {
            throw Mistake(message: "':\(word)' takes \(choices.joined(separator: " or ")), not '\(given)'")
        }
        guard arguments.count <= 1 else { throw Mistake(message: "':\(word)' takes one word at most") }
        guard !arguments.isEmpty || !control.needsArgument else {
            throw Mistake(
                message: "':\(word)' needs \(control.choices?.joined(separator: " or ") ?? "a word")"
            )
        }
        return .control(control, arguments: arguments)
    }

    /// True for a line whose first word has nothing but hex digits and what may part them.
    static func isHex(_ line: String) -> Bool {
        let word = line.hasPrefix("0x") || line.hasPrefix("0X") ? String(line.dropFirst(2)) : line
        let first = word.prefix { !$0.isWhitespace && $0 != "," }
        return !first.isEmpty && first.allSatisfy { $0.isHexDigit || ":-_.".contains($0) }
            && first.first?.isHexDigit == true
    }

    private static func word(_ line: String) -> String {
        String(line.prefix { !$0.isWhitespace && $0 != ":" })
    }

    static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// The words of the shell's own.
enum ShellControl: String, CaseIterable, Sendable {
    case help, card, connect, reset, field, raw, `guard`, destructive, trace, quit

    /// The words that it takes; nil when any will do, empty when none.
    var choices: [String]? {
        switch self {
        case .help, .trace: nil
        case .card, .connect, .quit: []
        case .reset: ["warm", "cold"]
        case .field, .raw, .destructive: ["on", "off"]
        case .guard: ["pass"]
        }
    }

    /// True when nothing can be done without a word.
    var needsArgument: Bool {
        switch self {
        case .field, .raw, .guard, .destructive: true
        default: false
        }
    }

    /// The word and what it does.
    var help: (usage: String, summary: String) {
        switch self {
        case .help: (":help [VERB]", "this list, or what a verb takes")
        case .card: (":card", "reader, ATR, protocol, limits")
        case .connect: (":connect", "connect to the card anew")
        case .reset: (":reset [warm|cold]", "reset the card (cold)")
        case .field: (":field on|off", "switch the reader's field or the card's power")
        case .raw: (":raw on|off", "leave 61xx and 6Cxx as they are, or follow them")
        case .guard: (":guard pass", "let one PIN attempt pass although one try is left")
        case .destructive:
            (":destructive on|off", "let verbs do what cannot be undone, on a sample that the bench allows")
        case .trace:
            (":trace [FILE|off]", "show every exchange so far, or keep those to come in a trace file")
        case .quit: (":quit", "end; Ctrl-D does the same")
        }
    }
}
