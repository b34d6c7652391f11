// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import SmartCard
import Testing

@testable import ForeignScript

/// A field case: a source and what must be found in it.
struct ImportCase: CustomTestStringConvertible, Sendable {
    let folder: String
    let file: String

    var testDescription: String { "\(folder)/\(file)" }

    static let all = [
        ImportCase(folder: "S44-import-scriptor-gscriptor-script", file: "tag.scriptor"),
        ImportCase(folder: "S45-import-opensc-tool-s-command-line", file: "terminal.txt"),
        ImportCase(folder: "S46-import-apdutool-scr-script", file: "tag.scr"),
        ImportCase(folder: "S47-import-globalplatformpro-d-log", file: "gp.log"),
        ImportCase(folder: "S48-import-apdu4j-dump-pairs-of-lines", file: "tag.dump"),
        ImportCase(folder: "S54-import-gpshell-script", file: "card.gpshell"),
    ]

    static func bytes(_ folder: String, _ file: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/cases/\(folder)/\(file)")
        return Array(try Data(contentsOf: url))
    }

    func script() throws -> ForeignScript { try ForeignScript.read(Self.bytes(folder, file), name: file) }

    func expected() throws -> JSON { try JSON(parsing: Self.bytes(folder, "expect.json")) }
}

@Suite("Scripts and logs of other tools: field cases")
struct ForeignScriptCaseTests {
    @Test("each source gives the steps or exchanges of its case", arguments: ImportCase.all)
    func plays(_ item: ImportCase) throws {
        let script = try item.script()
        let expected = try item.expected()
        if let steps = expected["steps"]?.array {
            // `exit` ends a scriptor file: it is no action, but a note tells what stands behind it.
            let wanted = steps.compactMap(\.string).filter { $0 != "exit" }
            #expect(script.actions.map(word) == wanted)
        }
        if let exchanges = expected["exchanges"]?.array {
            let found = script.actions.compactMap { action -> String? in
                guard case .command(let command, let answer?) = action.kind else { return nil }
                return "\(command.hex) \(answer.hex)"
            }
            #expect(found == exchanges.map { "\($0["c"]?.string ?? "") \($0["r"]?.string ?? "")" })
            let times = exchanges.compactMap { $0["ms"]?.integer }
            if !times.isEmpty {
                #expect(script.actions.compactMap(\.duration) == times.map { .milliseconds($0) })
            }
        }
        if let atr = expected["atr"]?.string { #expect(script.atr?.hex == atr) }
        if let name = expected["protocol"]?.string { #expect(script.protocolName == name) }
        if let reader = expected["reader"]?.string { #expect(script.readerName == reader) }
        if let lines = expected["ignored_lines"]?.array {
            #expect(script.notes.map(\.line) == lines.compactMap(\.integer))
        }
    }

    private func word(_ action: ForeignScript.Action) -> String {
        switch action.kind {
        case .connect: action.line == 1 || action.line == 2 ? "powerup" : "connect"
        case .reset: "reset"
        case .disconnect: action.line == 7 ? "powerdown" : "disconnect"
        case .command(let bytes, _): bytes.hex
        }
    }

    @Test("an opensc-tool command line alone gives its commands")
    func commandLine() throws {
        let text = String(
            decoding: try ImportCase.bytes("S45-import-opensc-tool-s-command-line", "terminal.txt"),
            as: UTF8.self
        )
        let first = try #require(text.split(separator: "\n").first)
        let script = try ForeignScript.read(Array(first.utf8), name: "line.txt")
        #expect(script.commands.map(\.hex) == ["00A4040007D276000085010100", "00A4000C02E104", "00B0000012"])
        #expect(script.notes.contains { $0.text.contains("may hide GET RESPONSE") })
    }

    @Test("a dump with a command left over is refused with its line")
    func unpaired() throws {
        let bytes = try ImportCase.bytes("S48-import-apdu4j-dump-pairs-of-lines", "bad.dump")
        let error = try #require(throws: ForeignScriptError.self) {
            try ForeignScript.read(bytes, name: "bad.dump")
        }
        #expect(error.line == 16)
        #expect(error.description == "bad.dump:16:1: unpaired command: the answer line is missing")
    }
}

@Suite("Words that scriptor does not know")
struct ScriptorWordTests {
    @Test("are named as such, with those that it knows", arguments: ["wait 5", "Sleep 00A4", "power"])
    func unknown(_ line: String) throws {
        let error = try #require(throws: ForeignScriptError.self) {
            try ForeignScript.read(Array("reset\n\(line)\n".utf8), name: "a.scriptor")
        }
        #expect(error.line == 2)
        let word = line.lowercased().prefix { $0 != " " }
        #expect(error.message.hasPrefix("unknown word '\(word)'; reset and exit are known"))
    }

    @Test("hex that was mistyped stays hex", arguments: ["00ZZ0000", "0x 00 A4", "AG00"])
    func hex(_ line: String) throws {
        let error = try #require(throws: ForeignScriptError.self) {
            try ForeignScript.read(Array("reset\n\(line)\n".utf8), name: "a.scriptor")
        }
        #expect(!error.message.contains("unknown word"))
    }
}

@Suite("Scripts and logs of other tools: more of the same kinds")
struct ForeignScriptVariantTests {
    /// A source in one format, and the commands that it holds.
    struct Variant: CustomTestStringConvertible, Sendable {
        let format: ScriptFormat
        let text: String
        let commands: [String]

        var testDescription: String { "\(format.rawValue): \(text.prefix(30))" }
    }

