// SPDX-License-Identifier: MIT

import Foundation

/// A folder that goes away with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
        let url = base.appendingPathComponent("taprig-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in it.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, with the folders above it.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }

    /// Writes a file of bytes.
    @discardableResult
    func write(_ name: String, _ data: Data) throws -> String {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: url)
        return url.path
    }

    /// The text of a file in it; empty when there is none.
    func text(_ name: String) -> String {
        (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
    }

    /// The bytes of a file in it.
    func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }

    /// The paths of all files below a folder in it, relative to that folder, sorted.
    func files(below name: String = "") -> [String] {
        let start = URL(fileURLWithPath: path(name)).resolvingSymlinksInPath().path
        let names = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
        return names.filter { file in
            var isFolder: ObjCBool = false
            let whole = "\(start)/\(file)"
            return FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}
