// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

/// A card on the bench: data objects in, data objects out, its time on a modelled clock.
final class CardBench {
    let card: TangemCard
    let clock = ModelClock()
    var pin1 = CardBench.defaultPIN1
    var pin2 = CardBench.defaultPIN2
    /// How often the last command was answered by 9789, and what those answers told, in hundredths of a second.
    private(set) var pauses: [Int] = []

    static let defaultPIN1 = bytes("91B4D142823F7D20C5F08DF69122DE43F35F057A988D9619F6D3138485C9A203")
    static let defaultPIN2 = bytes("2AC9A6746ACA543AF8DFF39894CFE8173AFBA21EB01C6FAE33D52947222855EF")
    static let newPIN = [UInt8](repeating: 0xA5, count: 32)
    static let challenge = bytes("AEB2E12242EDAAFF1A086482B614E453")

    init(_ firmware: String = "4.12r", _ options: [String: String] = [:], seed: UInt64 = 7) throws {
        card = try TangemCard(firmware: firmware, options: options, seed: seed, clock: clock)
        card.powerOn()
    }

    var cardID: [UInt8] { card.cardID ?? [] }

    /// Sends whole bytes once.
    func raw(_ command: [UInt8]) -> Answer {
        let answer = card.respond(to: command)
        clock.wait(answer.time)
        return Answer(answer)
    }

    /// Sends a command once; the length is always written in three bytes, and no Le follows.
    func once(
        _ instruction: TangemInstruction,
        _ items: [(TangemTag, [UInt8])],
        p1: UInt8 = 0,
        p2: UInt8 = 0
    ) -> Answer {
        raw(Self.apdu(instruction, items, p1: p1, p2: p2))
    }

    /// Sends a command until the card no longer asks for a pause.
    func send(_ instruction: TangemInstruction, _ items: [(TangemTag, [UInt8])], p1: UInt8 = 0) -> Answer {
        poll(Self.apdu(instruction, items, p1: p1))
    }

    func poll(_ command: [UInt8]) -> Answer {
        pauses = []
        while true {
            let answer = raw(command)
            guard answer.sw == "9789", pauses.count < 1000 else { return answer }
            pauses.append(answer[.pause]?.number ?? -1)
        }
    }

    /// What most commands begin with.
    var access: [(TangemTag, [UInt8])] { [(.pin, pin1), (.cardID, cardID)] }
    /// The same with the passcode.
    var fullAccess: [(TangemTag, [UInt8])] { [(.pin, pin1), (.pin2, pin2), (.cardID, cardID)] }

    func read(_ more: [(TangemTag, [UInt8])] = []) -> Answer {
        send(.read, [(.pin, pin1), (.interactionMode, [1])] + more)
    }

    func createWallet(_ curve: String = "secp256k1", index: UInt8 = 0) -> Answer {
        send(
            .createWallet,
            fullAccess + [
                (.settingsMask, [0, 0, 0, 1]), (.curve, Array(curve.utf8) + [0]), (.signingMethod, [0x81]),
                (.walletIndex, [index]),
            ]
        )
    }

    func signItems(_ hashes: [[UInt8]], index: UInt8 = 0) -> [(TangemTag, [UInt8])] {
        fullAccess + [
            (.transactionOutHashSize, [UInt8(hashes.first?.count ?? 0)]),
            (.transactionOutHash, hashes.flatMap { $0 }), (.walletIndex, [index]),
        ]
    }

    func sign(_ hashes: [[UInt8]], index: UInt8 = 0, _ more: [(TangemTag, [UInt8])] = []) -> Answer {
        send(.sign, signItems(hashes, index: index) + more)
    }

    func purge(index: UInt8 = 0) -> Answer {
        send(.purgeWallet, fullAccess + [(.walletIndex, [index])])
    }

    /// Takes the power away and gives it back.
    func powerCycle() {
        card.powerOff()
        card.powerOn()
    }

