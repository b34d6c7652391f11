// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Help")
struct HelpTests {
    private static let commands = [
        "", "run", "lint", "fmt", "list", "verbs", "schema", "readers", "send", "emulate", "trace",
        "trace show", "trace stats", "report", "merge", "bench", "bench check", "shell", "doctor",
        "completions",
        "man", "kit", "kit list", "kit led", "kit watch", "kit button", "kit reset", "kit uart",
        "kit emulate",
    ]

    /// Set to a folder to record the help texts anew, for example `Tests/ProgramTests/Fixtures/help`.
    private static let recording = ProcessInfo.processInfo.environment["TAPRIG_RECORD_HELP"]

    @Test("is that of the fixtures", arguments: commands)
    func text(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let ending = try Taprig.start(words + ["--help"]).wait()
        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        let name = (words.isEmpty ? "taprig" : words.joined(separator: "-")) + ".txt"
        if let folder = Self.recording {
            try ending.output.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let known = try String(contentsOfFile: Taprig.fixture("help/\(name)"), encoding: .utf8)
        #expect(ending.output == known)
        #expect(try Taprig.start(["help"] + words).wait().output == known)
    }

    @Test("fits 80 columns", arguments: commands)
    func width(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let output = try Taprig.start(words + ["--help"]).wait().output
        for line in output.split(separator: "\n") where !line.hasPrefix("  taprig ") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test("lists every command of the fixtures")
    func complete() throws {
        let output = try Taprig.run("help").output
        for command in Self.commands where !command.isEmpty {
            let first = command.split(separator: " ")[0]
            #expect(output.contains("\n  \(first) "), "\(first)")
        }
    }
}
