// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What the pages of the documentation show is what happens.
@Suite struct DocumentationTests {
    @Test func `Each command of the tutorial prints what stands below it`() throws {
        let page = try DocumentPage("Documentation/tutorial.md")
        let folder = try TemporaryFolder()
        let tools = URL(filePath: Taprig.path).deletingLastPathComponent().path
        var count = 0
        for block in page.blocks {
            if block.language == "yaml" {
                #expect(!block.mark.isEmpty, "the block in line \(block.line) has no file's name")
                try folder.write(block.mark, block.text)
            }
            guard block.language == "console" else { continue }
            for command in block.commands {
                let child = try ChildProcess(
                    "/bin/sh",
                    ["-c", "exec 2>&1; \(command.words)"],
                    in: folder.path,
                    environment: ["PATH": "\(tools):/usr/bin:/bin"]
                )
                let ending = try child.wait()
                let place = "tutorial.md:\(command.line): \(command.words)"
                #expect(ending.status == command.status, "\(place)\n\(ending.output)")
                let difference = command.difference(from: ending.output)
                #expect(difference == nil, "\(place)")
                count += 1
            }
        }
        // A page whose blocks are marked otherwise would be tested by nobody.
        #expect(count >= 12)
    }

    @Test(arguments: try DocumentPage.all())
    func `Scenarios on a page have no mistakes and the canonical form`(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("taprig.yaml", "")
        try folder.write(
            "cards/loyalty.json",
            #"{"kind":"card","atr":"3B80800101","protocol":"T=1","rules":[],"default":"6D00"}"#
        )
        // What a page shows under a file's name is there for the scenarios around it.
        let page = try DocumentPage(name)
        for block in page.blocks where ["yaml", "json"].contains(block.language) && block.mark.contains("/") {
            try folder.write(block.mark, block.text)
        }
        for block in page.blocks where block.language == "yaml" && block.mark.isEmpty {
            guard block.lines.first?.hasPrefix("rig:") == true else { continue }
            try folder.write("page.yaml", block.text)
            let lint = try Taprig.run("lint", "page.yaml", in: folder.path)
            #expect(lint.status == 0, "\(name):\(block.line): \(lint.everything)")
            let format = try Taprig.run("fmt", "page.yaml", in: folder.path)
            #expect(format.status == 0, "\(name):\(block.line): \(format.everything)")
            #expect(folder.text("page.yaml") == block.text, "\(name):\(block.line)")
        }
    }

    @Test func `Each scenario of the page for looking things up passes on the card that it shows`() throws {
        let page = try DocumentPage("Documentation/writing-scenarios.md")
        let folder = try TemporaryFolder()
        try folder.write("taprig.yaml", "")
        var scenarios: [DocumentPage.Block] = []
        for block in page.blocks {
            if !block.mark.isEmpty {
                try folder.write(block.mark, block.text)
            } else {
                scenarios.append(block)
            }
        }
        #expect(scenarios.count >= 5)
        for block in scenarios {
            try folder.write("page.yaml", block.text)
            let ending = try Taprig.run(
                "run",
                "page.yaml",
                "--out",
                "out\(block.line)",
                in: folder.path,
                environment: ["RIG_VAR_PIN": "1234"]
            )
            #expect(ending.status == 0, "line \(block.line): \(ending.everything)")
        }
    }

    /// Words of the language that nothing else in the documentation explains.
    @Test(arguments: [
        "include", "use", "xx", "...", "re:", "tlv", "between", "wire", "exchanges", "guard", "destructive",
        "present", "random", "sha256", "file:", "repeatable",
    ])
    func `The page for looking things up has the word`(word: String) throws {
        let text = try DocumentPage("Documentation/writing-scenarios.md").text
        #expect(text.contains(word))
        guard word == "use" else { return }
        let ending = try Taprig.run("verbs", "use")
        #expect(ending.status == 0)
        #expect(ending.output.contains("include: [lib/steps.yaml]"))
    }

    @Test func `The trace on the first page is that of the case beside it`() throws {
        let folder = try TemporaryFolder()
        let scenario = DocumentPage.root.appending(path: "Scenarios/nbt/led.yaml").path
        _ = try Taprig.run("run", scenario, "--seed", "1", "--out", "out", in: folder.path)
        let trace = "out/traces/nbt.led/dark-lit-dark.jsonl"
        let shown = try Taprig.run("trace", "show", trace, in: folder.path).output
        let text = try String(contentsOf: DocumentPage.root.appending(path: "README.md"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let start = try #require(
            lines.firstIndex {
                $0.hasSuffix("taprig trace show Reports/latest/traces/nbt.led/dark-lit-dark.jsonl")
            }
        )
        let told = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        #expect(told.count == 3)
        for line in told { #expect(shown.contains(line), "\(line)") }
    }

    @Test func `The case on the first page is the one that ships`() throws {
        let page = try DocumentPage("README.md")
        let block = try #require(page.blocks.first { $0.language == "yaml" })
        let file = DocumentPage.root.appending(path: "Scenarios/nbt/led.yaml")
        let shipped = try String(contentsOf: file, encoding: .utf8)
        var rest = shipped[...]
        for line in block.lines {
            let found = rest.range(of: line + "\n")
            #expect(found != nil, "not in this order in led.yaml: \(line)")
            if let found { rest = rest[found.upperBound...] }
        }
    }
}
