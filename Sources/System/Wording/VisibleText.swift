// SPDX-License-Identifier: MIT

/// Text from outside, made fit for a line on a terminal.
public enum VisibleText {
    /// The text with its control characters as `\u000A`, so that it can neither steer a terminal nor end a line.
    public static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isHidden(scalar) else {
                out.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            out.append(
                contentsOf: ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
                    .unicodeScalars
            )
        }
        return String(out)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        // Printable ASCII is nearly all there is, and the property is looked up in a table.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
