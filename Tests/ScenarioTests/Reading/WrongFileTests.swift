// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Scenario

/// A wrong scenario of the fixtures, with all that is to be said about it.
struct WrongFile: CustomTestStringConvertible {
    let name: String

    var testDescription: String { name }

    static var all: [WrongFile] {
        let folder = "\(ReadingFixtures.folder)/wrong"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { WrongFile(name: $0) }
    }
}

@Suite("Wrong scenarios")
struct WrongFileTests {
    /// Set `RECORD_FIXTURES` to write the texts anew, and review the difference.
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil

    @Test("every mistake is told in one sentence with its place", arguments: WrongFile.all)
    func tellsAll(_ file: WrongFile) throws {
        let loaded = ReadingFixtures.load([file.name], in: "wrong")
        let told = loaded.mistakes.map { $0.description + "\n" }.joined()
        let textName = file.name.replacingOccurrences(of: ".yaml", with: ".txt")
        if Self.isRecording {
            try told.write(
                toFile: "\(ReadingFixtures.sourceFolder)/wrong/\(textName)",
                atomically: true,
                encoding: .utf8
            )
        }
        let expected = Self.isRecording ? told : try ReadingFixtures.text("wrong/\(textName)")
        #expect(told == expected)
        #expect(loaded.suites.isEmpty)
        #expect(loaded.broken.map(\.file) == [file.name])
    }

    @Test("there are wrong files to read")
    func hasFiles() {
        #expect(WrongFile.all.count >= 12)
    }

    @Test("mistakes of several files come in their order, each once")
    func severalFiles() {
        let loaded = ReadingFixtures.load(["target.yaml", "no-cases.yaml", "target.yaml"], in: "wrong")
        let places = loaded.mistakes.map { "\($0.position)" }
        #expect(places == ["target.yaml:3:9", "target.yaml:7:9", "no-cases.yaml:5:1"])
        #expect(loaded.broken.map(\.suiteName) == ["nbt.target", "nbt.none"])
    }
}
