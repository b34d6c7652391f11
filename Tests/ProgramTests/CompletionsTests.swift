// SPDX-License-Identifier: MIT

import CommandLineKit
import Foundation
import Testing

@testable import taprig

@Suite("Completions and manual page of the program")
struct CompletionsTests {
    @Test("bash takes the script, and it names every command", arguments: CompletionPlan.shells)
    func scripts(_ shell: String) throws {
        let ending = try Taprig.run("completions", shell)
        #expect(ending.status == 0)
        for command in Commands.table.commands {
            for word in command.path { #expect(ending.output.contains(word), "\(command.name)") }
            for option in command.options {
                #expect(ending.output.contains(option.names[0].drop { $0 == "-" }), "\(option.names)")
            }
        }
        guard shell == "bash" else { return }
        let check = try ChildProcess("bash", ["-n"], input: ending.output).wait()
        #expect(check.status == 0)
        #expect(check.errors.isEmpty)
    }

    @Test(
        "prints the lists that scripts ask for",
        arguments: [
            ("ways", "virtual"), ("emulator-options", "state=adt"), ("emulator-options", "uid="),
            ("capabilities", "kit.led"), ("verbs", "read"), ("targets", "nbt"),
        ]
    )
    func lists(_ list: String, _ word: String) throws {
        let ending = try Taprig.start(
            ["completions", "--words", list],
            environment: Taprig.withoutService
        ).wait()
        #expect(ending.status == 0)
        #expect(ending.output.split(separator: "\n").contains(Substring(word)))
    }

    @Test(
        "narrows the options of emulators to a device, and takes anything else for none",
        arguments: [
            ("nbt", "state=adt", "start="), ("tangem", "start=", "state="), ("script", "card=", "state="),
            ("a.yaml", "state=adt", ""), ("bash", "start=", ""),
        ]
    )
    func deviceOptions(_ word: String, _ own: String, _ foreign: String) throws {
        let ending = try Taprig.run("completions", "--words", "emulator-options", "--", word)
        #expect(ending.status == 0)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix(own) })
        #expect(foreign.isEmpty || !lines.contains { $0.hasPrefix(foreign) })
    }

    @Test("refuses a shell that it has no script for, and two wishes at once")
    func refusals() throws {
        let unknown = try Taprig.run("completions", "tcsh")
        #expect(unknown.status == 2)
        #expect(unknown.sentence == "taprig: there is no script for 'tcsh'; there are bash, zsh, fish")
        #expect(try Taprig.run("completions").status == 2)
        #expect(try Taprig.run("completions", "bash", "--words", "verbs").status == 2)
    }

    @Test("the manual page has every command and option, and statuses, files and environment")
    func manual() throws {
        let ending = try Taprig.run("man")
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix(".TH \"TAPRIG\" \"1\""))
        for command in Commands.table.commands {
            #expect(ending.output.contains(".SS \"taprig \(command.name.replacing("-", with: "\\-"))"))
        }
        for title in ["EXIT STATUS", "FILES", "ENVIRONMENT", "SEE ALSO"] {
            #expect(ending.output.contains(".SH \"\(title)\"\n"))
        }
        let groff = "/usr/bin/groff"
        guard FileManager.default.isExecutableFile(atPath: groff) else { return }
        let check = try ChildProcess(groff, ["-man", "-Tutf8", "-wall", "-z"], input: ending.output).wait()
        #expect(check.status == 0)
        #expect(check.errors.isEmpty)
    }
}

@Suite("Templates for CI")
struct CompletionsTemplateTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let files = [
        "ci/templates/github.yml", "ci/templates/gitlab-ci.yml", "ci/templates/Jenkinsfile",
        "Documentation/ci.md",
        "Documentation/doctor.md",
    ]

    /// The calls of a program in a text: from its name to the end of the line or the next command.
    private static func calls(in text: String) -> [[String]] {
        text.split(separator: "\n").flatMap { line -> [[String]] in
            let isProse = line.hasPrefix("|") || line.hasPrefix("- ") || line.first?.isLetter == true
            guard !isProse, !line.drop(while: { $0 == " " }).hasPrefix("#") else { return [] }
            return words(of: String(line)).split { ["&&", "||", "|", ";"].contains($0) }.flatMap(split)
        }
    }

    /// `ci/with-pcscd taprig run ...` is two calls.
    private static func split(_ words: ArraySlice<String>) -> [[String]] {
        var out: [[String]] = []
        for (before, word) in zip([""] + words, words) {
            // `swift build --product taprig` does not call it.
            if before == "--product" { continue }
            if word == "taprig" || word.hasPrefix("ci/") {
                out.append([word])
            } else if !out.isEmpty {
                out[out.count - 1].append(word)
            }
        }
        return out
    }

    /// Words as a shell parts them, without what `sh '...'` and comments add.
    private static func words(of line: String) -> [String] {
        var out: [String] = []
        var word = ""
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "\"" {
                quote = character
            } else if character == "#", word.isEmpty {
                break
            } else if character == " " || character == "'" {
                if !word.isEmpty { out.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? out : out + [word]
    }

    @Test("call only what there is", arguments: files)
    func commands(_ file: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
        let calls = Self.calls(in: text)
        #expect(calls.contains { $0[0] == "taprig" })
        for call in calls {
            if call[0] == "taprig" {
                do {
                    guard case .command = try Commands.table.parse(Array(call.dropFirst())) else {
                        Issue.record("\(file): \(call) asks for help")
                        continue
                    }
                } catch {
                    Issue.record("\(file): \(call): \(error)")
                }
            } else {
                let path = Self.root.appendingPathComponent(call[0]).path
                #expect(FileManager.default.isExecutableFile(atPath: path), "\(file): \(call[0])")
            }
        }
    }

    @Test("keep reports whatever the outcome, and know of one reader at a time")
    func artifacts() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.root.appendingPathComponent("ci/templates/\(name)"), encoding: .utf8)
        }
        let github = try text("github.yml")
        #expect(github.contains("if: always()\n        uses: actions/upload-artifact"))
        #expect(github.contains("concurrency: card-reader"))
        let gitlab = try text("gitlab-ci.yml")
        #expect(gitlab.contains("when: always"))
        #expect(gitlab.contains("junit: Reports/junit-*.xml"))
        #expect(gitlab.contains("resource_group: card-reader"))
        let jenkins = try text("Jenkinsfile")
        #expect(jenkins.contains("junit testResults: 'Reports/junit-*.xml'"))
        #expect(jenkins.contains("lock(resource: 'card-reader')"))
    }
}
