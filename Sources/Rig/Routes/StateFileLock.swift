// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import Synchronization

/// Keeps a second card out of a state file: each would write over what the other one remembers.
///
/// The lock lies beside the file, which is replaced with each change, and is gone with the process that holds it.
final class StateFileLock: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isGone = Atomic(false)

    /// Takes the lock of a file.
    ///
    /// - Throws: `EmulatorOptionError` when another card has it.
    init(_ path: String) throws(EmulatorOptionError) {
        self.path = path + ".lock"
        while true {
            let file = open(self.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.failure(path, errno) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(file)
                if code == EINTR { continue }
                guard code == EWOULDBLOCK else { throw Self.failure(path, code) }
                throw EmulatorOptionError("another emulator lives in \(path); end it, or name another file")
            }
            // Who held it before may have removed the file between the two calls.
            if Self.isFile(file, at: self.path) {
                descriptor = file
                return
            }
            close(file)
        }
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes the lock's file while the lock is still held; a second time does nothing.
    func remove() {
        guard !isGone.exchange(true, ordering: .relaxed) else { return }
        unlink(path)
    }

    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (mine, found) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && lstat(path, &found) == 0 && mine.st_ino == found.st_ino
    }

    private static func failure(_ path: String, _ code: Int32) -> EmulatorOptionError {
        EmulatorOptionError("cannot write \(path): \(String(cString: strerror(code)))")
    }
}
