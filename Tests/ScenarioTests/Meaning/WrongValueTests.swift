// SPDX-License-Identifier: MIT

import Testing

@testable import Scenario

@Suite("Values that steps would not take")
struct WrongValueTests {
    private let suite: Suite

    init() throws {
        let loaded = ReadingFixtures.load(["deep.yaml"], in: "include")
        #expect(loaded.mistakes == [])
        suite = try #require(loaded.suites.first)
    }

    private func look(
        at cases: [TestCase],
        mostLooks: Int = VariableResolver.mostLooks
    ) -> (mistakes: [String], looks: Int) {
        var check = KnownValueCheck()
        let mistakes = VariableResolver(seed: 1).wrongValues(
            of: suite,
            cases: cases.map { ($0, $0.rows) },
            dictionary: nil,
            mostLooks: mostLooks,
            check: &check
        )
        return (mistakes.map(\.description), check.looks)
    }

    @Test("a call that was followed in this row is not followed again")
    func calls() throws {
        let found = look(at: [try #require(suite.cases.first)])
        // Of each row: three steps, and for each of two values six libraries with four steps and one with two.
        #expect(found.looks == 4 * (3 + 2 * (6 * 4 + 2)))
        #expect(
            found.mistakes == [
                "lib/deep.yaml:7:25: ${p}: 'n' begins no number such as 16 or 0x10 (with x=no)"
            ]
        )
    }

    @Test("the names of a call are found without following each call in it")
    func names() throws {
        let use = NameUse(of: suite.cases, in: suite)
        #expect(use.asked.keys.sorted() == ["x"])
    }

    @Test("literals in the call of a library are checked, though the case has no other names")
    func literals() throws {
        let found = look(at: [try #require(suite.cases.last)])
        #expect(found.mistakes == ["lib/deep.yaml:7:25: ${p}: 'n' begins no number such as 16 or 0x10"])
    }

    @Test("after very many steps and rows the others are left to the run, but each case is begun")
    func budget() throws {
        var large = try #require(suite.cases.first)
        large.rows = (0..<1000).map { MatrixRow(values: [.init(key: "x", text: "\($0)")]) }
        let last = try #require(suite.cases.last)
        let found = look(at: [large, last], mostLooks: 2000)
        #expect(found.looks == 2000 + 3)
        #expect(found.mistakes.count == 1)
    }
}
