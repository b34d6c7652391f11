// SPDX-License-Identifier: MIT

import Glibc

/// The right to fill a folder, held by one program at a time.
///
/// It is a lock on the folder itself: nothing is left in it, and the kernel frees it when its holder dies.
public final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // A program that is being started by another thread holds a copy of the descriptor until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes a folder.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The lock, which is free again when it is gone; nil where the file system has no locks.
    /// - Throws: ``FileError`` when another program has the folder, or when it cannot be opened.
    public static func take(_ path: String) throws(FileError) -> FolderLock? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, action: "open", errorNumber: errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            guard number == EWOULDBLOCK else { return nil }
            throw FileError(path: path, action: "use", reason: "another run is writing into it")
        }
        return FolderLock(descriptor)
    }
}
