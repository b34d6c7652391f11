// SPDX-License-Identifier: MIT

import Testing

@testable import Scenario

@Suite("Use of names")
struct NameUseTests {
    private func use(_ steps: String, header: String = "") throws -> NameUse {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        let text =
            "rig: 1\nsuite: t\ntarget: nbt\nsecrets: [pin, puk]\n\(header)cases:\n  - name: a\n    steps:\n\(lines)"
        let (suite, mistakes) = ReadingFixtures.read(Array(text.utf8))
        #expect(mistakes == [])
        let whole = try #require(suite)
        return NameUse(of: whole.cases, in: whole)
    }

    @Test(
        "a name is asked for wherever a step may hold it",
        arguments: [
            "- send: \"00${pin}\"", "- log: x\n  if: ${pin} == 1",
            "- read: { file: FILE_1 }\n  expect: { data: \"${pin}\" }",
            "- read: { file: FILE_1 }\n  expect: { wire: [{ sw: 9000 }, { data: \"${pin}\" }] }",
            "- read: { file: FILE_1 }\n  poll: { max: 1s, until: { data: \"${pin}\" } }",
            "- read: { file: FILE_1 }\n  poll: { max: 1s, until: { sw: 9000 }, between: [{ log: \"${pin}\" }] }",
            "- log: \"${pin}\"\n- log: \"${pin}\"\n  if: present ${pin}",
        ]
    )
    func asked(_ steps: String) throws {
        let use = try use(steps)
        #expect(use.asked.keys.sorted() == ["pin"])
        #expect(use.asked["pin"]?.file == "t.yaml")
    }

    @Test("a name behind 'present' is not asked for")
    func guarded() throws {
        let use = try use("- log: \"${pin}\"\n  if: present ${pin}\n- log: \"${puk}\"")
        #expect(use.asked.keys.sorted() == ["puk"])
        #expect(use.guarded == ["pin"])
    }

    @Test("variables ask for names, and captures are told with their place")
    func variables() throws {
        let use = try use(
            "- read: { file: FILE_1 }\n  capture: { seen: data }",
            header: "vars: { code: \"${puk}0\" }\n"
        )
        #expect(use.asked["puk"]?.description == "t.yaml:5:16")
        #expect(use.captured["seen"]?.line == 10)
    }
}
