// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import Testing

@testable import PCSC

@Suite("PC/SC errors")
struct PCSCErrorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let row: JSON
        var testDescription: String { row["code"]?.string ?? "" }

        static func load() throws -> [Row] {
            try ["S15/expect.json", "S15/own-expect.json"].flatMap {
                try Fixture.list($0, "codes").map(Row.init)
            }
        }
    }

    @Test("become a sentence, a class and a hint", arguments: try Row.load())
    func sentence(_ item: Row) throws {
        let code = try #require(UInt32(item.testDescription, radix: 16))
        let error = PCSCError(call: "SCardTransmit", code: code, reader: "Virtual PCD 00 00")
        let fault = error.fault
        #expect(fault.kind.rawValue == item.row["cls"]?.string)
        #expect(fault.detail.contains(try #require(item.row["says"]?.string)))
        let hint = try #require(item.row["hint"]?.string)
        #expect(hint.isEmpty ? fault.hint.isEmpty : fault.hint.contains(hint))
        #expect(fault.code == code)
        #expect(fault.detail.contains("SCardTransmit: \(error.name), 0x\(item.testDescription)"))
        #expect(fault.detail.contains("'Virtual PCD 00 00'"))
    }

    @Test("every code of the table has one entry, a name and a sentence")
    func table() {
        let codes = PCSCErrorEntry.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        for entry in PCSCErrorEntry.all {
            #expect(entry.name.hasPrefix("SCARD_"))
            #expect(!entry.says.isEmpty && entry.says.last != ".")
        }
    }

    @Test("without a card the hint names the option that waits, and whole seconds are told as such")
    func waiting() {
        #expect(PCSCError(call: "SCardConnect", code: 0x8010_000C).fault.hint.contains("--wait DURATION"))
        let times: [Duration] = [.seconds(1), .seconds(10), .milliseconds(1500), .zero]
        #expect(times.map(\.rounded) == ["1 s", "10 s", "1500 ms", "0 ms"])
    }

    @Test("a code that no header names is a transport fault that shows the code")
    func unknown() {
        let error = PCSCError(call: "SCardConnect", code: 0x8010_0099)
        #expect(error.kind == .transport)
        #expect(error.description.contains("0x80100099"))
        #expect(PCSCError(call: "SCardConnect", code: 0x1F).codeText == "0x0000001F")
    }

    @Test("no service is a service fault where no socket is")
    func noSocket() {
        let error = PCSCError(call: "SCardEstablishContext", code: 0x8010_001D)
        #expect(error.faultOnHost(socketPath: "/nowhere/pcscd.comm").kind == .service)
    }
}
