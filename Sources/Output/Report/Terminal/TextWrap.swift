// SPDX-License-Identifier: MIT

/// Breaks lines for a terminal between words, where it would break them anywhere.
public enum TextWrap {
    /// The least room for text beside an indent; with less, the terminal may break lines as it likes.
    private static let narrowest = 24

    /// A line in pieces that fit.
    ///
    /// - Parameters:
    ///   - line: A line without line breaks; colours in it take no room.
    ///   - columns: The width of the terminal.
    ///   - indent: Blanks before all pieces but the first; nil takes those of the line and two more.
    /// - Returns: One piece or more. A word that is longer than a line stays whole, so that it can be copied.
    public static func wrapped(_ line: String, columns: Int, indent: Int? = nil) -> [String] {
        guard line.utf8.count > columns, width(line) > columns else { return [line] }
        let lead = line.prefix { $0 == " " }
        let hanging = indent ?? lead.count + 2
        guard columns - hanging >= narrowest else { return [line] }
        var out: [String] = []
        var current = String(lead)
        var used = lead.count
        var isFresh = true
        for word in line.dropFirst(lead.count).split(separator: " ", omittingEmptySubsequences: false) {
            let length = width(word)
            if !isFresh, used + 1 + length > columns {
                out.append(current)
                current = String(repeating: " ", count: hanging)
                used = hanging
                isFresh = true
                if word.isEmpty { continue }
            }
            current += isFresh ? String(word) : " \(word)"
            used += isFresh ? length : length + 1
            isFresh = false
        }
        return out + [current]
    }

    /// Lines that fit, each broken below where it starts: behind the gap of a row of two columns, else two blanks in.
    ///
    /// - Parameters:
    ///   - text: Lines without colours.
    ///   - columns: The width of the terminal; nil leaves the text as it is.
    /// - Returns: The text with more line breaks.
    public static func lines(_ text: String, columns: Int?) -> String {
        guard let columns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { wrapped(String($0), columns: columns, indent: secondColumn(of: $0)) }
            .joined(separator: "\n")
    }

    /// Where the second column of a row starts; nil when there is one column only.
    private static func secondColumn(of line: Substring) -> Int? {
        let start = line.prefix { $0 == " " }.count
        var blanks = 0
        for (index, character) in line.enumerated().dropFirst(start) {
            if character == " " {
                blanks += 1
            } else if blanks > 1 {
                return index
            } else {
                blanks = 0
            }
        }
        return nil
    }

    /// Columns of a text, colours left out.
    private static func width(_ text: some StringProtocol) -> Int {
        guard text.utf8.contains(0x1B) else { return TextWidth.of(text) }
        var out = ""
        var isColour = false
        for character in text {
            if character == "\u{1B}" { isColour = true }
            if !isColour { out.append(character) }
            if isColour, character == "m" { isColour = false }
        }
        return TextWidth.of(out)
    }
}
