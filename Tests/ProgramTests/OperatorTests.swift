// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// A run that asks somebody at a terminal.
@Suite struct OperatorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "ask.yaml",
            Scenarios.nbt(
                "demo.ask",
                cases: """
                      - name: turned over
                        steps:
                          - operator: Turn the card over
                          - select: D2760000850101
                    """,
                header: "teardown:\n  - select: D2760000850101\n"
            )
        )
    }

    private func start() throws -> ShellTerminal {
        try ShellTerminal(
            ["run", "\(folder.path)/ask.yaml", "--out", "\(folder.path)/out"],
            environment: [:]
        )
    }

    @Test func `The question stands in a line of its own, and Enter answers it`() throws {
        let terminal = try start()
        try terminal.expect("\r\u{1B}[Koperator: Turn the card over; press Enter")
        #expect(try terminal.ending(typing: "\r") == 0)
    }

    @Test func `A signal ends the wait for an answer, runs the teardown and is told as such`() throws {
        let terminal = try start()
        try terminal.expect("operator: Turn the card over")
        terminal.send(SIGINT)
        #expect(try terminal.ending() == 130)
        #expect(terminal.screen.contains("SIGINT: running the teardown"))
        #expect(folder.text("out/junit.xml").contains("type=\"Interrupted\""))
        #expect(folder.text("out/traces/demo.ask/turned-over.jsonl").contains("\"step\":\"teardown.1"))
    }

    @Test(arguments: ["q", "nope", "\u{1B}[A", "yes but another card", "later"])
    func `What is neither yes nor no is asked again, and steers no terminal`(keys: String) throws {
        let terminal = try start()
        try terminal.expect("operator: Turn the card over; press Enter")
        terminal.type("\(keys)\r")
        try terminal.expect("is no answer; press Enter when it is done")
        #expect(!terminal.screen.contains("'\u{1B}"))
        #expect(try terminal.ending(typing: "\r") == 0)
    }

    @Test(arguments: ["", "y", "Yes", "done!", "OK"])
    func `These say that it is done`(keys: String) throws {
        let terminal = try start()
        try terminal.expect("operator: Turn the card over; press Enter")
        terminal.type("\(keys)\r")
        #expect(try terminal.ending() == 0)
    }

    @Test(arguments: [
        ("n", "no reason was given"), ("No, it is glued", "it is glued"), ("no: glued", "glued"),
    ])
    func `These refuse it`(keys: String, reason: String) throws {
        let terminal = try start()
        try terminal.expect("operator: Turn the card over; press Enter")
        terminal.type("\(keys)\r")
        #expect(try terminal.ending() == 3)
        #expect(folder.text("out/junit.xml").contains("refused 'Turn the card over': \(reason)"))
    }

    @Test func `What was typed before a question does not answer it`() throws {
        try folder.write(
            "ask.yaml",
            Scenarios.nbt(
                "demo.ask",
                cases: """
                      - name: turned over
                        steps:
                          - operator: Turn the card over
                          - operator: Turn it back
                    """
            )
        )
        let terminal = try start()
        try terminal.expect("operator: Turn the card over; press Enter")
        terminal.type("\r\r\r")
        try terminal.expect("operator: Turn it back; press Enter")
        terminal.send(SIGINT)
        #expect(try terminal.ending() == 130)
    }

    @Test func `A question steers no terminal`() throws {
        let text = folder.text("ask.yaml").replacing(
            "operator: Turn the card over",
            with: #"operator: { ask: "Turn \e[31mthe card over" }"#
        )
        try folder.write("ask.yaml", text)
        let terminal = try start()
        try terminal.expect("operator: Turn \\u001B[31mthe card over; press Enter")
        #expect(try terminal.ending(typing: "\r") == 0)
        #expect(!terminal.screen.contains("\u{1B}[31m"))
    }
}
