// SPDX-License-Identifier: MIT

/// Text from scenarios and devices as part of a line that readers of a report take apart.
///
/// Allure makes a step of each line of an output, and servers look for `[[ATTACHMENT|...]]` in each of them.
enum OutputLine {
    /// The text as one line: line breaks become blanks.
    static func folded(_ text: String) -> String {
        // Most lines are plain.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// The text as one line in which no tag begins: two brackets in a row get a blank between them.
    static func plain(_ text: String) -> String {
        let text = folded(text)
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "[", out.last == "[" { out.append(" ") }
            out.append(scalar)
        }
        return String(out)
    }
}
