// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@testable import DevKitEmulator

@Suite("Emulated probe: framings over TCP")
struct ProbeStreamTests {
    private static let hello = "8A656C700000000000010000"

    private func stream(_ options: [String: String] = [:]) throws -> ProbeStream {
        ProbeStream(probe: try ProbeBench(probe: options).probe)
    }

    @Test func `elaphureLink begins with a hello and a second word`() throws {
        var stream = try stream()
        #expect(stream.take(try HexText.bytes(Self.hello)).frames.map(\.hex) == [Self.hello])
        // A packet before the second word is refused.
        #expect(stream.take(try HexText.bytes("88010002 00F0")).frames.map(\.hex) == ["88010000"])
        #expect(stream.take(try HexText.bytes("88020000")).frames.map(\.hex) == ["88000000"])
        #expect(stream.take(try HexText.bytes("88010002 00F0")).frames.map(\.hex) == ["88000003000111"])
        #expect(stream.framingName == "elaphureLink")
    }

    @Test func `OpenOCD's framing has no hello`() throws {
        var stream = try stream()
        let outcome = stream.take(try HexText.bytes("444150000200010000F0"))
        #expect(outcome.frames.map(\.hex) == ["4441500003000200000111"])
        #expect(outcome.end == nil)
        #expect(stream.framingName == "OpenOCD's protocol")
    }

    @Test func `frames may come in any pieces`() throws {
        let bytes = try HexText.bytes(
            Self.hello + "88020000" + "8801000200F0" + "8801000200FE" + "8801000107"
        )
        var stream = try stream()
        let together = stream.take(bytes).frames
        var piecewise = try self.stream()
        let apart = bytes.flatMap { piecewise.take([$0]).frames }
        #expect(together == apart)
        #expect(together.map(\.hex) == [Self.hello, "88000000", "88000003000111", "880000030001" + "40"])
    }

    @Test(
        "what is neither framing ends the link",
        arguments: ["47", "8A656C71000000000000000000", "44415001020001", "4441500002000200"]
    )
    func foreign(bytes: String) throws {
        var stream = try stream()
        let outcome = stream.take(try HexText.bytes(bytes + "0000000000"))
        #expect(outcome.end == .notUnderstood)
        #expect(outcome.frames.isEmpty)
    }

    @Test func `a word that is no command of elaphureLink is refused or ends the link`() throws {
        var stream = try stream()
        let outcome = stream.take(try HexText.bytes(Self.hello + "88020000" + "88070000" + "89010000"))
        #expect(outcome.frames.last?.hex == "88010000")
        #expect(outcome.end == .notUnderstood)
    }

    @Test func `a probe that is pulled out ends the link`() throws {
        var stream = try stream(["probe-gone-after": "1"])
        let outcome = stream.take(try HexText.bytes("444150000200010000F0" + "444150000200010000F0"))
        #expect(outcome.frames.count == 1)
        #expect(outcome.end == .unplugged)
    }

    @Test func `any bytes at all are survived`() throws {
        var generator = SplitMix(seed: 7)
        for start in ["", Self.hello + "88020000", "444150000200010000F0"] {
            for _ in 0..<100 {
                var stream = try stream()
                _ = stream.take(try HexText.bytes(start))
                for _ in 0..<20 {
                    let length = Int.random(in: 0...40, using: &generator)
                    let end = stream.take(
                        (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    )
                    .end
                    #expect(end == nil || end == .notUnderstood)
                }
            }
        }
    }
}
