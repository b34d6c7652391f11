// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// The program on a terminal of its own, with somebody who types.
final class ShellTerminal {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`; see ioctl_tty(2).
    private static let lockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430

    private let master: Int32
    private let process: pid_t
    private var isReaped = false
    /// Everything that the program has written so far.
    private(set) var screen = ""
    private var seen = 0

    init(_ arguments: [String], environment: [String: String]) throws {
        // posix_openpt and its kin are no part of what this C library shows to Swift; these are their steps.
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, Self.lockRequest, &unlocked) == 0,
            ioctl(master, Self.numberRequest, &number) == 0
        else { throw Failure(description: "no terminal can be made") }
        let name = "/dev/pts/\(number)"
        self.master = master
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens is that session's own.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID, which the headers show to Swift on some systems only.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
        var whole = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"]
        whole["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        for (name, value) in environment { whole[name] = value }
        var words: [UnsafeMutablePointer<CChar>?] = ([Taprig.path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = whole.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child: pid_t = 0
        guard posix_spawn(&child, Taprig.path, &actions, &attributes, &words, &variables) == 0 else {
            close(master)
            throw Failure(description: "cannot start \(Taprig.path)")
        }
        process = child
    }

    deinit {
        close(master)
        guard !isReaped else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Types keys.
    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits until a text has come since the last one that was waited for; `keys` are typed again and again until then.
    func expect(_ text: String, within limit: Duration = .seconds(20), typing keys: String = "") throws {
        let end = ContinuousClock.now + limit
        var next = ContinuousClock.now
        while true {
            if !keys.isEmpty, ContinuousClock.now >= next {
                type(keys)
                next = ContinuousClock.now + .milliseconds(300)
            }
            let fresh = screen.dropFirst(seen)
            if let range = fresh.range(of: text) {
                seen = screen.distance(from: screen.startIndex, to: range.upperBound)
                return
            }
            guard ContinuousClock.now < end, readMore() else {
                throw Failure(description: "'\(text)' did not come; there is: \(fresh.debugDescription)")
            }
        }
    }

    /// Waits for the program's end and gives its exit status.
    ///
    /// `keys` are typed again and again: what is typed before the prompt has come is not for the prompt.
    func ending(within limit: Duration = .seconds(20), typing keys: String = "") throws -> Int32 {
        let end = ContinuousClock.now + limit
        var status: Int32 = 0
        var next = ContinuousClock.now
        while waitpid(process, &status, WNOHANG) == 0 {
            if !keys.isEmpty, ContinuousClock.now >= next {
                type(keys)
                next = ContinuousClock.now + .milliseconds(300)
            }
            guard ContinuousClock.now < end else { throw Failure(description: "still running") }
            _ = readMore(waiting: 10)
        }
        isReaped = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Reads what is there, or waits a while for it; false when the terminal is closed.
    private func readMore(waiting milliseconds: Int32 = 100) -> Bool {
        var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return true }
        var chunk = [UInt8](repeating: 0, count: 4096)
        let got = read(master, &chunk, chunk.count)
        guard got > 0 else { return false }
        screen += String(decoding: chunk[..<got], as: UTF8.self)
        return true
    }
}