    static func apdu(
        _ instruction: TangemInstruction,
        _ items: [(TangemTag, [UInt8])],
        p1: UInt8 = 0,
        p2: UInt8 = 0
    ) -> [UInt8] {
        apdu(instruction, body: list(items), p1: p1, p2: p2)
    }

    static func apdu(_ instruction: TangemInstruction, body: [UInt8], p1: UInt8 = 0, p2: UInt8 = 0)
        -> [UInt8]
    {
        let header = [0, instruction.rawValue, p1, p2]
        guard !body.isEmpty else { return header }
        return header + [0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }

    /// Writes data objects; not the card's own writer.
    static func list(_ items: [(TangemTag, [UInt8])]) -> [UInt8] {
        items.flatMap { tag, value in
            let long = [0xFF, UInt8(value.count >> 8), UInt8(value.count & 0xFF)]
            return [tag.rawValue] + (value.count < 255 ? [UInt8(value.count)] : long) + value
        }
    }

    /// Reads hex text that a test was written with.
    static func bytes(_ hex: String) -> [UInt8] {
        do {
            return try HexText.bytes(hex)
        } catch {
            Issue.record("'\(hex)' is no hex text")
            return []
        }
    }

    /// The vectors of this target.
    static func vectors(_ kind: String? = nil) throws -> [JSON] {
        let root = try #require(Bundle.module.resourceURL)
        let bytes = Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/vectors.json")))
        let all = try #require(try JSON(parsing: bytes).array)
        return kind.map { kind in all.filter { $0["kind"]?.string == kind } } ?? all
    }

    static func vector(_ name: String) throws -> JSON {
        try #require(try vectors().first { $0["name"]?.string == name })
    }
}

/// An answer as a test looks at it.
struct Answer {
    let data: [UInt8]
    /// Status word as hex, or `removed` and `mute` for answers that do not come.
    let sw: String
    let time: Duration

    init(data: [UInt8], sw: String, time: Duration) {
        self.data = data
        self.sw = sw
        self.time = time
    }

    init(_ answer: CardAnswer) {
        time = answer.time
        guard answer.ending == .answered, answer.bytes.count >= 2 else {
            data = []
            sw = answer.ending == .removed ? "removed" : "mute"
            return
        }
        data = Array(answer.bytes.dropLast(2))
        sw = answer.bytes.suffix(2).hex
    }

    /// The objects in their order; a broken list ends where it breaks.
    var items: [(tag: UInt8, value: [UInt8])] { Self.items(of: data) }

    static func items(of data: [UInt8]) -> [(tag: UInt8, value: [UInt8])] {
        var out: [(tag: UInt8, value: [UInt8])] = []
        var index = 0
        while index + 1 < data.count {
            let tag = data[index]
            var length = Int(data[index + 1])
            index += 2
            if length == 0xFF, index + 1 < data.count {
                length = Int(data[index]) << 8 | Int(data[index + 1])
                index += 2
            }
            guard index + length <= data.count else { break }
            out.append((tag, Array(data[index..<index + length])))
            index += length
        }
        return out
    }

    subscript(tag: TangemTag) -> [UInt8]? { items.first { $0.tag == tag.rawValue }?.value }

    func all(_ tag: TangemTag) -> [[UInt8]] { items.filter { $0.tag == tag.rawValue }.map(\.value) }

    /// The tags in their order.
    var tags: [String] { items.map { [$0.tag].hex } }
}

extension [UInt8] {
    var number: Int { reduce(0) { $0 << 8 | Int($1) } }
    /// Text without its NUL.
    var text: String { String(decoding: filter { $0 != 0 }, as: UTF8.self) }
}

extension JSON {
    /// The bytes of a hex text in a vector.
    func vectorBytes(_ key: String) throws -> [UInt8] {
        try HexText.bytes(try #require(self[key]?.string))
    }
}
