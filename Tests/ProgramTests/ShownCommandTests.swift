// SPDX-License-Identifier: MIT

import CommandLineKit
import Foundation
import Scenario
import Testing

@testable import taprig

/// The commands that pages and templates tell people to type are those that there are.
@Suite struct ShownCommandTests {
    private static let templates = ["github.yml", "gitlab-ci.yml", "Jenkinsfile"].map { "ci/templates/\($0)" }

    /// What is wrong with a command of this project; nil when nothing is.
    private func complaint(about command: ShownCommand) -> String? {
        guard let first = command.words.first else { return "no word" }
        if first == "taprig" {
            do {
                _ = try Commands.table.parse(Array(command.words.dropFirst()))
                return nil
            } catch {
                return "\(error)"
            }
        }
        let path = DocumentPage.root.appending(path: first).path
        guard FileManager.default.isExecutableFile(atPath: path) else { return "there is no \(first)" }
        switch first {
        case "ci/with-pcscd":
            guard command.words.count > 1, command.words[1] == "taprig" else { return nil }
            let rest = command.words.dropFirst().joined(separator: "' '")
            return ShownCommand(rest.replacingOccurrences(of: "taprig' ", with: "taprig ") + "'", line: 0)
                .flatMap { complaint(about: $0) }
        case "ci/setup":
            let kinds = ["demo", "test", "bench"]
            return command.words.count == 2 && kinds.contains(command.words[1]) ? nil : "unknown kind"
        default: return nil
        }
    }

    @Test(arguments: templates)
    func `A template calls commands that exist, with options that they have`(name: String) throws {
        let text = try DocumentPage(name).text
        let commands = ShownCommand.all(in: text)
        #expect(commands.count >= 5)
        for command in commands {
            let complaint = complaint(about: command)
            #expect(complaint == nil, "\(name):\(command.line): \(command.words)")
        }
        #expect(commands.contains { $0.words.contains("--via") })
        #expect(commands.contains { $0.words.contains("--junit") })
    }

    @Test(arguments: try DocumentPage.all())
    func `A page shows commands that exist, with options that they have`(name: String) throws {
        let page = try DocumentPage(name)
        var commands: [ShownCommand] = []
        for block in page.blocks where ["console", "sh"].contains(block.language) {
            for (index, line) in block.lines.enumerated() where block.language == "sh" || line.hasPrefix("$ ")
            {
                if let command = ShownCommand(line, line: block.line + 1 + index) { commands.append(command) }
            }
        }
        for block in page.indentedBlocks {
            for (index, line) in block.lines.enumerated() {
                if let command = ShownCommand(line, line: block.line + index) { commands.append(command) }
            }
        }
        for command in commands {
            let complaint = complaint(about: command)
            #expect(complaint == nil, "\(name):\(command.line): \(command.words)")
        }
    }

    @Test func `A wrong command is noticed`() throws {
        let wrong = [
            "taprig runn x", "taprig run x --viaa y", "ci/nothing", "ci/with-pcscd taprig run --junitt a b",
        ]
        for text in wrong {
            let command = try #require(ShownCommand("    - \(text)  # why", line: 1))
            #expect(complaint(about: command) != nil, "\(text)")
        }
        let right = try #require(
            ShownCommand("printf 'select FILE_1' | taprig shell --via \"pcsc:A B\" || true", line: 1)
        )
        #expect(right.words == ["taprig", "shell", "--via", "pcsc:A B"])
        #expect(complaint(about: right) == nil)
    }

    @Test(arguments: templates.filter { $0.hasSuffix(".yml") })
    func `A YAML template can be read, and each job does something`(name: String) throws {
        let text = try DocumentPage(name).text
        let read = YAMLFile.read(Array(text.utf8), file: name, opening: "") { node, _ in node }
        #expect(read.mistakes.isEmpty, "\(read.mistakes)")
        let root = try #require(read.value)
        let jobs =
            root.entry("jobs")?.entries
            ?? root.entries?.filter { $0.value.entry("stage") != nil || $0.value.entry("extends") != nil }
            ?? []
        #expect(jobs.count >= 2)
        for job in jobs where !job.key.hasPrefix(".") {
            let steps = job.value.entry("steps")?.elements ?? job.value.entry("script")?.elements ?? []
            #expect(!steps.isEmpty, "\(name): \(job.key)")
            for step in steps where step.text == nil {
                #expect(step.entry("run") != nil || step.entry("uses") != nil, "\(name): \(job.key)")
            }
        }
    }

    @Test func `The brackets of the Jenkinsfile are in pairs`() throws {
        let text = try DocumentPage("ci/templates/Jenkinsfile").text
        var open: [Character] = []
        var quote = ""
        var rest = text[...]
        let pairs: [Character: Character] = ["}": "{", ")": "(", "]": "["]
        while let character = rest.first {
            if !quote.isEmpty {
                let ends = rest.hasPrefix(quote)
                rest = rest.dropFirst(ends ? quote.count : 1)
                if ends { quote = "" }
                continue
            }
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
                continue
            }
            if let start = ["'''", "'", "\""].first(where: rest.hasPrefix) {
                quote = start
                rest = rest.dropFirst(start.count)
                continue
            }
            if "{([".contains(character) { open.append(character) }
            if let wanted = pairs[character] {
                let last = open.popLast()
                #expect(last == wanted)
            }
            rest = rest.dropFirst()
        }
        #expect(open.isEmpty)
        #expect(quote.isEmpty)
        for word in ["pipeline {", "stages {", "post {", "junit testResults:"] {
            #expect(text.contains(word))
        }
    }
}

extension YAMLNode {
    fileprivate func entry(_ key: String) -> YAMLNode? { entries?.first { $0.key == key }?.value }
}
