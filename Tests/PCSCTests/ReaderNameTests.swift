// SPDX-License-Identifier: MIT

import JSONText
import PCSC
import Testing

@Suite("Reader names")
struct ReaderNameTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let row: JSON
        var testDescription: String { row["name"]?.string ?? "" }

        static func load() throws -> [Row] {
            try ["S11/expect.json", "S11/own-expect.json"].flatMap {
                try Fixture.list($0, "rows").map(Row.init)
            }
        }
    }

    @Test("split into model, interface, serial, reader number and slot", arguments: try Row.load())
    func split(_ item: Row) throws {
        let name = ReaderName(try #require(item.row["name"]?.string))
        #expect(name.text == item.testDescription)
        #expect(name.model == item.row["model"]?.string)
        #expect(name.interface == item.row["interface"]?.string)
        #expect(name.serial == item.row["serial"]?.string)
        #expect(name.reader == item.row["reader"]?.integer)
        #expect(name.slot == item.row["slot"]?.integer)
    }

    @Test("every name of the list is among the expected ones")
    func names() throws {
        let names = try Fixture.text("S11/names.txt").split(separator: "\n").map(String.init)
        #expect(names == (try Fixture.list("S11/expect.json", "rows").compactMap { $0["name"]?.string }))
    }
}
