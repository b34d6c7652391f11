// SPDX-License-Identifier: MIT

import Foundation
import JSONText

/// Files under `Fixtures`.
enum Fixture {
    struct Missing: Error {
        let path: String
    }

    static func text(_ path: String) throws -> String {
        guard let root = Bundle.module.resourceURL else { throw Missing(path: path) }
        return try String(contentsOf: root.appendingPathComponent("Fixtures/" + path), encoding: .utf8)
    }

    static func json(_ path: String) throws -> JSON {
        try JSON(parsing: text(path))
    }

    /// The elements of a list in a document.
    static func list(_ path: String, _ key: String? = nil) throws -> [JSON] {
        let document = try json(path)
        guard let list = key.map({ document[$0]?.array }) ?? document.array else { throw Missing(path: path) }
        return list
    }
}
