// SPDX-License-Identifier: MIT

import HostSystem
import Testing

@Suite struct VisibleTextTests {
    @Test(
        arguments: [
            ("", ""), ("Scenarios/nbt/led.yaml", "Scenarios/nbt/led.yaml"), ("é 🔑", "é 🔑"),
            ("a\nb\tc", "a\\u000Ab\\u0009c"), ("\u{1B}[31m", "\\u001B[31m"),
            ("\u{7F}\u{85}", "\\u007F\\u0085"),
            ("x\r\ny", "x\\u000D\\u000Ay"), ("\u{2028}", "\\u2028"),
        ]
    )
    func `Control characters are shown by their number, all else as it is`(text: String, shown: String) {
        #expect(VisibleText.escaped(text) == shown)
    }
}
