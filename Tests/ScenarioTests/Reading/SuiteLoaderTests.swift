// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Scenario

@Suite("Loading scenario files")
struct SuiteLoaderTests {
    /// A new folder with files in it, removed at the end.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loader-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files {
            let url = URL(filePath: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
        }
        try body(folder)
    }

    private func load(_ paths: [String], names: Set<String> = []) -> LoadedSuites {
        SuiteLoader(vocabulary: ReadingVocabulary.shared, externalNames: names).load(paths: paths)
    }

    private func scenario(_ name: String, _ more: String = "", step: String = "field: on") -> String {
        "rig: 1\nsuite: \(name)\ntarget: nbt\n\(more)cases:\n  - name: a\n    steps:\n      - \(step)\n"
    }

    @Test("a folder is searched, and what is no scenario left alone")
    func folders() throws {
        let files = [
            "taprig.yaml": "bench: rig.yaml\n", "b.yaml": scenario("b"), "a/z.yml": scenario("z"),
            "a/lib.yaml": "steps:\n  x:\n    - raed: 1\n", "bench.yaml": "readers: []\n",
            ".hidden/h.yaml": "wrong",
            "notes.txt": "text",
        ]
        try withFolder(files) { folder in
            let loaded = load([folder])
            #expect(loaded.mistakes == [])
            #expect(loaded.suites.map(\.file) == ["a/z.yml", "b.yaml"])
            #expect(load([folder, "\(folder)/b.yaml", "\(folder)/a/../b.yaml"]).suites.count == 2)
        }
    }

    @Test("what cannot be found is told in one sentence")
    func missing() throws {
        try withFolder(["empty/notes.txt": "", "taprig.yaml": ""]) { folder in
            let gone = load(["\(folder)/gone.yaml"])
            #expect(
                gone.mistakes.map(\.description) == [
                    "\(folder)/gone.yaml:1:1: there is no such file or folder"
                ]
            )
            #expect(gone.broken.map(\.suiteName) == ["gone"])
            #expect(
                load(["\(folder)/empty"]).mistakes.map(\.description) == [
                    "\(folder)/empty:1:1: there is no scenario in this folder; scenarios end with .yaml and start with "
                        + "'rig: 1'"
                ]
            )
        }
    }

    @Test("a library named by itself is checked")
    func libraries() throws {
        let files = [
            "taprig.yaml": "", "right.yaml": "steps:\n  x:\n    - select: FILE_1\n",
            "wrong.yaml": "steps:\n  x:\n    - select: FILE_9\n    - raed: 1\n",
        ]
        try withFolder(files) { folder in
            #expect(load(["\(folder)/right.yaml"]).mistakes == [])
            #expect(
                load(["\(folder)/wrong.yaml"]).mistakes.map(\.description) == [
                    "wrong.yaml:3:15: 'FILE_9' is neither hex nor a name of nbt; did you mean 'FILE_1'?",
                    "wrong.yaml:4:7: unknown verb 'raed'; did you mean 'read'?",
                ]
            )
        }
    }

    @Test("a project is the nearest folder with taprig.yaml, then with .git")
    func projects() throws {
        let lib = "steps:\n  x:\n    - field: on\n"
        let include = "include: [../../lib.yaml]\n"
        let files = [
            "outer/.git/HEAD": "", "outer/lib.yaml": lib,
            "outer/in/deep/s.yaml": scenario("s", include, step: "use: x"),
            "fenced/.git/HEAD": "", "fenced/lib.yaml": lib, "fenced/in/taprig.yaml": "",
            "fenced/in/deep/s.yaml": scenario("s", include, step: "use: x"),
        ]
        try withFolder(files) { folder in
            let loaded = load(["\(folder)/outer"])
            #expect(loaded.mistakes == [])
            #expect(loaded.suites.map(\.file) == ["in/deep/s.yaml"])
            #expect(
                load(["\(folder)/fenced"]).mistakes.first?.description
                    == "deep/s.yaml:4:11: '../../lib.yaml' leads out of the project; files of a scenario lie in the folder "
                    + "of its project"
            )
        }
    }

    @Test("a link does not lead out of the project")
    func links() throws {
        let files = [
            "in/taprig.yaml": "", "out.yaml": "steps: {}\n",
            "in/s.yaml": scenario("s", "include: [l.yaml]\n"),
        ]
        try withFolder(files) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/in/l.yaml",
                withDestinationPath: "../out.yaml"
            )
            #expect(load(["\(folder)/in/s.yaml"]).mistakes.map(\.position.column) == [11])
        }
    }

    @Test("names that come from outside count as defined")
    func externalNames() throws {
        try withFolder(["taprig.yaml": "", "s.yaml": scenario("s", step: "select: \"${from}\"")]) { folder in
            #expect(load(["\(folder)/s.yaml"]).mistakes.count == 1)
            #expect(load(["\(folder)/s.yaml"], names: ["from"]).mistakes == [])
        }
    }

    @Test("the settings of a project have whole paths, and mistakes with places")
    func settings() throws {
        let text = "bench: rigs/a.yaml\nout: build/runs\nlabels: { line: 3, site: north }\nbenhc: x\n"
        try withFolder(["taprig.yaml": text, "deep/er/x": ""]) { folder in
            let (settings, mistakes) = ProjectSettings.find(from: "\(folder)/deep/er")
            #expect(settings.bench?.hasSuffix("/rigs/a.yaml") == true)
            #expect(settings.out?.hasSuffix("/build/runs") == true)
            #expect(settings.out?.hasPrefix("/") == true)
            #expect(settings.labels.map { "\($0.key)=\($0.value)" } == ["line=3", "site=north"])
            #expect(
                mistakes.map(\.description) == [
                    "taprig.yaml:4:1: unknown key 'benhc' in the project's settings; did you mean 'bench'?"
                ]
            )
        }
    }

    @Test("files of options are resolved, and paths that leave the project refused")
    func fileOptions() throws {
        let text =
            "rig: 1\nsuite: s\ntarget: iso7816\noptions: { card: CARD }\ncases:\n  - name: a\n    steps:\n      - select: E103\n"
        let files = [
            "taprig.yaml": "", "cards/one.json": "{}",
            "s.yaml": text.replacingOccurrences(of: "CARD", with: "cards/one.json"),
            "t.yaml": text.replacingOccurrences(of: "CARD", with: "cards/two.json"),
        ]
        try withFolder(files) { folder in
            let loaded = load([folder])
            #expect(loaded.suites.first?.options["card"]?.hasSuffix("/cards/one.json") == true)
            #expect(
                loaded.mistakes.map(\.description)
                    == [
                        "t.yaml:4:18: the file 'cards/two.json' is not there; paths count from the scenario's folder"
                    ]
            )
        }
    }

    @Test("calls that multiply are refused before they fill the memory")
    func multiplyingCalls() throws {
        var lib = "steps:\n  s0:\n    - field: on\n"
        for level in 1...30 { lib += "  s\(level):\n    - use: s\(level - 1)\n    - use: s\(level - 1)\n" }
        let files = [
            "taprig.yaml": "", "lib.yaml": lib,
            "s.yaml": scenario("s", "include: [lib.yaml]\n", step: "use: s30"),
        ]
        try withFolder(files) { folder in
            let loaded = load(["\(folder)/s.yaml"])
            #expect(loaded.mistakes.first?.message.contains("more than 200000 steps") == true)
        }
    }

    @Test("calls nest to a depth that no stack minds")
    func deepCalls() throws {
        var lib = "steps:\n  s0:\n    - field: on\n"
        for level in 1...20_000 { lib += "  s\(level):\n    - use: s\(level - 1)\n" }
        let files = [
            "taprig.yaml": "", "lib.yaml": lib,
            "s.yaml": scenario("s", "include: [lib.yaml]\n", step: "use: s20000"),
        ]
        try withFolder(files) { folder in
            let told = load(["\(folder)/s.yaml"]).mistakes.map(\.message)
            #expect(told == ["calls of 'use' are nested deeper than 32 levels here"])
        }
    }

    @Test("a file that is too long is told, not read")
    func longFile() throws {
        let long = String(repeating: "# 34567\n", count: 262_144)
        try withFolder(["taprig.yaml": "", "long.yaml": long]) { folder in
            let loaded = load([folder])
            #expect(
                loaded.mistakes.map(\.description) == [
                    "long.yaml:1:1: the file is longer than 1 MiB (1048576 bytes); split it into several suites"
                ]
            )
            #expect(loaded.broken.map(\.suiteName) == ["long"])
        }
    }

    @Test("ten thousand unknown keys are all told")
    func manyMistakes() throws {
        let keys = (0..<10_000).map { "        key\($0): 1\n" }.joined()
        let told = ReadingFixtures.mistakes(scenario("s") + keys)
        #expect(told.count == 10_000)
        #expect(told.first?.hasPrefix("8:9: unknown key 'key0' in a step") == true)
        #expect(told.last == "10007:9: unknown key 'key9999' in a step")
    }

    @Test("whatever is done to a scenario, it is read or refused")
    func mutations() throws {
        let original = Array(try ReadingFixtures.text("examples/nbt/led.yaml").utf8)
        let pieces: [[UInt8]] = [
            "{", "}", "[", "]", ": ", "\n", "- ", "\"", "${", "}", "&a ", "*a", "!", "\t", "#", "\u{0}", "é",
        ]
        .map { Array($0.utf8) }
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var refused = 0
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0...next(3) {
                let at = next(bytes.count)
                switch next(4) {
                case 0: bytes[at] = UInt8(next(256))
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + next(40)))
                case 2: bytes.insert(contentsOf: pieces[next(pieces.count)], at: at)
                default:
                    let from = next(bytes.count)
                    bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + next(60))], at: at)
                }
            }
            let (suite, mistakes) = ReadingFixtures.read(bytes)
            #expect((suite == nil) == !mistakes.isEmpty)
            if suite == nil { refused += 1 }
            let isPlaced = mistakes.allSatisfy { $0.position.line >= 1 && $0.position.column >= 1 }
            #expect(isPlaced)
        }
        #expect(refused > 1000)
    }
}
