// SPDX-License-Identifier: MIT

import Cryptography
import Glibc
import HostSystem
import SmartCard

/// Digests of files.
enum FileDigest {
    /// SHA-256 of a file's bytes in lower-case hex; empty for a stream, which cannot be read again.
    static func sha256(_ path: String) throws(FileError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "" }
        var hash = SHA256Stream()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { Glibc.close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return hash.finish().hex.lowercased() }
            hash.update(chunk[..<count])
        }
    }

    private static func failure(_ path: String) -> FileError {
        FileError(path: path, action: "read", reason: String(cString: strerror(errno)))
    }
}
