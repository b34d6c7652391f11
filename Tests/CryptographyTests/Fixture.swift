// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Files that the tests read.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return Array(try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)")))
    }

    static func decode<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(bytes(name)))
    }
}

/// One row of `wallet-card.json`.
struct WalletVector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    let input: [String: Value]
    let expected: [String: Value]

    var testDescription: String { name }

    static func load(_ kinds: String...) throws -> [WalletVector] {
        try Fixture.decode([WalletVector].self, "wallet-card.json").filter { kinds.contains($0.kind) }
    }

    enum Value: Decodable, Sendable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([String].self) {
                self = .list(list)
            } else {
                self = .other
            }
        }

        var text: String? {
            if case .text(let text) = self { text } else { nil }
        }

        var flag: Bool? {
            if case .flag(let flag) = self { flag } else { nil }
        }

        var number: Int? {
            if case .number(let number) = self { number } else { nil }
        }

        var list: [String]? {
            if case .list(let list) = self { list } else { nil }
        }
    }

    func inputBytes(_ key: String) throws -> [UInt8] { try hex(#require(input[key]?.text, "\(key)")) }
    func expectedBytes(_ key: String) throws -> [UInt8] { try hex(#require(expected[key]?.text, "\(key)")) }
}

/// A path such as `m/0'/1` as indexes.
func path(_ text: String) throws -> [UInt32] {
    try text.split(separator: "/").dropFirst().map { part in
        let isHardened = part.hasSuffix("'")
        let index = try #require(UInt32(isHardened ? part.dropLast() : part))
        return isHardened ? index | 0x8000_0000 : index
    }
}

/// Bytes of hex text; blanks are skipped, and anything else that is no hex gives an empty result that no test expects.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Lower-case hex text.
func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
