// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import Glibc
import HostSystem
import Scenario
import SmartCard
import Synchronization

/// The right to use a reader, held by one program of the host at a time.
///
/// It is a lock on a file, so the kernel frees it when its holder dies, however that happens. The file stays: if it were
/// removed, two programs could hold locks on two files of the same name.
public final class ReaderLock: Sendable {
    private let descriptor: Mutex<Int32>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Gives the reader back; may be called twice.
    public func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            ftruncate(descriptor, 0)
            // A program that is being started by another thread holds a copy of the file until it runs.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }

    /// How a lock is waited for.
    public struct Patience {
        /// For how long; zero tries once.
        public var limit: Duration
        /// The time in which it is waited.
        public var clock: any RigClock
        /// Looked at while waiting; true ends it.
        public var isCancelled: () -> Bool
        /// Told who holds the reader before it is waited for, and again when it is another one; nil is somebody unknown.
        public var onWait: (LockHolder?) -> Void

        /// Makes a patience; the default tries once.
        public init(
            limit: Duration = .zero,
            clock: any RigClock = SystemClock(),
            isCancelled: @escaping () -> Bool = { false },
            onWait: @escaping (LockHolder?) -> Void = { _ in }
        ) {
            self.limit = limit
            self.clock = clock
            self.isCancelled = isCancelled
            self.onWait = onWait
        }

        static let shortestPause = Duration.milliseconds(20)
        static let longestPause = Duration.milliseconds(500)
    }

    /// Takes a reader.
    ///
    /// - Parameters:
    ///   - identity: What tells the reader from its like, the same for all programs: its whole name, or `serial=...`.
    ///   - reader: The reader in words.
    ///   - holder: Who takes it.
    ///   - folder: Where locks lie.
    ///   - patience: How long to wait for it.
    /// - Returns: The lock, which is free again when it is released or gone.
    /// - Throws: A `busy` fault that names the holder; a `permission` fault when the folder does not do.
    public static func acquire(
        _ identity: String,
        reader: String,
        holder: LockHolder,
        in folder: LockFolder = .standard,
        patience: Patience = Patience()
    ) throws(TransportFault) -> ReaderLock {
        let end = patience.clock.now + patience.limit
        var pause = Patience.shortestPause
        var told: LockHolder??
        while true {
            switch try attempt(identity, holder: holder, in: folder) {
            case .taken(let lock): return lock
            case .held(let other):
                let left = end - patience.clock.now
                guard left > .zero, !patience.isCancelled() else {
                    throw busy(reader, holder: other, waited: patience.limit)
                }
                // One who has just taken the lock is unknown until the file is written.
                if told == nil || other.map({ $0.pid != told??.pid }) ?? false {
                    patience.onWait(other)
                    told = .some(other)
                }
                patience.clock.wait(min(pause, left))
                pause = min(pause * 2, Patience.longestPause)
            }
        }
    }

    private static func busy(_ reader: String, holder: LockHolder?, waited: Duration) -> TransportFault {
        let who = holder.map { "\($0)" } ?? "another program"
        let hint =
            waited > .zero
            ? "it was not free within \(DurationText.text(waited)); end the other program, or give a longer --wait"
            : "wait for it with --wait 10min, or end the other program"
        return TransportFault(.busy, "the reader '\(reader)' is in use by \(who)", hint: hint)
    }

    // MARK: One attempt

    private enum Attempt {
        case taken(ReaderLock)
        case held(LockHolder?)
    }

    /// The file's name: readable, and different for different readers.
    static func fileName(of identity: String) -> String {
        let plain = identity.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let digest = SHA256.digest(Array(identity.lowercased().utf8)).prefix(8).hex.lowercased()
        return "\(String(plain).prefix(40))-\(digest).lock"
    }

    private static func attempt(
        _ identity: String,
        holder: LockHolder,
        in folder: LockFolder
    ) throws(TransportFault) -> Attempt {
        let name = fileName(of: identity)
        let directory = try folder.open()
        defer { close(directory) }
        while true {
            let file = try open(name, in: directory, of: folder)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                defer { close(file) }
                if reason == EINTR { continue }
                guard reason == EWOULDBLOCK else { throw folder.refusal(String(cString: strerror(reason))) }
                let other = LockHolder(json: content(of: file))
                // The file of another user may be closed to the holder, and then tells of an earlier one.
                return .held(other.flatMap { $0.isAlive ? $0 : nil })
            }
            // A cleaner of old files may have taken the name away between opening and locking.
            guard isSame(file, name, in: directory) else {
                close(file)
                continue
            }
            write(holder.jsonText, to: file)
            return .taken(ReaderLock(file))
        }
    }

    private static func open(
        _ name: String,
        in directory: Int32,
        of folder: LockFolder
    ) throws(TransportFault) -> Int32 {
        // A pipe under this name must not make us wait.
        let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var file: Int32 = -1
        for _ in 0..<8 {
            // In a folder open to all the kernel refuses to create a file that is another user's, so that is not asked
            // of one that exists. To lock, reading is enough.
            file = openat(directory, name, O_RDWR | flags)
            if file < 0, errno == EACCES { file = openat(directory, name, O_RDONLY | flags) }
            guard file < 0, errno == ENOENT else { break }
            file = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | flags, 0o666)
            if file >= 0 {
                // The mask of new files would keep others from writing who they are.
                fchmod(file, 0o666)
                break
            }
            guard errno == EEXIST else { break }
        }
        guard file >= 0 else {
            let reason = errno == ELOOP ? "\(name) is a link" : "\(name): \(String(cString: strerror(errno)))"
            throw folder.refusal(reason)
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
            close(file)
            throw folder.refusal("\(name) is no plain file of its own")
        }
        return file
    }

    private static func isSame(_ file: Int32, _ name: String, in directory: Int32) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file, &opened) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func content(of file: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func write(_ text: String, to file: Int32) {
        // Only a message to others: the lock holds without it.
        let bytes = Array(text.utf8)
        guard ftruncate(file, 0) == 0 else { return }
        pwrite(file, bytes, bytes.count, 0)
    }
}
