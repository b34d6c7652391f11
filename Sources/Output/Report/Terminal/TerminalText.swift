// SPDX-License-Identifier: MIT

import HostSystem

/// Text from outside on its way to a terminal.
public enum TerminalText {
    /// The text with its control characters written as `\u001B`; line breaks and tabs stay what they are.
    public static func harmless(_ text: String) -> String {
        VisibleText.escaped(text, keeping: ["\n", "\t"])
    }
}
