// SPDX-License-Identifier: MIT

import Foundation

/// Files in the fixture folder of these tests.
enum Fixture {
    struct Missing: Error { let name: String }

    static func text(_ name: String) throws -> String {
        guard let folder = Bundle.module.resourceURL else { throw Missing(name: name) }
        return try String(contentsOf: folder.appendingPathComponent("Fixtures/\(name)"), encoding: .utf8)
    }

    static func lines(_ name: String) throws -> [String] {
        try text(name).split(separator: "\n").map(String.init)
    }

    static func object(_ name: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text(name).utf8))
        guard let object = value as? [String: Any] else { throw Missing(name: name) }
        return object
    }

    static func rows(_ name: String, _ key: String) throws -> [[String: Any]] {
        guard let rows = try object(name)[key] as? [[String: Any]] else {
            throw Missing(name: "\(name), \(key)")
        }
        return rows
    }
}
