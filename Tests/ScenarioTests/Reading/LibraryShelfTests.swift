// SPDX-License-Identifier: MIT

import Testing

@testable import Scenario

@Suite("Files of shared steps")
struct LibraryShelfTests {
    @Test("a file of steps goes when nobody needs it any more")
    func lifetime() throws {
        weak var file: LibraryShelf.File?
        var names: [String] = []
        try {
            let text = Array("steps:\n  a:\n    - field: on\n".utf8)
            let root = try #require(
                YAMLReader.read(text, file: "lib.yaml", mistakes: MistakeCollector()).root
            )
            let shelf = LibraryShelf(vocabulary: ReadingVocabulary.shared)
            let place = ScenarioPlace("lib.yaml", resolved: "/nowhere/lib.yaml", project: nil)
            let added = shelf.add(root, place: place)
            file = added
            names = added.visible().keys.sorted()
        }()
        #expect(names == ["a"])
        #expect(file == nil)
    }
}
