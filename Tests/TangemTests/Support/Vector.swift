// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import SmartCard
import Tangem
import TangemConstants
import Testing

/// One row of `tangem.json`.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    let provenance: String
    let input: JSON
    let expected: JSON

    var testDescription: String { name }

    /// All rows, in the order of the file.
    static let all: [Vector] = {
        guard let root = Bundle.module.resourceURL,
            let data = try? Data(contentsOf: root.appendingPathComponent("Fixtures/tangem.json")),
            let json = try? JSON(parsing: Array(data)), let rows = json.array
        else { return [] }
        return rows.compactMap { row in
            guard let name = row["name"]?.string, let kind = row["kind"]?.string,
                let provenance = row["provenance"]?.string, let input = row["input"],
                let expected = row["expected"]
            else { return nil }
            return Vector(name: name, kind: kind, provenance: provenance, input: input, expected: expected)
        }
    }()

    /// The rows of some kinds.
    static func of(_ kinds: String...) -> [Vector] { all.filter { kinds.contains($0.kind) } }

    /// The one row with a name.
    static func named(_ name: String) throws -> Vector { try #require(all.first { $0.name == name }) }
}

extension JSON {
    /// The bytes of a hex text under a key.
    func hex(_ key: String) throws -> [UInt8] { try HexText.bytes(try #require(self[key]?.string)) }

    /// The text under a key.
    func text(_ key: String) throws -> String { try #require(self[key]?.string) }

    /// The number under a key.
    func number(_ key: String) throws -> Int { try #require(self[key]?.integer) }

    /// The hex texts of a list under a key.
    func hexes(_ key: String) throws -> [[UInt8]] {
        try #require(self[key]?.array).map { try HexText.bytes(try #require($0.string)) }
    }

    /// Pairs of tag and value under `tlvs`.
    func objects(_ key: String = "tlvs") throws -> CardObjects {
        CardObjects(
            try #require(self[key]?.array).map { pair in
                let parts = try #require(pair.array).map { try HexText.bytes(try #require($0.string)) }
                return CardObject(TangemTag(rawValue: try #require(parts.first?.first)), parts[1])
            }
        )
    }

    /// The curve under `curve`.
    func curve() throws -> TangemCurve { try #require(TangemCurve(rawValue: try text("curve"))) }
}

/// Bytes of a hex text that a test spells out.
func hex(_ text: String) throws -> [UInt8] { try HexText.bytes(text) }
