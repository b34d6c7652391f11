// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What a newcomer meets: the help of each option, and the answers to slips.
@Suite struct OptionHelpTests {
    /// The commands with a help text of their own, as typed.
    private static let commands: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Taprig.fixture("help"))) ?? []
        return names.filter { $0.hasSuffix(".txt") && $0 != "taprig.txt" }.sorted()
            .map { $0.dropLast(4).replacingOccurrences(of: "-", with: " ") }
    }()

    private static func help(_ command: String) -> String {
        let name = command.replacingOccurrences(of: " ", with: "-")
        return (try? String(contentsOfFile: Taprig.fixture("help/\(name).txt"), encoding: .utf8)) ?? ""
    }

    /// The long options of a command, with the word for their value.
    private static func options(_ command: String) -> [(name: String, value: String?)] {
        help(command).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  -") else { return nil }
            guard let start = line.firstRange(of: "--")?.lowerBound else { return nil }
            let name = String(line[start...].prefix { $0 != " " })
            // One blank parts a value from its option, two or more the text.
            let rest = line[start...].dropFirst(name.count + 1)
            let value = rest.prefix { $0 != " " }
            return name == "--help" ? nil : (name, value.isEmpty ? nil : String(value))
        }
    }

    private func refusal(_ words: [String]) throws -> String {
        let ending = try Taprig.start(words).wait(limit: .seconds(20))
        #expect(ending.status == 2, "\(words)")
        #expect(ending.output.isEmpty)
        return try #require(ending.sentence, "\(words): \(ending.errors)")
    }

    @Test(arguments: commands)
    func `Each command has an example, and says what a duration is where it takes one`(command: String) {
        let help = Self.help(command)
        let isGroup = help.contains("\nCommands:\n")
        #expect(
            isGroup || help.contains("\nExamples:\n  taprig \(command)")
                || help.contains("(taprig \(command)")
        )
        for value in ["DURATION", "GLOB", "K=V", "SPEC"] where help.contains(" \(value) ") {
            #expect(help.contains("\nValues:\n"), "\(value)")
            #expect(help.components(separatedBy: "\n  \(value) ").count == 2, "\(value)")
        }
    }

    @Test(arguments: commands)
    func `An option with a letter left out is told with the one that was meant`(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        for (name, value) in Self.options(command) {
            var slip = name
            slip.remove(at: slip.index(slip.startIndex, offsetBy: name.count / 2 + 1))
            #expect(try refusal(words + [slip]).contains("did you mean '\(name)'?"), "\(slip)")
            if value != nil {
                #expect(try refusal(words + [name]).contains("option '\(name)' needs a value"))
            }
        }
        let unknown = try refusal(words + ["--nosuchoption"])
        #expect(unknown.contains("unknown option '--nosuchoption'"))
        #expect(unknown.hasSuffix("--help'"))
    }

    @Test(arguments: [
        ("run", "PATH"), ("lint", "PATH"), ("fmt", "PATH"), ("list", "PATH"), ("send", "hex text"),
        ("emulate", "DEVICE"), ("trace show", "FILE"), ("trace stats", "FILE"), ("report", "RUN.json"),
        ("merge", "RUN.json"), ("bench check", "FILE"), ("completions", "bash"),
    ])
    func `A missing argument is told in one sentence`(command: String, word: String) throws {
        #expect(try refusal(command.split(separator: " ").map(String.init)).contains(word))
    }

    @Test func `What has no end is not read as the outcome of a run`() throws {
        #expect(try refusal(["report", "/dev/zero"]).contains("it is a device"))
    }
}
