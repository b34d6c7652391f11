// SPDX-License-Identifier: MIT

import Testing
import Wording

@Suite struct AmountTests {
    @Test(
        arguments: [
            (0, "byte", "stand", "0 bytes stand"), (1, "byte", "stand", "1 byte stands"),
            (2, "byte", "are", "2 bytes are"), (1, "line", "are", "1 line is"),
            (1, "try", "have", "1 try has"),
            (3, "try", "have", "3 tries have"), (2, "key", "do", "2 keys do"),
            (1, "other line", "came", "1 other line came"),
        ] as [(Int, String, String, String)]
    )
    func `Nouns and verbs follow their number`(count: Int, noun: String, verb: String, text: String) {
        #expect(Amount.text(count, noun, verb) == text)
    }
}
