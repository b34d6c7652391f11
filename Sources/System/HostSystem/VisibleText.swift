// SPDX-License-Identifier: MIT

/// Text in which control characters are seen and do nothing.
public enum VisibleText {
    /// The text with every control character but those of `keeping` written as `\u001B`.
    ///
    /// - Parameters:
    ///   - text: Any text, for example what a device calls itself.
    ///   - keeping: Characters that stay as they are.
    /// - Returns: A text that may go to a terminal.
    public static func escaped(_ text: String, keeping: Set<Unicode.Scalar> = []) -> String {
        guard text.unicodeScalars.contains(where: { mustEscape($0) && !keeping.contains($0) }) else {
            return text
        }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard mustEscape(scalar), !keeping.contains(scalar) else {
                out.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            out.append(
                contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            )
        }
        return String(out)
    }

    private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: true
        // Marks that turn the direction of text around could make a failure look like a pass.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        // Line ends that not every reader takes for one, and a mark that nobody sees.
        case 0x2028, 0x2029, 0xFEFF: true
        default: false
        }
    }
}
