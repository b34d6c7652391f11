// SPDX-License-Identifier: MIT

/// Text in columns for a terminal of a given width.
enum HelpLayout {
    /// First columns that are wider than this stand on a line of their own.
    private static let firstColumnLimit = 26
    /// The least that a second column is given, however narrow the terminal.
    private static let narrowest = 20

    /// A title and rows of two columns, the second one wrapped; empty without rows.
    static func columns(_ title: String, _ rows: [(String, String)], width: Int) -> String {
        guard !rows.isEmpty else { return "" }
        let fitting = rows.map(\.0.count).filter { $0 <= firstColumnLimit }.max() ?? firstColumnLimit
        let indent = fitting + 4
        var lines = ["\(title):"]
        for (first, second) in rows {
            let head = "  " + first
            guard !second.isEmpty else {
                lines.append(head)
                continue
            }
            let text = wrap(second, width: max(narrowest, width - indent))
            let gap = String(repeating: " ", count: max(0, indent - head.count))
            if first.count <= fitting {
                lines.append(head + gap + text[0])
            } else {
                lines += [head, spaces(indent) + text[0]]
            }
            lines += text.dropFirst().map { spaces(indent) + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// The usage line; what does not fit is indented below the first word after the command.
    static func usage(_ command: String, _ words: [String], width: Int) -> String {
        let head = "Usage: \(command)"
        let indent = min(head.count + 1, width / 2)
        let lines = wrap(words.joined(separator: " "), width: max(narrowest, width - head.count - 1))
        let text = lines.joined(separator: "\n" + spaces(indent))
        return text.isEmpty ? head : "\(head) \(text)"
    }

    /// Paragraphs, each wrapped; an empty line parts them.
    static func paragraphs(_ text: String, width: Int) -> String {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }
            .map { wrapped($0.joined(separator: " "), width: width, indent: 0) }
            .joined(separator: "\n\n")
    }

    /// One paragraph.
    static func wrapped(_ text: String, width: Int, indent: Int) -> String {
        wrap(text, width: max(narrowest, width - indent)).map { spaces(indent) + $0 }.joined(separator: "\n")
    }

    /// Lines of at most `width` columns, one at least.
    ///
    /// A word longer than that has a line of its own.
    private static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
