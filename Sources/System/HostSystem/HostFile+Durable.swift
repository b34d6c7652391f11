// SPDX-License-Identifier: MIT

import Glibc

extension HostFile {
    /// Writes a file that holds secrets and must survive a crash: for its owner alone, and on the disk when this ends.
    ///
    /// The old content stands under the name until the new one is there as a whole. A link is followed.
    ///
    /// - Parameters:
    ///   - text: The whole content.
    ///   - name: The file, in a folder that exists.
    /// - Throws: ``FileError`` when it cannot be written; an older file is untouched then.
    public static func writeDurably(_ text: String, to name: String) throws(FileError) {
        let path = resolved(name) ?? name
        guard !exists(path) || isPlainFile(path) else {
            throw FileError(path: name, action: "write", reason: "it is no plain file")
        }
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: name, action: "write", errorNumber: errno) }
        let failure = fill(descriptor, with: Array(text.utf8))
        close(descriptor)
        let number = failure ?? (rename(draft, path) == 0 ? nil : errno)
        if let number {
            unlink(draft)
            throw FileError(path: name, action: "write", errorNumber: number)
        }
        syncFolder(of: path)
    }

    /// Writes and syncs; the error number when that fails.
    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                done += count
            }
            return fsync(descriptor) == 0 ? nil : errno
        }
    }

    /// Makes the new name last; a folder that cannot be synced does not undo what was written.
    private static func syncFolder(of path: String) {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
