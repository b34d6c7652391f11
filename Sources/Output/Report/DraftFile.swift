// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// A file that gets its name only when it is complete.
final class DraftFile {
    private let path: String
    private let draft: String
    private let file: OutputFile

    init(path: String) throws(FileError) {
        self.path = path
        draft = "\(path).\(getpid()).new"
        do {
            file = try OutputFile(path: draft)
        } catch {
            throw FileError(path: path, action: error.action, reason: error.reason)
        }
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
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            discard()
            throw FileError(path: path, action: "write", reason: reason)
        }
    }

    /// Throws away what was written.
    func discard() {
        unlink(draft)
    }
}
