// SPDX-License-Identifier: MIT

/// How many columns text takes in a terminal.
enum TextWidth {
    /// Columns of a text without control characters.
    static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// A text that fits, with three dots where it was cut.
    static func fitted(_ text: String, columns limit: Int) -> String {
        guard of(text) > limit else { return text }
        var out = ""
        var used = 0
        for character in text {
            let width = columns(character)
            guard used + width <= limit - 3 else { break }
            out.append(character)
            used += width
        }
        return out + String(repeating: ".", count: min(3, max(limit, 0)))
    }

    /// Columns of one character: two for the wide ones of East Asia and for pictures.
    ///
    /// Source: Unicode Standard Annex #11, the main blocks of width W and F.
    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        case 0x0300...0x036F, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
        default: return 1
        }
    }
}
