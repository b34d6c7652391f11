// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import Glibc
import HostSystem
import SmartCard
import Synchronization

/// The file that keeps retry counters over runs.
///
/// Each change is on the disk before the next command goes out. Several programs, also of several users, may use the file
/// at a time: whoever may make files in its folder may use it.
public final class RetryLedgerFile: RetryLedgerStore {
    /// The file, links resolved.
    public let path: String
    private let place: Place
    private let firstTrouble = Mutex<String?>(nil)

    /// How long another program may hold the file.
    private static let lockLimit = Duration.seconds(5)
    /// The most bytes that are read: some 100 000 counters.
    private static let largestFile = 16 << 20

    /// Where the file lies.
    private struct Place {
        let folder: String
        let name: String
        /// Whether anybody may have made the folder, so that it is looked at before it is used.
        let isOfHost: Bool
    }

    private init(_ path: String, isOfHost: Bool) {
        self.path = path
        let slash = path.lastIndex(of: "/")
        place = Place(
            folder: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".",
            name: slash.map { String(path[path.index(after: $0)...]) } ?? path,
            isOfHost: isOfHost
        )
    }

    /// The file for all users of the host: a card does not care whose run spends its tries.
    ///
    /// It lies in `/var/lib/taprig` where an administrator has made that open to all, else in `/var/tmp/taprig`, which
    /// outlives a restart too.
    public static var standardPath: String {
        let folder = LockFolder.isOpenToAll("/var/lib/taprig") ? "/var/lib/taprig" : "/var/tmp/taprig"
        return "\(folder)/retry-counters.json"
    }

    /// The file of one user, in which earlier versions counted: `taprig/retry-counters.json` below `$XDG_STATE_HOME`, else
    /// below `~/.local/state`.
    ///
    /// - Parameter environment: The environment; nil takes that of the process.
    /// - Returns: The path; nil when the environment names no home.
    public static func earlierPath(environment: [String: String]? = nil) -> String? {
        let environment = environment ?? HostEnvironment.all
        // The specification has relative paths ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return "\(state)/taprig/retry-counters.json"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/taprig/retry-counters.json"
    }

