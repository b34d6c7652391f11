// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// A card, commands for it, and what must come of them.
struct FieldCase: Sendable, CustomTestStringConvertible {
    /// The case's id and what it is about.
    let name: String
    /// The text of the card's file.
    let card: String
    let commands: [String]
    /// Options of `send` besides.
    let options: [String]
    /// The commands that reach the card; nil when nothing is said of them.
    let wire: [String]?
    let results: [JSON]

    var testDescription: String { name }

    /// The exit status of `send`.
    var status: Int32 { results.contains { $0["error"] != nil } ? 3 : 0 }

    /// The cases that `send` plays: those of the field, and our own instances of them.
    static func all() throws -> [FieldCase] {
        var out: [FieldCase] = []
        for id in ["S01", "S02", "S03", "S07", "S08", "S09", "S29"] { out.append(try field(id)) }
        out.append(try field("S01", section: "raw_mode", options: ["--raw"]))
        out.append(try field("S04", options: ["--raw"]))
        out.append(try field("S13", options: ["--deadline", "5000ms"]))
        for name in try names("own") where name.hasSuffix(".json") {
            let document = try json("own/\(name)")
            guard let results = document["results"]?.array, let card = document["card"] else { continue }
            out.append(
                FieldCase(
                    name: String(name.dropLast(5)),
                    card: card.text,
                    commands: document["commands"]?.array?.compactMap(\.string) ?? [],
                    options: document["options"]?.array?.compactMap(\.string) ?? [],
                    wire: document["wire"]?.array?.compactMap(\.string),
                    results: results
                )
            )
        }
        return out
    }

    /// A case of the field, or a section of its expectations.
    static func field(_ id: String, section: String? = nil, options: [String] = []) throws -> FieldCase {
        let folder = try folder(of: id)
        let expectations = try json("\(folder)/expect.json")
        let expect = section.flatMap { expectations[$0] } ?? expectations
        return FieldCase(
            name: [id, section].compactMap { $0 }.joined(separator: " "),
            card: try text("\(folder)/card.json"),
            commands: try text("\(folder)/commands.txt").split(separator: "\n").map(String.init),
            options: options,
            wire: expect["wire"]?.array?.compactMap(\.string),
            results: expect["results"]?.array ?? []
        )
    }

    /// The folder of a case of the field.
    static func folder(of id: String) throws -> String {
        "cases/" + (try #require(try names("cases").first { $0.hasPrefix(id) }))
    }

    static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Taprig.fixture(folder)).sorted()
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: Taprig.fixture(name), encoding: .utf8)
    }

    static func json(_ name: String) throws -> JSON {
        try JSON(parsing: Array(try text(name).utf8))
    }

    /// Compares the document of `send --json` with what must come of the case.
    func judge(_ document: JSON, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let given = document["results"]?.array ?? []
        #expect(given.count == results.count, sourceLocation: sourceLocation)
        for (number, (result, wanted)) in zip(given, results).enumerated() {
            try judge(result, wanted, number: number + 1, sourceLocation)
        }
        guard let wire else { return }
        let sent = document["wire"]?.array?.compactMap { $0["c"]?.string } ?? []
        #expect(
            sent == wire.map { Self.isPINCommand($0) ? Self.masked($0) : $0 },
            sourceLocation: sourceLocation
        )
    }

    private func judge(_ result: JSON, _ wanted: JSON, number: Int, _ location: SourceLocation) throws {
        if let error = wanted["error"] {
            #expect(result["fault"] == error["class"], "result \(number)", sourceLocation: location)
            let detail = result["detail"]?.string ?? ""
            let words = error["detail"]?.string ?? ""
            #expect(detail.hasSuffix(words), "result \(number)", sourceLocation: location)
            return
        }
        #expect(result["fault"] == nil, "result \(number)", sourceLocation: location)
        #expect(result["sw"] == wanted["sw"], "result \(number)", sourceLocation: location)
        if let data = wanted["data"] {
            #expect(result["data"] == data, "result \(number)", sourceLocation: location)
        }
        if let count = wanted["data_len"]?.integer {
            let data = result["data"]?.string ?? ""
            #expect(data.count == 2 * count, sourceLocation: location)
            #expect(try Self.digest(hex: data) == wanted["data_sha256"]?.string, sourceLocation: location)
        }
        if let tries = wanted["tries_left"] {
            #expect(result["tries_left"] == tries, sourceLocation: location)
        }
    }

    /// SHA-256 of bytes, by a program that is not ours.
    private static func digest(hex: String) throws -> String {
        let folder = try TemporaryFolder()
        var bytes = Data()
        var rest = Substring(hex)
        while rest.count >= 2 {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        let path = try folder.write("bytes", bytes)
        return String(try ChildProcess("sha256sum", [path]).wait().output.prefix(64))
    }

    private static func isPINCommand(_ command: String) -> Bool {
        ["20", "24", "2C"].contains(command.dropFirst(2).prefix(2)) && command.count > 10
    }

    /// A command as the outputs show it: header and Lc, and stars.
    private static func masked(_ command: String) -> String {
        command.prefix(10) + String(repeating: "*", count: command.count - 10)
    }
}
