// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import PCSC
import SmartCard
import Testing

@Suite("Reader selectors")
struct ReaderSelectorTests {
    struct Query: CustomTestStringConvertible, Sendable {
        let query: JSON
        let readers: [ReaderInfo]

        var selector: String {
            if let pattern = query["pattern"]?.string { return "pcsc:" + pattern }
            if let path = query["usb_path"]?.string { return "pcsc:usb=" + path }
            if let serial = query["serial"]?.string { return "pcsc:serial=" + serial }
            return "pcsc:atr=" + (query["atr"]?.string ?? "")
        }
        var testDescription: String { selector }

        static func load() throws -> [Query] {
            try ["", "own-"].flatMap { prefix in
                let readers = try Fixture.list("S10/\(prefix)readers.json").map { entry in
                    ReaderInfo(
                        name: entry["name"]?.string ?? "",
                        atr: try HexText.bytes(entry["atr"]?.string ?? ""),
                        serial: entry["serial"]?.string ?? "",
                        usbPath: entry["usb_path"]?.string
                    )
                }
                return try Fixture.list("S10/\(prefix)expect.json", "queries").map {
                    Query(query: $0, readers: readers)
                }
            }
        }
    }

    @Test("lead to one reader, or say why not", arguments: try Query.load())
    func choose(_ item: Query) throws {
        let selector = try ReaderSelector(item.selector)
        do throws(ReaderSelectionError) {
            let chosen = try selector.choose(from: item.readers)
            #expect(chosen.name.text == item.query["name"]?.string)
        } catch {
            switch error {
            case .ambiguous(_, let candidates):
                #expect(item.query["error"]?.string == "ambiguous")
                #expect(candidates.count == item.query["candidates"]?.integer)
                for candidate in candidates { #expect(error.description.contains("'\(candidate)'")) }
            case .noMatch(_, let known, _):
                #expect(item.query["error"]?.string == "no-match")
                #expect(known.count == item.query["known"]?.integer)
                for name in known { #expect(error.description.contains("'\(name)'")) }
            }
        }
    }

    @Test("none of no readers is told as no reader at all")
    func noReaders() throws {
        let selector = try ReaderSelector("pcsc:ACR")
        let error = #expect(throws: ReaderSelectionError.self) { try selector.choose(from: []) }
        #expect(error?.fault.kind == .noReader)
        #expect(error?.description.contains("no reader is plugged in") == true)
    }

    @Test("a card that no reader holds is a missing card")
    func noCard() throws {
        let selector = try ReaderSelector("atr=3B00")
        let error = #expect(throws: ReaderSelectionError.self) {
            try selector.choose(from: [ReaderInfo(name: "Reader 00 00")])
        }
        #expect(error?.fault.kind == .noCard)
    }

    @Test(
        "what can fit nothing is refused",
        arguments: [
            "serial=", "usb=", "atr=", "atr=3", "atr=3G", "atr=xx3", "atr=*", "pcsc:atr=3B0", "pcsc:serial=",
        ]
    )
    func refused(text: String) {
        #expect(throws: ReaderSelectorError.self) { try ReaderSelector(text) }
    }

    @Test(
        "stars and question marks fit whole names",
        arguments: [
            ("*", true), ("Virtual*", true), ("*00", true), ("V*P*0", true), ("Virtual PCD 0? 00", true),
            ("virtual ?cd*", true),
            ("*PCD", false), ("?", false), ("Virtual PCD 00 00?", false), ("**00 00**", true),
            ("*00*00*00*00*", false),
        ]
    )
    func globs(pattern: String, fits: Bool) throws {
        let readers = [ReaderInfo(name: "Virtual PCD 00 00")]
        #expect(try ReaderSelector(pattern).candidates(in: readers).isEmpty == !fits)
    }
}
