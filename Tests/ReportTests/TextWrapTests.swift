// SPDX-License-Identifier: MIT

import Report
import Testing

@Suite struct TextWrapTests {
    @Test func `A line that fits stays as it is`() {
        #expect(TextWrap.wrapped("  step 4: dark", columns: 80) == ["  step 4: dark"])
        #expect(TextWrap.wrapped("", columns: 80) == [""])
    }

    @Test func `A longer line breaks between words and hangs below its start`() {
        let line = "  step 4 kit.led lit: the LED stayed dark for 1.0 s, expected lit"
        #expect(
            TextWrap.wrapped(line, columns: 40) == [
                "  step 4 kit.led lit: the LED stayed", "    dark for 1.0 s, expected lit",
            ]
        )
        #expect(
            TextWrap.wrapped("one two three four five six seven", columns: 28, indent: 4)[1] == "    seven"
        )
    }

    @Test func `Every word comes through, and no piece is wider than the terminal`() {
        let words = (1...60).map { String(repeating: "w", count: $0 % 9 + 1) }
        for columns in 30...50 {
            let pieces = TextWrap.wrapped(words.joined(separator: " "), columns: columns)
            #expect(pieces.allSatisfy { $0.count <= columns })
            #expect(pieces.flatMap { $0.split(separator: " ") }.map(String.init) == words)
        }
    }

    @Test func `A path that is longer than a line stays whole`() {
        let path = String(repeating: "folder/", count: 12)
        #expect(TextWrap.wrapped("trace: \(path) end", columns: 40) == ["trace:", "  \(path)", "  end"])
    }

    @Test func `A row of two columns breaks below its second column`() {
        let row = "  kit.led   Judges the lamp, and says what it saw of it."
        let told = TextWrap.lines("Verbs:\n\(row)\n", columns: 40)
        #expect(
            told == "Verbs:\n  kit.led   Judges the lamp, and says\n            what it saw of it.\n"
        )
        #expect(TextWrap.lines(row, columns: nil) == row)
    }

    @Test func `Colours take no room`() {
        let line = "\u{1B}[1;31mFAIL\u{1B}[0m " + String(repeating: "x", count: 35)
        #expect(TextWrap.wrapped(line, columns: 40) == [line])
    }

    @Test func `Where there is no room beside the indent nothing is done`() {
        let line = String(repeating: "word ", count: 20)
        #expect(TextWrap.wrapped(line, columns: 30, indent: 24) == [line])
    }
}
