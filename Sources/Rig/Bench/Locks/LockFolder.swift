// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import HostSystem

/// The folder that holds the locks of readers, or other files for all users of a host.
public struct LockFolder: Hashable, Sendable {
    /// The folder's path.
    public let path: String
    /// What cannot be done without it, for messages.
    private let purpose: String

    /// Takes a folder, which is made when it is not there.
    public init(path: String) {
        self.init(path: path, purpose: "readers cannot be locked")
    }

    init(path: String, purpose: String) {
        self.path = path
        self.purpose = purpose
    }

    /// The folder that all users of a host agree on.
    ///
    /// `/run/lock/taprig`, or `/tmp/taprig-locks` on a host without a `/run/lock` that is open to all. The user's own
    /// runtime folder would not do: another user's locks lie elsewhere then.
    public static var standard: LockFolder {
        LockFolder(path: isOpenToAll("/run/lock") ? "/run/lock/taprig" : "/tmp/taprig-locks")
    }

    /// True for a folder of the system in which everybody may keep files.
    static func isOpenToAll(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == 0
            && status.st_mode & openToAll == openToAll
    }

    /// Everybody may make files, and nobody may remove another one's: sticky, and writable for all.
    private static let openToAll: mode_t = 0o1002

    /// Opens the folder.
    ///
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: A `permission` fault when it cannot be made or is not safe to use.
    func open() throws(TransportFault) -> Int32 {
        let isMade = mkdir(path, 0o700) == 0
        if !isMade, errno != EEXIST { throw refusal(String(cString: strerror(errno))) }
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isOther = errno == ELOOP || errno == ENOTDIR
            throw refusal(isOther ? "it is a link or no folder" : String(cString: strerror(errno)))
        }
        // The mask of new files would shut others out.
        if isMade { fchmod(descriptor, 0o1777) }
        var complaint = complaint(about: descriptor)
        // Another program may be between making the folder and opening it to all.
        for _ in 0..<10 where complaint != nil {
            MonotonicTime.sleep(.milliseconds(5))
            complaint = self.complaint(about: descriptor)
        }
        guard let complaint else { return descriptor }
        close(descriptor)
        throw refusal(complaint)
    }

    private func complaint(about descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
        let isOurs = status.st_uid == geteuid()
        if status.st_mode & 0o022 != 0 {
            let isSticky = status.st_mode & S_ISVTX != 0
            return isSticky ? nil : "others may remove files in it that are not theirs"
        }
        // A folder that shuts others out still does for one user alone.
        return isOurs ? nil : "it belongs to another user and is not open to all"
    }

    /// The fault for a folder that cannot be used.
    func refusal(_ reason: String) -> TransportFault {
        TransportFault(
            .permission,
            "\(purpose) in \(path): \(reason)",
            hint: "have its owner or root run: mkdir -p \(path) && chmod 1777 \(path)"
        )
    }
}
