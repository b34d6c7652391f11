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

    /// An input that a case is played with.
    struct Instance: Hashable {
        let number: Int
        let file: String
        /// A text in the file; nil for a file that is the instance.
        let text: String?
    }

    /// The lines of a table with so many columns.
    private static func cells(_ count: Int) throws -> [[String]] {
        try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8).split(separator: "\n").compactMap {
            line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == count && Int(cells[0]) != nil ? cells : nil
        }
    }

    static func rows() throws -> [Row] {
        try cells(4).map { cells in
            Row(number: Int(cells[0]) ?? 0, file: cells[2].replacing("`", with: ""), test: cells[3])
        }
    }

    private static func instances() throws -> [Instance] {
        try cells(3).map { cells in
            Instance(
                number: Int(cells[0]) ?? 0,
                file: cells[1].replacing("`", with: ""),
                text: cells[2].hasPrefix("`") ? String(cells[2].dropFirst().dropLast()) : nil
            )
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

    @Test("has two more instances of each case, and each of them is there")
    func instances() throws {
        let instances = try Self.instances()
        let numbers = Set(try Self.rows().map(\.number))
        #expect(Set(instances.map(\.number)) == numbers)
        for number in numbers {
            #expect(instances.count { $0.number == number } >= 3, "case \(number)")
        }
        // No input stands for two cases, and no file is both an instance and the place of others.
        let places = instances.map { "\($0.file) \($0.text ?? "")" }
        #expect(Set(places).count == places.count)
        let whole = Set(instances.filter { $0.text == nil }.map(\.file))
        #expect(whole.isDisjoint(with: instances.filter { $0.text != nil }.map(\.file)))
        for instance in instances {
            let text = try? String(contentsOfFile: "\(Self.folder)/\(instance.file)", encoding: .utf8)
            #expect(text?.isEmpty == false, "no file \(instance.file)")
            if let words = instance.text {
                #expect(text?.contains(words) == true, "\(instance.file): \(words)")
            } else if let like = text?.firstMatch(of: /"like": *"S([0-9]+)"/) {
                #expect(Int(like.1) == instance.number, "\(instance.file)")
            }
        }
    }
}
