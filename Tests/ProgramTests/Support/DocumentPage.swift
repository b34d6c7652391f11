// SPDX-License-Identifier: MIT

import Foundation

/// A page of the documentation, with its fenced blocks.
struct DocumentPage {
    /// A block between two fences.
    struct Block {
        /// The word behind the fence: `yaml`, `console`.
        let language: String
        /// What else stands behind it: a file's name, `status=2`.
        let mark: String
        /// The line of the fence, from 1.
        let line: Int
        let lines: [String]

        var text: String { lines.map { $0 + "\n" }.joined() }
    }

    /// A command as a page shows it: `$ command`, and below it what it prints.
    struct Command {
        let line: Int
        let words: String
        /// The lines that must come; one that is `...` stands for any number of lines.
        let output: [String]
        /// The status that it must end with.
        let status: Int32
    }

    /// The folder of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized

    let name: String
    let text: String
    let blocks: [Block]

    /// Reads a page, named from the folder of the package.
    init(_ name: String) throws {
        self.name = name
        text = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
        var blocks: [Block] = []
        var open: (head: [Substring], line: Int, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    blocks.append(
                        Block(
                            language: String(block.head.first ?? ""),
                            mark: block.head.dropFirst().joined(separator: " "),
                            line: block.line,
                            lines: block.lines
                        )
                    )
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                open = (line.dropFirst(3).split(separator: " "), index + 1, [])
            }
        }
        self.blocks = blocks
    }

    /// All pages of the documentation and the one at the top, by their names.
    static func all() throws -> [String] {
        let folder = root.appending(path: "Documentation").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
    }

    /// The indented blocks of a page, each with the line that it starts in.
    var indentedBlocks: [(line: Int, lines: [String])] {
        var out: [(line: Int, lines: [String])] = []
        var isFenced = false
        var wasEmpty = true
        var isOpen = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isFenced.toggle() }
            if !isFenced, line.hasPrefix("    "), isOpen || wasEmpty {
                if !isOpen { out.append((index + 1, [])) }
                isOpen = true
                out[out.count - 1].lines.append(String(line.dropFirst(4)))
            } else if !line.isEmpty {
                isOpen = false
            }
            wasEmpty = line.isEmpty
        }
        return out
    }
}

extension DocumentPage.Block {
    /// The commands of a `console` block; its mark `status=N` is for the last of them.
    var commands: [DocumentPage.Command] {
        var heads: [(line: Int, words: String, output: [String])] = []
        for (index, text) in lines.enumerated() {
            if text.hasPrefix("$ ") {
                heads.append((line + 1 + index, String(text.dropFirst(2)), []))
            } else if !heads.isEmpty {
                heads[heads.count - 1].output.append(text)
            }
        }
        let last = mark.hasPrefix("status=") ? Int32(mark.dropFirst("status=".count)) ?? 0 : 0
        return heads.enumerated().map { index, head in
            DocumentPage.Command(
                line: head.line,
                words: head.words,
                output: head.output,
                status: index + 1 == heads.count ? last : 0
            )
        }
    }
}

extension DocumentPage.Command {
    /// What is otherwise than the page shows it; nil when nothing is.
    func difference(from printed: String) -> String? {
        var lines = printed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return Self.fits(output[...], lines[...]) ? nil : printed
    }

    private static func fits(_ shown: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
        guard let first = shown.first else { return printed.isEmpty }
        if first == "..." {
            let rest = shown.dropFirst()
            return (printed.startIndex...printed.endIndex).contains { fits(rest, printed[$0...]) }
        }
        guard let line = printed.first else { return false }
        let isLike = first.hasSuffix("...") ? line.hasPrefix(first.dropLast(3)) : line == first
        return isLike && fits(shown.dropFirst(), printed.dropFirst())
    }
}
