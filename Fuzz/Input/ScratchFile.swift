// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Synchronization

/// A file for what reads nothing but files: one for each process, in memory where the host has that.
///
/// It goes with the process, unless that ends by a crash.
public struct ScratchFile: Sendable {
    /// Where it lies.
    public let path: String

    /// Names the file; it comes with the first write.
    public init(_ name: String) {
        let folder = HostFile.isFolder("/dev/shm") ? "/dev/shm" : ".build-fuzz"
        path = "\(folder)/taprig-fuzz-\(getpid())-\(name)"
        let path = path
        Self.paths.withLock { paths in
            if paths.isEmpty { atexit { ScratchFile.removeAll() } }
            paths.append(path)
        }
    }

    /// Puts other bytes into the file.
    ///
    /// - Returns: False when the host has no room for it.
    public func write(_ bytes: [UInt8]) -> Bool {
        (try? HostFile.write(bytes, to: path)) != nil
    }

    private static let paths = Mutex<[String]>([])

    private static func removeAll() {
        for path in paths.withLock({ $0 }) { unlink(path) }
    }
}
