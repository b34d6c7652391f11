// SPDX-License-Identifier: MIT

import JSONText
import SmartCard
import Testing

@testable import PCSC

@Suite("Choice of protocol")
struct ProtocolFallbackTests {
    private static let mute: UInt32 = 0x8010_0066
    private static let mismatch: UInt32 = 0x8010_000F

    /// Connects with a card that takes some sets of protocols, and tells what was tried.
    private func tries(
        atr: String,
        taking good: [CardProtocols],
        else code: UInt32 = mute
    ) throws -> (result: Result<CardProtocols, PCSCError>, tried: [CardProtocols]) {
        var tried: [CardProtocols] = []
        let bytes = try HexText.bytes(atr)
        do throws(PCSCError) {
            let chosen = try ProtocolFallback.connect(atr: bytes) { protocols throws(PCSCError) in
                tried.append(protocols)
                guard good.contains(protocols) else { throw PCSCError(call: "SCardConnect", code: code) }
                return protocols
            }
            return (.success(chosen), tried)
        } catch {
            return (.failure(error), tried)
        }
    }

    @Test("a card that offers T=0 alone is tried with T=0 and never with T=1")
    func fieldCase() throws {
        let given = try #require(try Fixture.json("S38/expect.json")["given"]?.string)
        #expect(given.contains("3B020405"))
        let (result, tried) = try tries(atr: "3B020405", taking: [.t0])
        #expect(try result.get() == .t0)
        #expect(tried == [.any, .t0])
        #expect(try result.get().name == "T=0")
    }

    @Test(
        "a card that offers both is tried in its own order",
        arguments: [
            ("3B80800101", [CardProtocols.any, .t0, .t1]), ("3B900080811F", [.any, .t0, .t1]),
            ("3B8131", [.any, .t1]),
            ("", [.any, .t1, .t0]), ("3B", [.any, .t1, .t0]),
        ]
    )
    func order(atr: String, expected: [CardProtocols]) throws {
        let (result, tried) = try tries(atr: atr, taking: [], else: Self.mismatch)
        #expect(throws: PCSCError(call: "SCardConnect", code: Self.mismatch)) { try result.get() }
        #expect(tried == expected)
    }

    @Test("a good first connect is not followed by another")
    func first() throws {
        #expect(try tries(atr: "3B020405", taking: [.any]).tried == [.any])
    }

    @Test(
        "errors that have nothing to do with protocols end the tries",
        arguments: [0x8010_000C, 0x8010_000B, 0x8010_001D]
    )
    func others(code: UInt32) throws {
        #expect(try tries(atr: "3B80800101", taking: [], else: code).tried == [.any])
    }

    @Test(
        "answers to reset offer",
        arguments: [
            ("3B020405", [CardProtocols.t0]), ("3B80800101", [.t0, .t1]), ("3B8131", [.t1]),
            ("3B8001", [.t1]),
            ("3BF011FF00811F", [.t1]), ("3BF011FF00", [.t0]), ("3B9F", [.t0]), ("3B80", [.t0]),
            ("3B800F", [.t0]), ("3B808F01", [.t1]),
        ]
    )
    func offers(atr: String, expected: [CardProtocols]) throws {
        #expect(CardProtocols.offered(by: try HexText.bytes(atr)) == expected)
    }
}
