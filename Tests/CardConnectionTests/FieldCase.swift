// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import SmartCard
import Testing

/// A field case, or one of our own of the same kind, as its files tell it.
struct FieldCase: CustomTestStringConvertible {
    let like: String
    let testDescription: String
    let cardJSON: [UInt8]
    let commands: [[UInt8]]
    let reader: JSON?
    let expect: JSON

    /// The case of a folder and all of ours that are like it.
    static func load(_ kinds: String...) throws -> [FieldCase] {
        let root = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        var out = try kinds.map {
            try FieldCase(folder: root.appendingPathComponent("cases/\($0)"), like: $0)
        }
        let own = root.appendingPathComponent("own")
        for name in try FileManager.default.contentsOfDirectory(atPath: own.path).sorted() {
            let item = try FieldCase(file: own.appendingPathComponent(name))
            if kinds.contains(item.like) { out.append(item) }
        }
        return out
    }

    private init(folder: URL, like: String) throws {
        self.like = like
        testDescription = like
        cardJSON = Array(try Data(contentsOf: folder.appendingPathComponent("card.json")))
        let text = try String(contentsOf: folder.appendingPathComponent("commands.txt"), encoding: .utf8)
        commands = try text.split(whereSeparator: \.isNewline).map { try HexText.bytes($0) }
        expect = try Self.json(folder.appendingPathComponent("expect.json"))
        let readerFile = folder.appendingPathComponent("reader.json")
        reader = FileManager.default.fileExists(atPath: readerFile.path) ? try Self.json(readerFile) : nil
    }

    private init(file: URL) throws {
        let document = try Self.json(file)
        like = try #require(document["like"]?.string)
        testDescription = "\(like) \(file.lastPathComponent)"
        cardJSON = Array(try #require(document["card"]).text.utf8)
        commands = try #require(document["commands"]?.array).map { try HexText.bytes($0.string ?? "?") }
        reader = document["reader"]
        expect = try #require(document["expect"])
    }

    static func json(_ file: URL) throws -> JSON {
        try JSON(parsing: Array(try Data(contentsOf: file)))
    }

    func card() throws -> ScriptedCard {
        try ScriptedCard(json: cardJSON, name: "card.json")
    }

    func facts(for card: ScriptedCard) -> ConnectionFacts? {
        guard let reader else { return nil }
        return ConnectionFacts(
            readerName: reader["name"]?.string ?? "",
            atr: card.atr,
            protocolName: card.protocolName ?? "T=1",
            largestCommand: reader["max_command_bytes"]?.integer ?? 0,
            largestResponse: reader["max_response_bytes"]?.integer ?? 0
        )
    }

    /// The commands that must reach the card.
    func wire(_ section: JSON) throws -> [String] {
        try #require(section["wire"]?.array).map { $0.string ?? "?" }
    }

    /// Plays all commands through a connection and compares each result with what is expected.
    func play(on connection: any Connection, section: JSON, pollWhile word: String? = nil) throws {
        let results = try #require(section["results"]?.array)
        #expect(results.count == commands.count)
        for (command, expected) in zip(commands, results) {
            do throws(TransportFault) {
                var answer = try connection.transmit(command)
                while let word, answer.suffix(2).hex == word { answer = try connection.transmit(command) }
                check(answer, expected)
            } catch {
                let wanted = expected["error"]
                #expect(error.kind.rawValue == wanted?["class"]?.string, "\(command.hex): \(error)")
                #expect(error.detail.contains(wanted?["detail"]?.string ?? "?"), "\(command.hex): \(error)")
            }
        }
    }

    private func check(_ answer: [UInt8], _ expected: JSON) {
        #expect(expected["error"] == nil)
        #expect(answer.suffix(2).hex == expected["sw"]?.string)
        if let data = expected["data"]?.string {
            #expect(answer.dropLast(2).hex == data)
        } else {
            #expect(answer.count - 2 == expected["data_len"]?.integer)
        }
        if let left = expected["tries_left"]?.integer {
            #expect((try? ResponseAPDU(bytes: answer))?.sw.triesLeft == left)
        }
    }
}
