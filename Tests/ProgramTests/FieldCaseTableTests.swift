// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The table that leads from a field case to its tests.
@Suite("The table of field cases")
struct FieldCaseTableTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Cases that are tested with what they belong to.
    private static let elsewhere: Set<Int> = [28, 34, 39, 43]

    /// A line of the table.
    struct Row: CustomTestStringConvertible {
        let number: Int
        let file: String
        let test: String
        var testDescription: String { "\(number): \(test)" }
    }

    static func rows() throws -> [Row] {
        let text = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let number = Int(cells[0]) else { return nil }
            return Row(number: number, file: cells[2].replacing("`", with: ""), test: cells[3])
        }
    }

    @Test("has a file and a test in it for each line", arguments: try rows())
    func row(_ row: Row) throws {
        let path = "\(Self.folder)/\(row.file)"
        let text = try #require(try? String(contentsOfFile: path, encoding: .utf8), "no file \(row.file)")
        #expect(text.contains(row.test))
        #expect(row.test.count >= 3)
    }

    @Test("has every case up to 44, in order")
    func cases() throws {
        let numbers = try Self.rows().map(\.number)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers) == Set(1...44).subtracting(Self.elsewhere))
    }
}
