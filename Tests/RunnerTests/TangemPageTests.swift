// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Routes
import Scenario
import Testing
import Verbs

/// The page about the wallet card names what is there.
@Suite struct TangemPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A row of the table of functions.
    private struct Row {
        let calls: [String]
        let verbs: [String]
        let files: [String]
    }

    private func page() throws -> String {
        try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/tangem-card.md"),
            encoding: .utf8
        )
    }

    private func rows() throws -> [Row] {
        let lines = try page().components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| function of the guide") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { cell in
                    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
                }
            return Row(calls: cells[1], verbs: cells[2], files: cells[3])
        }
    }

    @Test func `Each verb of the table is there, and each verb is in the table`() throws {
        let words = VerbTable.shipped.specs.map(\.name).filter { $0.hasPrefix("tangem.") }
            .map { String($0.dropFirst("tangem.".count)) }
        // A word with a colon is an argument of the verbs.
        let named = try rows().flatMap(\.verbs).filter { !$0.contains(":") }
        #expect(named.filter { !words.contains($0) } == [])
        #expect(words.filter { !named.contains($0) } == [])
    }

    @Test func `Each scenario of the table is there, and each scenario is in the table`() throws {
        let folder = Self.root.appendingPathComponent("Scenarios/tangem").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let named = try rows().flatMap(\.files)
        #expect(named.filter { !files.contains($0) } == [])
        #expect(files.filter { !named.contains($0) } == [])
    }

    @Test func `Each call of the table is a function or a value of the library`() throws {
        let folder = Self.root.appendingPathComponent("Sources/Devices/Tangem/Host")
        let walker = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var source = ""
        for case let file as URL in walker where file.pathExtension == "swift" {
            source += try String(contentsOf: file, encoding: .utf8)
        }
        for call in try rows().flatMap(\.calls) {
            let name = call.split(separator: "(")[0].split(separator: ".").last ?? ""
            let isThere = [
                "func \(name)(", "func \(name)<", "var \(name)", "struct \(name)", "enum \(name)",
                "protocol \(name)",
            ]
            .contains { source.contains($0) }
            #expect(isThere, "\(call)")
        }
    }

    @Test func `Each option of the page is one of the emulated card`() throws {
        let text = try page()
        let start = try #require(text.range(of: "## What is not verified"))
        let lines = text[start.upperBound...].components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
        let options = EmulatorCatalog.options(of: "tangem")
        let rows = lines.dropFirst().filter { !$0.hasPrefix("|---") }
        #expect(rows.count >= 20)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[1].hasPrefix("`") else { continue }
            let name = cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            let option = options.first { $0.name == name }
            #expect(option != nil, "\(name)")
            let standard = cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            #expect(option?.defaultText == (standard == "nothing" ? "" : standard), "\(name)")
        }
    }
}
