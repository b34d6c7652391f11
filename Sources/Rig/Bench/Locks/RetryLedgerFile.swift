// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import Glibc
import HostSystem
import SmartCard
import Synchronization

/// The file that keeps retry counters over runs.
///
/// Each change is on the disk before the next command goes out. Several programs may use the file at a time.
public final class RetryLedgerFile: RetryLedgerStore {
    /// The file, links resolved.
    public let path: String
    private let firstTrouble = Mutex<String?>(nil)

    /// How long another program may hold the file.
    private static let lockLimit = Duration.seconds(5)
    /// The most bytes that are read: some 100 000 counters.
    private static let largestFile = 16 << 20

    private init(path: String) {
        self.path = path
    }

    /// The user's own file: `taprig/retry-counters.json` below `$XDG_STATE_HOME`, else below `~/.local/state`.
    ///
    /// - Parameter environment: The environment; nil takes that of the process.
    /// - Returns: The path; nil when the environment names no home.
    public static func defaultPath(environment: [String: String]? = nil) -> String? {
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
        let file = RetryLedgerFile(path: HostFile.resolved(path) ?? path)
        let known = try file.locked { () throws(RetryLedgerError) in
            let known = try file.load(keepsCopy: true)
            // Found out now, not in the middle of a run.
            try file.save(known)
            return known
        }
        return (RetryLedger(store: file, known: known), file)
    }

    /// What went wrong first after the file was opened, in one sentence; nil when all changes were kept.
    public var trouble: String? { firstTrouble.withLock { $0 } }

    /// Shows the counters as they stand now.
    public func read(_ body: (RetryLedger) -> Void) {
        do throws(RetryLedgerError) { body(try load(keepsCopy: false)) } catch { note(error) }
    }

    /// Changes the counters as they stand now.
    public func change(_ body: (RetryLedger) -> Void) {
        do throws(RetryLedgerError) {
            try locked { () throws(RetryLedgerError) in
                let known = try load(keepsCopy: true)
                body(known)
                try save(known)
            }
        } catch {
            note(error)
        }
    }

    private func note(_ error: RetryLedgerError) {
        firstTrouble.withLock { $0 = $0 ?? error.description }
    }

    // MARK: Steps

    /// Does something while no other program changes the file.
    private func locked<Value>(
        _ body: () throws(RetryLedgerError) -> Value
    ) throws(RetryLedgerError) -> Value {
        let name = path + ".lock"
        let lock = Glibc.open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard lock >= 0 else { throw failure("locked", errno) }
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
        return try body()
    }

    private func load(keepsCopy: Bool) throws(RetryLedgerError) -> RetryLedger {
        guard HostFile.exists(path) else { return RetryLedger() }
        let bytes: [UInt8]
        do {
            bytes = try HostFile.read(path, limit: Self.largestFile)
        } catch {
            throw RetryLedgerError("the retry counters cannot be read: \(error)")
        }
        do throws(RetryLedgerError) {
            return try RetryLedger(json: bytes)
        } catch {
            let copy = keepsCopy ? backup(bytes).map { " (copied to \($0))" } ?? "" : ""
            throw RetryLedgerError(
                "\(error), so nobody knows how many tries samples have left: mend \(path)\(copy), or remove it when"
                    + " you have looked at each sample's counters yourself"
            )
        }
    }

    /// Keeps a damaged file's bytes under another name, once.
    private func backup(_ bytes: [UInt8]) -> String? {
        let copy = "\(path).damaged-\(SHA256.digest(bytes).prefix(4).hex.lowercased())"
        if HostFile.exists(copy) { return copy }
        do {
            try HostFile.write(bytes, to: copy)
            return copy
        } catch {
            return nil
        }
    }

    /// Writes the whole file: all of it, on the disk, or nothing.
    private func save(_ ledger: RetryLedger) throws(RetryLedgerError) {
        var older = stat()
        let mode = stat(path, &older) == 0 ? older.st_mode & 0o777 : 0o600
        let draft = "\(path).\(getpid()).new"
        let file = Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("written", errno) }
        fchmod(file, mode)
        let isWritten = write(Array(ledger.jsonText.utf8), to: file) && fsync(file) == 0
        let reason = errno
        guard close(file) == 0, isWritten, rename(draft, path) == 0 else {
            let number = isWritten ? errno : reason
            unlink(draft)
            throw failure("written", number)
        }
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
        RetryLedgerError(
            "the retry counters in \(path) cannot be \(action): \(String(cString: strerror(number)))"
        )
    }
}