    @Test(
        "the same kinds in other shapes",
        arguments: [
            Variant(
                format: .scriptor,
                text: "00 a4 00 00\r\nRESET\r\n80:10:00:01",
                commands: ["00A40000", "80100001"]
            ),
            Variant(format: .scriptor, text: "00 D6 00 00 02 \\\nAA \\\nBB\n", commands: ["00D6000002AABB"]),
            Variant(
                format: .openscTool,
                text: "opensc-tool --send-apdu '00:B0:00:00:02'",
                commands: ["00B0000002"]
            ),
            Variant(
                format: .openscTool,
                text: "Sending: 00 B0 00 00 01 \nReceived (SW1=0x69, SW2=0x86)",
                commands: ["00B0000001"]
            ),
            Variant(
                format: .apdutool,
                text: "powerup; 0x00 0xA4 0x04 0x00 0x00 0x7F; powerdown;",
                commands: ["00A404007F"]
            ),
            Variant(
                format: .apdutool,
                text: "0x80 0x10 0x00 0x00 0x02\n 0xAA 0xBB // data\n 0x00;",
                commands: ["8010000002AABB00"]
            ),
            Variant(
                format: .globalPlatformPro,
                text: "A>> T=0 (4+0000) 00B00000 02\nA<< (0002+2) (1ms) 0102 9000",
                commands: ["00B0000002"]
            ),
            Variant(
                format: .globalPlatformPro,
                text: "A>> T=1 (4+0000) 80CA9F7F 00\nnoise\nA<< (0000+2) (3ms) 6A88",
                commands: ["80CA9F7F00"]
            ),
            Variant(format: .apdu4j, text: "00a40400\n6a82\n", commands: ["00A40400"]),
            Variant(format: .apdu4j, text: "# ATR: 3B 00\n\n80100000\n0000\n", commands: ["80100000"]),
            Variant(format: .gpShell, text: "select -AID A000000003\n", commands: ["00A4040005A00000000300"]),
            Variant(
                format: .gpShell,
                text: "// x\nsend_apdu_nostop -sc 0 -APDU 80CA006600\nprint_payload_result",
                commands: ["80CA006600"]
            ),
        ]
    )
    func variants(_ item: Variant) throws {
        let script = try ForeignScript.read(Array(item.text.utf8), name: "x", format: item.format)
        #expect(script.commands.map(\.hex) == item.commands)
    }

    @Test(
        "what cannot be read is refused with its line and the reason",
        arguments: [
            (ScriptFormat.scriptor, "00 A4 00 00 # select", "x:1:13: '#' is not a hex digit"),
            (.scriptor, "00 A4 04 \\", "x:1:1: the line goes on with '\\', but the file ends"),
            (.scriptor, "exit\n00B0000001", "x: there is no command in it"),
            (
                .apdutool, "0x00 0xA4 0x00 0x00 0x05 0x01;",
                "x:1:1: Lc says 5 data bytes, but 1 byte follows it; each command of apdutool ends with ';'"
            ),
            (.apdutool, "0x00 0xA4 0x00 0x00", "x:1:1: ';' is missing at the end of the command"),
            (.globalPlatformPro, "A<< (0000+2) (1ms) 9000", "x:1:1: the answer has no command before it"),
            (
                .globalPlatformPro, "A>> T=1 (4+0000) 00B00000 02",
                "x:1:1: the command has no answer; the log ends"
            ),
            (.apdu4j, "00A40400\n90", "x:2:1: the answer has no status word"),
            (.gpShell, "open_sc -security 1", "x:1:1: secure channel lines are not imported"),
            (.gpShell, "send_apdu -sc 1 -APDU 00A40400", "x:1:1: secure channel lines are not imported"),
            (.scriptor, "reset\n  00 A4 0X 00", "x:2:10: 'X' is not a hex digit"),
            (
                .scriptor, "00 D6 00 00 02 \\\n AA \\\n  B",
                "x:3:3: one hex digit is no whole byte; two digits make a byte"
            ),
            (.scriptor, " 00 A4", "x:1:2: a command needs at least the 4 bytes CLA INS P1 P2, here are 2"),
            (.apdutool, "powerup; 0x00 0xA4\n  0x00 0xG0;", "x:2:10: 'G' is not a hex digit"),
            (.apdutool, "powerup;\npowerdown; 0x00 0xA4", "x:2:12: ';' is missing at the end of the command"),
            (.gpShell, "send_apdu -sc 0 -APDU 00Q40400", "x:1:25: 'Q' is not a hex digit"),
            (.globalPlatformPro, "A>> T=1 (4+0000) 00B0000Z", "x:1:25: 'Z' is not a hex digit"),
            (.apdu4j, "# ATR: 3BX0\n00A40400\n9000", "x:1:10: 'X' is not a hex digit"),
            (.openscTool, "opensc-tool -s '00 B0 X0 00 02'", "x:1:23: 'X' is not a hex digit"),
            (.openscTool, "opensc-tool -s", "x:1:1: -s has no APDU behind it"),
        ] as [(ScriptFormat, String, String)]
    )
    func refusals(_ format: ScriptFormat, _ text: String, _ message: String) {
        let error = #expect(throws: ForeignScriptError.self) {
            try ForeignScript.read(Array(text.utf8), name: "x", format: format)
        }
        #expect(error?.description == message)
    }

    @Test("any bytes at all are read or refused, never a crash")
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        let words = [
            "0x00 ", "A>> T=1 (", ")", "\\\n", ";", "reset\n", "Received (SW1=0x", "=", "# ATR:",
            "opensc-tool -s \"", "\n",
        ]
        var read = 0
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? words.randomElement(using: &generator) ?? ""
                    : String(UInt8.random(in: 0...255, using: &generator), radix: 16)
            }.joined()
            for format in ScriptFormat.allCases {
                if (try? ForeignScript.read(Array(text.utf8), name: "x", format: format)) != nil { read += 1 }
            }
        }
        #expect(read > 0)
    }
}
