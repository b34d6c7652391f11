// SPDX-License-Identifier: MIT

/// Text of other programs, made fit for a message.
enum PlainText {
    /// The most characters that are shown.
    private static let longest = 200

    /// One line without control characters and blanks at its ends, cut where it is long.
    static func line(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: Character(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        return words.count > longest ? words.prefix(longest) + "..." : words
    }
}
