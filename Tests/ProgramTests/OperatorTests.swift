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
}
