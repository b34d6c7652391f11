// SPDX-License-Identifier: MIT

import Testing

@testable import DevKit

@Suite("UART line")
struct UARTLineTests {
    @Test(
        "comes apart and together again",
        arguments: [
            ("[NBT example] [INFO   ] LED turned ON", "NBT example", "INFO", "LED turned ON"),
            ("[main     ] [WARNING] a] b", "main", "WARNING", "a] b"),
            ("NBT: Pass Through", "", "", "NBT: Pass Through"), ("[half", "", "", "[half"), ("", "", "", ""),
            ("[a] b] c", "", "", "[a] b] c"), ("[] [] [a] [b] c", "", "", "[] [] [a] [b] c"),
        ]
    )
    func parses(row: (line: String, source: String, level: String, text: String)) {
        let line = UARTLine(time: .zero, line: row.line)
        #expect(line.source == row.source)
        #expect(line.level == row.level)
        #expect(line.text == row.text)
        #expect(line.line == row.line)
    }
}
