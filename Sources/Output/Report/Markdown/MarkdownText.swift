// SPDX-License-Identifier: MIT

import HostSystem

/// Text from outside, made harmless for Markdown with HTML in it.
enum MarkdownText {
    /// Text for a line or a cell of a table: on one line, no character with a meaning.
    ///
    /// Source: GitHub Flavored Markdown §2.4 and §6.2: an entity stands for its character and starts no markup.
    static func inline(_ text: String, limit: Int) -> String {
        var out = ""
        for scalar in CaseNames.clean(LimitedText.shortened(text, limit: limit), fallback: "-").unicodeScalars
        {
            switch scalar {
            case "&", "<", ">", "\"", "|", "`", "*", "_", "[", "]", "\\", "~", "#", "@", "$", "!":
                out += "&#\(scalar.value);"
            // A colon and slashes, or a dot after www, would make a link.
            case ":": out += "&#58;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Text inside of an HTML element; line feeds stay.
    static func html(_ text: String, limit: Int) -> String {
        var out = ""
        for scalar in VisibleText.escaped(LimitedText.shortened(text, limit: limit), keeping: ["\n"])
            .unicodeScalars
        {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
