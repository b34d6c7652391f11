// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Routes
import Scenario
import Testing
import Verbs

/// The page about the NBT names what is there.
@Suite struct NBTPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The words in code of each row of the table of commands, by column: calls, verbs, scenarios.
    private func column(_ number: Int) throws -> [[String]] {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/nbt.md"),
            encoding: .utf8
        )
        let lines = page.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| command of the chip") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            return Array(cells)[number].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    @Test func `Each verb of the table is there, and each verb is in the table`() throws {
        let words = VerbTable.shipped.specs.map(\.name)
        let named = try column(2).flatMap { $0 }.filter { !$0.hasPrefix("FILE_") }
        #expect(named.count >= 20)
        #expect(named.filter { !words.contains($0) } == [])
        #expect(words.filter { $0.hasPrefix("nbt.") && !named.contains($0) } == [])
    }

    @Test func `Each scenario of the table is there, and each scenario is in the table`() throws {
        let folder = Self.root.appendingPathComponent("Scenarios/nbt").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let rows = try column(3)
        #expect(rows.filter(\.isEmpty).count <= 1)
        let named = rows.flatMap { $0 }
        #expect(named.filter { !files.contains($0) } == [])
        #expect(files.filter { !named.contains($0) } == [])
    }

    @Test func `Each case of a scenario has a line before it that says what is judged`() throws {
        let folder = Self.root.appendingPathComponent("Scenarios/nbt").path
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            let lines = text.components(separatedBy: "\n")
            for (number, line) in lines.enumerated() where line.hasPrefix("  - name:") {
                #expect(number > 0 && lines[number - 1].hasPrefix("  # "), "\(file):\(number + 1):\(line)")
            }
        }
    }
}
