// SPDX-License-Identifier: MIT

import Glibc

/// Folders that a program fills, and what it clears away in them.
extension HostFile {
    /// Makes one folder that is not there yet.
    ///
    /// - Parameter path: The folder; the one above it exists.
    /// - Returns: False when something has this name already.
    /// - Throws: ``FileError`` when it cannot be made.
    public static func makeNewFolder(_ path: String) throws(FileError) -> Bool {
        if mkdir(path, 0o777) == 0 { return true }
        guard errno == EEXIST else { throw FileError(path: path, action: "make folder", errorNumber: errno) }
        return false
    }

    /// Refuses a folder in which this user cannot make files.
    public static func checkWritable(folder path: String) throws(FileError) {
        guard access(path, W_OK | X_OK) == 0 else {
            throw FileError(path: path, action: "write into", errorNumber: errno)
        }
    }

    /// Removes a file or a link; one that is not there is fine.
    public static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileError(path: path, action: "remove", errorNumber: errno)
        }
    }

    /// Removes a folder when nothing is in it.
    public static func removeEmptyFolder(_ path: String) {
        rmdir(path)
    }

    /// The first bytes of a plain file, links not followed; nil when it is none or cannot be read.
    public static func start(of path: String, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &bytes, count, 0)
        return got < 0 ? nil : Array(bytes.prefix(got))
    }

    /// True when the path is a device, links followed; such a one may have no end.
    public static func isDevice(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFCHR || status.st_mode & S_IFMT == S_IFBLK
    }
}
