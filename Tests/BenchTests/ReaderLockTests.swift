// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import HostSystem
import Synchronization
import Testing

@testable import Bench

@Suite("Locks of readers")
struct ReaderLockTests {
    private static let reader = "ACS ACR1252 [PICC] 00 00"
    private let holder = LockHolder.current(command: "taprig run")

    private func acquire(
        _ folder: TemporaryFolder,
        _ identity: String = reader,
        patience: ReaderLock.Patience = ReaderLock.Patience()
    ) throws(TransportFault) -> ReaderLock {
        try ReaderLock.acquire(
            identity,
            reader: identity,
            holder: holder,
            in: LockFolder(path: "\(folder.path)/locks"),
            patience: patience
        )
    }

    @Test("one at a time, free again after release, and readers do not disturb each other")
    func exclusive() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let other = try acquire(folder, "another reader")
        let found = fault { () throws(TransportFault) in _ = try acquire(folder) }
        #expect(found?.kind == .busy)
        #expect(
            found?.description
                == "the reader '\(Self.reader)' is in use by pid \(getpid()) (taprig run, user \(holder.user)) "
                + "since \(holder.since); wait for it with --wait 10min, or end the other program"
        )
        lock.release()
        lock.release()
        let again = try acquire(folder)
        again.release()
        other.release()
    }

    @Test("a lock that nobody holds any more is free, and its file tells nothing")
    func scope() throws {
        let folder = try TemporaryFolder()
        do { _ = try acquire(folder) }
        let name = "\(folder.path)/locks/\(ReaderLock.fileName(of: Self.reader))"
        #expect(FileManager.default.contents(atPath: name) == Data())
        _ = try acquire(folder)
    }

    @Test("folder and files are open to all users, whatever the mask of new files is")
    func modes() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        defer { lock.release() }
        var status = stat()
        #expect(stat("\(folder.path)/locks", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o1777)
        #expect(stat("\(folder.path)/locks/\(ReaderLock.fileName(of: Self.reader))", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666)
    }

    @Test("another process is kept out, and told by whom")
    func twoProcesses() async throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let path = "\(folder.path)/locks"
        let parent = Int(getpid())
        await #expect(processExitsWith: .success) { [path = path as String, parent = parent as Int] in
            do throws(TransportFault) {
                _ = try ReaderLock.acquire(
                    ReaderLockTests.reader,
                    reader: "R",
                    holder: .current(command: "taprig send"),
                    in: LockFolder(path: path)
                )
                exit(EXIT_FAILURE)
            } catch {
                let isTold = error.detail.hasPrefix("the reader 'R' is in use by pid \(parent) (taprig run, ")
                exit(error.kind == .busy && isTold ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
        lock.release()
    }

    @Test("the lock of a killed holder is free")
    func killedHolder() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/locks"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let lock = try ReaderLock.acquire(
                ReaderLockTests.reader,
                reader: "R",
                holder: .current(command: "taprig run"),
                in: LockFolder(path: path)
            )
            kill(getpid(), SIGKILL)
            lock.release()
        }
        // It left its name behind, and its lock not.
        let name = "\(path)/\(ReaderLock.fileName(of: Self.reader))"
        let left = try #require(LockHolder(json: Array(FileManager.default.contents(atPath: name) ?? Data())))
        #expect(!left.isAlive)
        try acquire(folder).release()
    }

    @Test("a program of the bench does not inherit the lock")
    func notInherited() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let output = try shell(.field, "sleep 30 >/dev/null 2>&1 & echo $!").run()
        lock.release()
        try acquire(folder).release()
        let pid = try #require(pid_t(output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test("the file of another user, closed to us, can be locked all the same")
    func otherUser() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/locks"
        #expect(mkdir(path, 0o777) == 0)
        #expect(chmod(path, 0o1777) == 0)
        let name = "\(path)/\(ReaderLock.fileName(of: Self.reader))"
        let stale = LockHolder(
            pid: 0x3FFF_FFFF,
            user: "gone",
            since: "2026-01-01T00:00:00.000Z",
            command: "x"
        )
        #expect(FileManager.default.createFile(atPath: name, contents: Data(stale.jsonText.utf8)))
        #expect(chmod(name, 0o444) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Root may write everything.
            if geteuid() == 0 {
                guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(EXIT_FAILURE) }
            }
            func acquire() throws(TransportFault) -> ReaderLock {
                try ReaderLock.acquire(
                    ReaderLockTests.reader,
                    reader: "R",
                    holder: .current(command: "taprig run"),
                    in: LockFolder(path: path)
                )
            }
            let lock = try acquire()
            do throws(TransportFault) {
                _ = try acquire()
                exit(EXIT_FAILURE)
            } catch {
                // Who left the text there is gone, so it is not named.
                let isTold = error.detail == "the reader 'R' is in use by another program"
                lock.release()
                exit(isTold ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    }

    @Test("a folder that cannot be made or used is a permission fault with a way out")
    func unwritableFolder() async throws {
        let found = fault { () throws(TransportFault) in
            _ = try ReaderLock.acquire("r", reader: "r", holder: holder, in: LockFolder(path: "/proc/taprig"))
        }
        #expect(found?.kind == .permission)
        #expect(found?.detail == "readers cannot be locked in /proc/taprig: No such file or directory")
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/locks"
        #expect(mkdir(path, 0o755) == 0)
        guard geteuid() == 0 else {
            #expect(chmod(path, 0o500) == 0)
            let shut = fault { () throws(TransportFault) in _ = try acquire(folder) }
            #expect(shut?.kind == .permission)
            return
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(EXIT_FAILURE) }
            do throws(TransportFault) {
                _ = try ReaderLock.acquire(
                    "r",
                    reader: "r",
                    holder: .current(command: "taprig run"),
                    in: LockFolder(path: path)
                )
                exit(EXIT_FAILURE)
            } catch {
                let isTold = error.detail.hasSuffix("it belongs to another user and is not open to all")
                exit(error.kind == .permission && isTold ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    }

    @Test("links, pipes and folders that others may empty are refused")
    func traps() throws {
        let folder = try TemporaryFolder()
        let locks = "\(folder.path)/locks"
        let victim = "\(folder.path)/victim"
        #expect(FileManager.default.createFile(atPath: victim, contents: Data("keep".utf8)))
        #expect(symlink(folder.path, locks) == 0)
        #expect(refusal(folder)?.contains("it is a link or no folder") == true)
        unlink(locks)
        #expect(mkdir(locks, 0o777) == 0)
        #expect(chmod(locks, 0o777) == 0)
        #expect(refusal(folder)?.contains("others may remove files in it") == true)
        #expect(chmod(locks, 0o1777) == 0)
        let name = "\(locks)/\(ReaderLock.fileName(of: Self.reader))"
        #expect(symlink(victim, name) == 0)
        #expect(refusal(folder)?.contains("is a link") == true)
        unlink(name)
        #expect(link(victim, name) == 0)
        #expect(refusal(folder)?.contains("is no plain file of its own") == true)
        unlink(name)
        #expect(mkfifo(name, 0o666) == 0)
        #expect(refusal(folder)?.contains("is no plain file of its own") == true)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keep")
    }

    private func refusal(_ folder: TemporaryFolder) -> String? {
        let found = fault { () throws(TransportFault) in _ = try acquire(folder) }
        #expect(found?.kind == .permission)
        return found?.detail
    }

    @Test("waiting ends when the time is over, without looking all the time")
    func waitingInVain() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let clock = ModelClock()
        let looks = Mutex(0)
        let patience = ReaderLock.Patience(limit: .seconds(10), clock: clock) {
            looks.withLock { $0 += 1 }
            return false
        }
        let begin = clock.now
        let found = fault { () throws(TransportFault) in _ = try acquire(folder, patience: patience) }
        #expect(found?.kind == .busy)
        #expect(found?.hint.hasPrefix("it was not free within 10s") == true)
        #expect(clock.now - begin == .seconds(10))
        #expect(looks.withLock { $0 } < 30)
        lock.release()
    }

    @Test("waiting ends as soon as the reader is free, or when somebody wants to stop")
    func waiting() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let clock = ModelClock()
        let looks = Mutex(0)
        let stopped = ReaderLock.Patience(limit: .seconds(10), clock: clock) {
            looks.withLock {
                $0 += 1
                return $0 == 3
            }
        }
        #expect(
            fault { () throws(TransportFault) in _ = try acquire(folder, patience: stopped) }?.kind == .busy
        )
        #expect(clock.now < .seconds(1))
        let freed = ReaderLock.Patience(limit: .seconds(10), clock: clock) {
            lock.release()
            return false
        }
        try acquire(folder, patience: freed).release()
        #expect(clock.now < .seconds(1))
    }

    @Test("who holds the reader is told once before the wait, and again when it is somebody else")
    func waitIsTold() throws {
        let folder = try TemporaryFolder()
        let lock = try acquire(folder)
        let clock = ModelClock()
        var told: [Int?] = []
        var looks = 0
        var patience = ReaderLock.Patience(limit: .seconds(10), clock: clock) {
            looks += 1
            if looks == 5 {
                let other = LockHolder(pid: 1, user: "lab", since: "now", command: "taprig run")
                let name = "\(folder.path)/locks/\(ReaderLock.fileName(of: Self.reader))"
                try? Data(other.jsonText.utf8).write(to: URL(fileURLWithPath: name))
            }
            return false
        }
        patience.onWait = {
            told.append($0?.pid)
            if told.count == 1 { #expect(clock.now == .zero) }
        }
        #expect(
            fault { () throws(TransportFault) in _ = try acquire(folder, patience: patience) }?.kind == .busy
        )
        #expect(looks > 6)
        #expect(told == [Int(getpid()), 1])
        lock.release()
    }

    @Test("nothing is told where nothing is waited for", arguments: [true, false])
    func nothingToTell(isHeld: Bool) throws {
        let folder = try TemporaryFolder()
        let lock = isHeld ? try acquire(folder) : nil
        var told = 0
        let once = ReaderLock.Patience(limit: isHeld ? .zero : .seconds(10), onWait: { _ in told += 1 })
        let found = fault { () throws(TransportFault) in try acquire(folder, patience: once).release() }
        #expect(found?.kind == (isHeld ? .busy : nil))
        #expect(told == 0)
        lock?.release()
    }

    @Test("what a file says of its holder is cleaned before it is shown")
    func forgedHolder() throws {
        let text =
            #"{"pid":1,"user":"a\u001b[2J\nb","since":"now","command":"\#(String(repeating: "x", count: 900))"}"#
        let holder = try #require(LockHolder(json: Array(text.utf8)))
        #expect(holder.user == "a [2J b")
        #expect(holder.command.count < 250)
        for wrong in ["", "{}", "[1]", #"{"pid":-5}"#, "pid 7"] {
            #expect(LockHolder(json: Array(wrong.utf8)) == nil)
        }
    }
}
