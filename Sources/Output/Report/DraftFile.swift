// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// A file that gets its name only when it is complete.
///
/// A link is followed. A device or a pipe, such as `/dev/stdout`, is written to as it stands: renaming would put a
/// plain file in its place.
final class DraftFile {
    private let path: String
    private let target: String
    /// The name until it is complete; nil when the file is written in place.
    private let draft: String?
    private let file: OutputFile

    init(path: String) throws(FileError) {
        self.path = path
        target = HostFile.resolved(path) ?? path
        guard !HostFile.isFolder(target) else {
            throw FileError(path: path, action: "write", reason: "it is a folder")
        }
        let isInPlace =
            path.hasPrefix("/dev/") || (HostFile.exists(target) && !HostFile.isPlainFile(target))
        draft = isInPlace ? nil : "\(target).\(getpid()).new"
        do {
            file = try OutputFile(path: draft ?? path)
        } catch {
            throw FileError(path: path, action: error.action, reason: error.reason)
        }
    }

    /// Makes a file by a function that writes it piece by piece: all of it or nothing appears under the name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - body: Writes the pieces.
    /// - Returns: What the function returns.
    /// - Throws: ``FileError`` when the file cannot be written.
    static func write<Result>(
        _ path: String,
        _ body: (DraftFile) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        let draft = try DraftFile(path: path)
        let result: Result
        do {
            result = try body(draft)
        } catch {
            draft.discard()
            throw error
        }
        try draft.publish()
        return result
    }

    /// Writes a piece.
    func write(_ piece: [UInt8]) throws(FileError) {
        do {
            try file.write(piece)
        } catch {
            throw FileError(path: path, action: error.action, reason: error.reason)
        }
    }

    /// Gives the file its name.
    func publish() throws(FileError) {
        do {
            try file.finish()
        } catch {
            discard()
            throw FileError(path: path, action: error.action, reason: error.reason)
        }
        guard let draft, rename(draft, target) != 0 else { return }
        let reason = String(cString: strerror(errno))
        discard()
        throw FileError(path: path, action: "write", reason: reason)
    }

    /// Throws away what was written.
    func discard() {
        if let draft { unlink(draft) }
    }
}
