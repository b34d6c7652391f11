// SPDX-License-Identifier: MIT

import Glibc

/// A file that is written from front to back, each piece handed to the kernel at once.
///
/// What `write` returned from survives the death of the process (not of the host). One thread at a time.
public final class OutputFile {
    /// The file's path.
    public let path: String
    private var descriptor: Int32

    /// Makes the file, or empties it when it exists; `/dev/stdout` and `/dev/stderr` are written on as they are.
    public init(path: String) throws(FileError) {
        self.path = path
        // Opened anew, a redirected stream would be emptied and its two writers would overwrite each other.
        switch path {
        case "/dev/stdout": descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        case "/dev/stderr": descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        default: descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw FileError(path: path, action: "write", errorNumber: errno) }
    }

    /// Opens a file to write on at its end; it is made when it does not exist.
    public init(appendingTo path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(path: path, action: "write", errorNumber: errno) }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Writes all bytes, or says why not.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        let failure: Int32 = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += count
            }
            return 0
        }
        guard failure == 0 else { throw FileError(path: path, action: "write", errorNumber: failure) }
    }

    /// Closes the file.
    public func finish() throws(FileError) {
        guard descriptor >= 0 else { return }
        let result = Glibc.close(descriptor)
        descriptor = -1
        guard result == 0 else { throw FileError(path: path, action: "write", errorNumber: errno) }
    }
}