    /// Opens the file, or makes it.
    ///
    /// - Parameter path: The file.
    /// - Returns: A ledger that lives in it, and the file, which tells trouble that comes later.
    /// - Throws: ``RetryLedgerError`` when it cannot be used. What is no ledger is kept as it is, with a copy beside it:
    ///   to start anew would say that all samples have all tries left.
    public static func open(
        _ path: String
    ) throws(RetryLedgerError) -> (ledger: RetryLedger, file: RetryLedgerFile) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            do { try HostFile.makeFolder(String(path[..<slash])) } catch {
                throw RetryLedgerError(
                    "retry counters cannot be kept: \(error); name another file with `ledger`"
                )
            }
        }
        let file = RetryLedgerFile(HostFile.resolved(path) ?? path, isOfHost: false)
        return (RetryLedger(store: file, known: try file.begin(adopting: nil)), file)
    }

    /// Opens a file for all users of the host, or makes it with its folder.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - earlier: A file of this user that counted so far; its counters are taken over once.
    /// - Returns: A ledger that lives in it, and the file.
    /// - Throws: ``RetryLedgerError``, as ``open(_:)`` does.
    public static func openForHost(
        _ path: String = standardPath,
        adopting earlier: String? = earlierPath()
    ) throws(RetryLedgerError) -> (ledger: RetryLedger, file: RetryLedgerFile) {
        let file = RetryLedgerFile(path, isOfHost: true)
        return (RetryLedger(store: file, known: try file.begin(adopting: earlier)), file)
    }

    /// What went wrong first after the file was opened, in one sentence; nil when all changes were kept.
    public var trouble: String? { firstTrouble.withLock { $0 } }

    /// Shows the counters as they stand now.
    public func read(_ body: (RetryLedger) -> Void) {
        do throws(RetryLedgerError) {
            body(try locked { (folder) throws(RetryLedgerError) in try load(folder, keepsCopy: false) })
        } catch {
            note(error)
        }
    }

    /// Changes the counters as they stand now.
    public func change(_ body: (RetryLedger) -> Void) {
        do throws(RetryLedgerError) {
            try locked { (folder) throws(RetryLedgerError) in
                let known = try load(folder, keepsCopy: true)
                body(known)
                try save(known, folder)
            }
        } catch {
            note(error)
        }
    }

    private func note(_ error: RetryLedgerError) {
        firstTrouble.withLock { $0 = $0 ?? error.description }
    }

    /// Reads the file for the first time.
    private func begin(adopting earlier: String?) throws(RetryLedgerError) -> RetryLedger {
        try locked { (folder) throws(RetryLedgerError) in
            let known = try load(folder, keepsCopy: true)
            let adopted = earlier.flatMap { HostFile.exists($0) ? $0 : nil }
            if let adopted { known.takeLower(of: try Self.ledger(in: adopted)) }
            // Found out now, not in the middle of a run.
            try save(known, folder)
            if let adopted, rename(adopted, "\(adopted).moved") != 0 {
                let reason = String(cString: strerror(errno))
                throw RetryLedgerError(
                    "the retry counters in \(adopted) are in \(path) now, but the file cannot be renamed: \(reason); "
                        + "remove it"
                )
            }
            return known
        }
    }

    private static func ledger(in path: String) throws(RetryLedgerError) -> RetryLedger {
        do {
            return try RetryLedger(json: HostFile.read(path, limit: largestFile))
        } catch {
            throw RetryLedgerError(
                "\(error), so nobody knows how many tries samples have left: mend \(path), or remove it when"
                    + " you have looked at each sample's counters yourself"
            )
        }
    }

    // MARK: Steps

    private func openFolder() throws(RetryLedgerError) -> Int32 {
        if place.isOfHost {
            do throws(TransportFault) {
                return try LockFolder(path: place.folder, purpose: "retry counters cannot be kept").open()
            } catch {
                throw RetryLedgerError(
                    "\(error.detail); \(error.hint), or name another file with `ledger`"
                )
            }
        }
        let folder = Glibc.open(place.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("locked", errno) }
        return folder
    }

    /// Does something while no other program changes the file; gets the folder's descriptor.
    private func locked<Value>(
        _ body: (Int32) throws(RetryLedgerError) -> Value
    ) throws(RetryLedgerError) -> Value {
        let folder = try openFolder()
        defer { close(folder) }
        let lock = try openLock(folder)
        defer {
            flock(lock, LOCK_UN)
            close(lock)
        }
        let end = MonotonicTime.now + Self.lockLimit
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("locked", errno) }
            guard MonotonicTime.now < end else {
                throw RetryLedgerError(
                    "another program holds the retry counters in \(path); end it, then run again"
                )
            }
            MonotonicTime.sleep(.milliseconds(5))
        }
        return try body(folder)
    }

    private func openLock(_ folder: Int32) throws(RetryLedgerError) -> Int32 {
        let name = place.name + ".lock"
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var lock: Int32 = -1
        for _ in 0..<8 {
            // To lock, reading is enough. In a folder open to all the kernel refuses to create what is another user's.
            lock = openat(folder, name, O_RDONLY | flags)
            guard lock < 0, errno == ENOENT else { break }
            lock = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | flags, 0o600)
            if lock >= 0 {
                share(lock, in: folder)
                break
            }
            guard errno == EEXIST else { break }
        }
        guard lock >= 0 else { throw failure("locked", errno) }
        return lock
    }

    /// Opens a new file to those who may make files in its folder.
    ///
    /// The mask of new files would shut them out. What root makes belongs to the owner of the folder or of the older file,
    /// who could not count any more otherwise.
    private func share(_ file: Int32, in folder: Int32, older: stat? = nil) {
        var status = stat()
        guard fstat(folder, &status) == 0 else { return }
        var mode: mode_t = 0o600
        if status.st_mode & 0o020 != 0 { mode |= 0o060 }
        if status.st_mode & 0o002 != 0 { mode |= 0o006 }
        if let older { mode |= older.st_mode & 0o666 }
        let owner = older ?? status
        if geteuid() == 0 { fchown(file, owner.st_uid, owner.st_gid) }
        fchmod(file, mode)
    }

    private func load(_ folder: Int32, keepsCopy: Bool) throws(RetryLedgerError) -> RetryLedger {
        let file = openat(folder, place.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return RetryLedger() }
            throw failure("read", errno)
        }
        defer { close(file) }
        let bytes = try content(of: file)
        do throws(RetryLedgerError) {
            return try RetryLedger(json: bytes)
        } catch {
            let copy = keepsCopy ? backup(bytes, in: folder).map { " (copied to \($0))" } ?? "" : ""
            throw RetryLedgerError(
                "\(error), so nobody knows how many tries samples have left: mend \(path)\(copy), or remove it when"
                    + " you have looked at each sample's counters yourself"
            )
        }
    }

    private func content(of file: Int32) throws(RetryLedgerError) -> [UInt8] {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read", errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largestFile else {
            throw RetryLedgerError(
                "the retry counters in \(path) cannot be read: it is no plain file of at most \(Self.largestFile) "
                    + "bytes; name another file with `ledger`"
            )
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", errno) }
            guard count > 0 else { break }
            done += count
        }
        return Array(bytes.prefix(done))
    }

    /// Keeps a damaged file's bytes under another name, once.
    private func backup(_ bytes: [UInt8], in folder: Int32) -> String? {
        let ending = ".damaged-\(SHA256.digest(bytes).prefix(4).hex.lowercased())"
        let file = openat(
            folder,
            place.name + ending,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            0o600
        )
        guard file >= 0 else { return errno == EEXIST ? path + ending : nil }
        defer { close(file) }
        share(file, in: folder)
        return write(bytes, to: file) ? path + ending : nil
    }

    /// Writes the whole file: all of it, on the disk, or nothing.
    private func save(_ ledger: RetryLedger, _ folder: Int32) throws(RetryLedgerError) {
        var older = stat()
        let isKnown = fstatat(folder, place.name, &older, AT_SYMLINK_NOFOLLOW) == 0
        let draft = "\(place.name).\(getpid()).new"
        let bytes = Array(ledger.jsonText.utf8)
        unlinkat(folder, draft, 0)
        let file = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("written", errno) }
        share(file, in: folder, older: isKnown ? older : nil)
        let isWritten = write(bytes, to: file) && fsync(file) == 0
        let reason = errno
        guard close(file) == 0, isWritten else {
            unlinkat(folder, draft, 0)
            throw failure("written", reason)
        }
        if renameat(folder, draft, folder, place.name) != 0 {
            // Where everybody may make files, nobody may replace another one's.
            guard errno == EPERM || errno == EACCES else {
                let number = errno
                unlinkat(folder, draft, 0)
                throw failure("written", number)
            }
            try rewrite(bytes, draft: draft, folder)
        }
        fsync(folder)
    }

    /// Writes over another user's file; until that is done, the draft beside it has the counters.
    private func rewrite(_ bytes: [UInt8], draft: String, _ folder: Int32) throws(RetryLedgerError) {
        let file = openat(folder, place.name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let number = errno
            unlinkat(folder, draft, 0)
            throw failure("written", number)
        }
        defer { close(file) }
        guard write(bytes, to: file), ftruncate(file, off_t(bytes.count)) == 0, fsync(file) == 0 else {
            throw failure("written", errno)
        }
        unlinkat(folder, draft, 0)
    }

    private func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func failure(_ action: String, _ number: Int32) -> RetryLedgerError {
        let isRefused = number == EACCES || number == EPERM
        let hint =
            isRefused
            ? "; have the owner run: chmod a+rwx \(place.folder); chmod a+rw \(path)*, or name another file with `ledger`"
            : ""
        return RetryLedgerError(
            "the retry counters in \(path) cannot be \(action): \(String(cString: strerror(number)))\(hint)"
        )
    }
}
