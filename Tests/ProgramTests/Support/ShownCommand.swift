// SPDX-License-Identifier: MIT

import Foundation

/// A command that a page or a template shows, as a shell would take it apart.
struct ShownCommand {
    let line: Int
    let words: [String]

    /// The commands of this project in a line: `taprig ...`, `ci/...`, and what `ci/with-pcscd` starts.
    init?(_ text: String, line: Int) {
        var rest = text.trimmingCharacters(in: .whitespaces)
        for lead in ["$ ", "- ", "run: "] where rest.hasPrefix(lead) { rest.removeFirst(lead.count) }
        if rest.hasPrefix("./ci/") { rest.removeFirst(2) }
        if let pipe = rest.range(of: " | taprig ") { rest = "taprig " + rest[pipe.upperBound...] }
        guard rest.hasPrefix("taprig ") || rest.hasPrefix("ci/") else { return nil }
        self.line = line
        words = Self.words(of: rest)
    }

    /// The words up to the end of the command; quotes hold together, and what is in them stays as it is.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var hasWord = false
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
                continue
            }
            switch character {
            case "\"", "'":
                quote = character
                hasWord = true
            case " ":
                if hasWord { words.append(word) }
                (word, hasWord) = ("", false)
            case "|", "&", ";", "<", ">",
                "#" where !hasWord:
                return words
            default:
                word.append(character)
                hasWord = true
            }
        }
        return hasWord ? words + [word] : words
    }

    /// All of a text in which each line may be a command.
    static func all(in text: String) -> [ShownCommand] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            ShownCommand(String($0.element), line: $0.offset + 1)
        }
    }
}
