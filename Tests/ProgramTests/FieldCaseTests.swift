// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("Field cases in process")
struct FieldCaseTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Options that put a scripted card in process.
    private func card(_ text: String) throws -> [String] {
        [
            "--via", "emulator", "--target", "iso7816", "--option",
            "card=\(try folder.write("card.json", text))",
        ]
    }

    @Test("play as they must", arguments: try FieldCase.all())
    func play(_ item: FieldCase) throws {
        // Commands come from a file: arguments with a PIN are warned of.
        let script = try folder.write("commands.txt", item.commands.joined(separator: "\n") + "\n")
        let ending = try Taprig.start(
            ["send", "--json", "-f", script] + item.options + (try card(item.card))
        ).wait()
        #expect(ending.status == item.status)
        try item.judge(try ending.json())
    }

    @Test("S04: a script with its own GET RESPONSE is warned of, with its line, unless it is sent as it is")
    func ownGetResponse() throws {
        let item = try FieldCase.field("S04")
        let script = try folder.write("script.txt", "# a comment\n" + item.commands.joined(separator: "\n"))
        let followed = try Taprig.start(["send", "-f", script] + (try card(item.card))).wait()
        #expect(followed.status == 0)
        #expect(
            followed.sentence?.hasPrefix("warning: \(script):3:1: the script has its own GET RESPONSE")
                == true
        )
        let raw = try Taprig.start(["send", "--raw", "-f", script] + (try card(item.card))).wait()
        #expect(raw.errors.isEmpty)
    }

    @Test("S05: each spelling reaches the card as the same bytes")
    func spellings() throws {
        let folderName = try FieldCase.folder(of: "S05")
        let lines = try FieldCase.json("\(folderName)/expect.json")["lines"]?.array ?? []
        #expect(lines.count == 12)
        try spellings("\(folderName)/forms.txt", lines.compactMap { $0["bytes"]?.string })
        for name in ["S05-more-forms", "S05-extended-forms"] {
            let bytes = try FieldCase.json("own/\(name).json")["lines"]?.array?.compactMap(\.string)
            try spellings("own/\(name).txt", try #require(bytes))
        }
    }

    private func spellings(_ name: String, _ bytes: [String]) throws {
        let script = Taprig.fixture(name)
        let ending = try Taprig.start(
            ["send", "--json", "--raw", "-f", script] + (try card("{\"rules\":[]}"))
        ).wait()
        #expect(ending.status == 0)
        let document = try ending.json()
        #expect(document["wire"]?.array?.compactMap { $0["c"]?.string } == bytes)
        #expect(document["results"]?.array?.allSatisfy { $0["sw"] == "6D00" } == true)
        // The same from standard input.
        let text = try FieldCase.text(name)
        let arguments = ["send", "--json", "--raw", "-"] + (try card("{\"rules\":[]}"))
        #expect(try Taprig.start(arguments, input: text).wait().json()["wire"] == document["wire"])
    }

    @Test("S25: a security delay is data for send, and three polls end it")
    func securityDelay() throws {
        let item = try FieldCase.field("S25")
        let script = try folder.write("commands.txt", item.commands.joined(separator: "\n"))
        let ending = try Taprig.start(
            ["send", "--json", "--repeat", "4", "-f", script] + (try card(item.card))
        ).wait()
        #expect(ending.status == 0)
        let document = try ending.json()
        #expect(document["wire"]?.array?.compactMap { $0["c"]?.string } == item.wire)
        let results = document["results"]?.array ?? []
        #expect(results.map { $0["sw"]?.string } == ["9789", "9789", "9789", "9000"])
        #expect(results.last?["data"] == item.results[0]["data"])
        #expect(results.first?["data"] == "1C0205DC")
    }
}
