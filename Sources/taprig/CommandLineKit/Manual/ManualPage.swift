// SPDX-License-Identifier: MIT

/// A manual page of a program, in the language of man(7).
public struct ManualPage: Sendable {
    /// A part of the page that the table of commands does not tell.
    public struct Section: Sendable {
        /// The heading, in capitals.
        public let title: String
        /// Sentences before the rows; an empty line parts paragraphs.
        public let text: String
        /// Words and what they mean.
        public let rows: [(word: String, meaning: String)]

        /// Makes a section.
        public init(_ title: String, text: String = "", rows: [(word: String, meaning: String)] = []) {
            self.title = title
            self.text = text
            self.rows = rows
        }
    }

    private let table: CommandTable
    private let sections: [Section]

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - table: The commands.
    ///   - sections: What comes behind them.
    public init(table: CommandTable, sections: [Section]) {
        self.table = table
        self.sections = sections
    }

    /// The page, line by line.
    public var text: String {
        var page = Roff()
        let title = table.program.uppercased()
        page.macro("TH", title, "1", "", "\(table.program) \(table.version)", "User Commands")
        page.macro("SH", "NAME")
        page.line("\(table.program) \\- " + Roff.escaped(lowercasedFirst(withoutStop(table.summary))))
        page.macro("SH", "SYNOPSIS")
        page.line(
            "\\fB\(Roff.escaped(table.program))\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]"
        )
        page.macro("SH", "DESCRIPTION")
        page.paragraphs(table.summary)
        page.macro("SH", "COMMANDS")
        for command in table.commands { add(command, to: &page) }
        page.macro("SH", "OPTIONS OF EVERY COMMAND")
        for option in table.globalOptions + [.help, .version] { add(option, to: &page) }
        for section in sections {
            page.macro("SH", section.title)
            page.paragraphs(section.text)
            for (word, meaning) in section.rows { page.entry("\\fB\(Roff.escaped(word))\\fR", meaning) }
        }
        return page.text
    }

    private func add(_ command: CommandSpec, to page: inout Roff) {
        let words = (command.options.isEmpty ? [] : ["[OPTION...]"]) + command.positionals.map(\.synopsis)
        page.macro("SS", ([table.program, command.name] + words).joined(separator: " "))
        page.paragraphs(command.summary)
        page.paragraphs(command.discussion)
        for positional in command.positionals {
            page.entry("\\fI\(Roff.escaped(positional.name))\\fR", positional.summary)
        }
        for option in command.options { add(option, to: &page) }
        guard !command.examples.isEmpty else { return }
        page.macro("PP")
        page.line(command.examples.count == 1 ? "Example:" : "Examples:")
        page.macro("PP")
        page.macro("nf")
        for example in command.examples { page.plain("    " + example) }
        page.macro("fi")
    }

    private func add(_ option: OptionSpec, to page: inout Roff) {
        let names = option.names.map { "\\fB\(Roff.escaped($0))\\fR" }.joined(separator: ", ")
        var text = option.summary
        if let choices = option.choices { text += " One of \(choices.joined(separator: ", "))." }
        if option.repeats { text += " May be repeated." }
        page.entry(names + (option.value.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""), text)
    }

    private func withoutStop(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private func lowercasedFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

/// Lines of a manual page.
private struct Roff {
    private(set) var text = ""

    /// A request with arguments.
    mutating func macro(_ name: String, _ arguments: String...) {
        text += ".\(name)" + arguments.map { " \"\(Self.escaped($0))\"" }.joined() + "\n"
    }

    /// A line that is escaped already.
    mutating func line(_ line: String) { text += line + "\n" }

    /// A line as it is.
    mutating func plain(_ line: String) { text += Self.escaped(line) + "\n" }

    /// Paragraphs that an empty line parts.
    mutating func paragraphs(_ source: String) {
        var isNew = true
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.allSatisfy(\.isWhitespace) else {
                isNew = true
                continue
            }
            if isNew { macro("PP") }
            isNew = false
            plain(String(line))
        }
    }

    /// A term and its text.
    mutating func entry(_ term: String, _ meaning: String) {
        text += ".TP\n\(term)\n"
        plain(meaning)
    }

    /// Text in which nothing has a meaning to the formatter.
    static func escaped(_ source: String) -> String {
        var out = source.first.map { ".'".contains($0) } == true ? "\\&" : ""
        for character in source {
            switch character {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "\"": out += "\\(dq"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            default: out.append(character)
            }
        }
        return out
    }
}
