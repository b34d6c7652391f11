// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Routes
import SmartCard
import Testing

/// A card's memory in a file.
@Suite struct CardStateFileTests {
    private let path: String
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("card.json").path
    }

    private func card(_ firmware: String = "4.12r", seed: UInt64 = 1) throws -> CardStateFile {
        let device = try EmulatorCatalog.make(
            target: "tangem",
            firmware: firmware,
            options: ["delay": "0s"],
            seed: seed,
            clock: ModelClock()
        )
        let memory = try #require(device.memory)
        return try CardStateFile(device.card, memory: memory, path: path)
    }

    /// READ of the card, whose answer names it and its wallet.
    private func read(_ card: CardStateFile) throws -> [UInt8] {
        card.powerOn()
        let pin = "91B4D142823F7D20C5F08DF69122DE43F35F057A988D9619F6D3138485C9A203"
        return card.respond(to: try HexText.bytes("00F20000000025" + "1020\(pin)230101")).bytes
    }

    @Test func `The next card of the file is the same one`() throws {
        let answer = try read(try card(seed: 1))
        #expect(answer.suffix(2) == [0x90, 0x00])
        // Another seed makes another card, unless the file says which it is.
        #expect(try read(try card(seed: 2)) == answer)
        try FileManager.default.removeItem(atPath: path)
        #expect(try read(try card(seed: 2)) != answer)
    }

    @Test func `One card alone lives in a file`() throws {
        let first = try card()
        let error = try #require(throws: EmulatorOptionError.self) { try card() }
        #expect("\(error)" == "another emulator lives in \(path); end it, or name another file")
        withExtendedLifetime(first) {}
    }

    @Test func `A change is in the file before its answer is out`() throws {
        let card = try card()
        card.powerOn()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let pin = "91B4D142823F7D20C5F08DF69122DE43F35F057A988D9619F6D3138485C9A203"
        // A wrong access code is counted.
        _ = card.respond(to: try HexText.bytes("00F20000000025" + "1020" + String(pin.reversed()) + "230101"))
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(before != after)
        #expect(String(decoding: after, as: UTF8.self).contains("\"pin1-failures\": 1"))
        #expect(card.trouble == nil)
    }

    @Test(arguments: ["", "no JSON", "{\"tangem-card\": 1}", "{\"tangem-card\": 1, \"profile\": \"4.12r\"}"])
    func `A damaged file is told in one sentence and left as it is`(_ text: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = try #require(throws: EmulatorOptionError.self) { try card() }
        #expect("\(error)".contains(path))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `A file of another profile, and a folder that is missing, are told`() throws {
        _ = try card("4.12r")
        let error = try #require(throws: EmulatorOptionError.self) { try card("6.33d") }
        #expect("\(error)".contains("profile '4.12r'"))
        try FileManager.default.removeItem(at: folder)
        #expect(throws: EmulatorOptionError.self) { try card() }
    }
}
