// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A program that a test started, with its standard streams in files.
///
/// It is spawned with all signals at their defaults and none blocked, whatever the test process does with them.
final class ChildProcess {
    /// What stands behind the program's standard output.
    enum Output {
        /// A file that is read when the program has ended.
        case kept
        /// A pipe whose reader has gone away.
        case closedPipe
        /// A device that has no room for anything.
        case full
    }

    /// How a program ended.
    struct Ending {
        /// The exit status; 128 and the number for one that was killed by a signal, as a shell tells it.
        let status: Int32
        /// True when a signal killed it.
        let wasKilled: Bool
        let output: String
        let errors: String
        let seconds: Double
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let processID: pid_t
    private let folder: TemporaryFolder
    private let begin = ContinuousClock.now
    private let line: String
    private var ending: Ending?
    private var isLetGo = false

    init(
        _ program: String,
        _ arguments: [String],
        in workingFolder: String? = nil,
        environment: [String: String] = [:],
        input: String = "",
        output: Output = .kept
    ) throws {
        folder = try TemporaryFolder()
        line = ([program] + arguments).joined(separator: " ")
        let inputPath = try folder.write("input", input)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
        var pipeEnd: Int32 = -1
        switch output {
        case .kept:
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
            posix_spawn_file_actions_addopen(&actions, 1, folder.path("output"), flags, 0o600)
        case .full: posix_spawn_file_actions_addopen(&actions, 1, "/dev/full", O_WRONLY, 0)
        case .closedPipe:
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
            close(ends[0])
            pipeEnd = ends[1]
            _ = fcntl(pipeEnd, F_SETFD, FD_CLOEXEC)
            posix_spawn_file_actions_adddup2(&actions, pipeEnd, 1)
        }
        defer { if pipeEnd >= 0 { close(pipeEnd) } }
        posix_spawn_file_actions_addopen(
            &actions,
            2,
            folder.path("errors"),
            O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
            0o600
        )
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The call that changes the folder is no part of what this C library shows to Swift; env replaces itself.
        let whole = (workingFolder.map { ["env", "-C", $0] } ?? []) + [program] + arguments
        var words: [UnsafeMutablePointer<CChar>?] = whole.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            Self.environment(ledger: folder.path("counters.json"), adding: environment).map { strdup($0) } + [
                nil
            ]
        defer { for pointer in words + variables { free(pointer) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, whole[0], &actions, &attributes, &words, &variables)
        guard result == 0 else {
            throw Failure(description: "cannot start \(program): \(String(cString: strerror(result)))")
        }
        processID = child
    }

    deinit {
        guard ending == nil, !isLetGo else { return }
        kill(processID, SIGKILL)
        var status: Int32 = 0
        waitpid(processID, &status, 0)
    }

    /// A small environment, so that the host's settings change nothing.
    private static func environment(ledger: String, adding more: [String: String]) -> [String] {
        var out = ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"]
        for name in ["LD_LIBRARY_PATH", "PCSCLITE_CSOCK_NAME", "TMPDIR"] {
            out[name] = ProcessInfo.processInfo.environment[name]
        }
        // Counters of emulated cards are not to stay on the host.
        out["TAPRIG_LEDGER"] = ledger
        // A crash is to end the program at once.
        out["SWIFT_BACKTRACE"] = "enable=no"
        for (name, value) in more { out[name] = value }
        return out.map { "\($0.key)=\($0.value)" }
    }

    /// Lets the program run on when its owner is gone.
    func letGo() {
        isLetGo = true
    }

    /// Sends a signal.
    func send(_ signal: Int32) {
        kill(processID, signal)
    }

    /// What the program has written to standard error so far.
    var errorsSoFar: String { (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? "" }

    /// What the program has written to standard output so far.
    var outputSoFar: String { (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? "" }

    /// True until the program has ended.
    var isRunning: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
    }

    /// Waits until something holds, at most for a time.
    ///
    /// - Returns: Whether it held while the program ran.
    func wait(until isSo: () -> Bool, within limit: Duration = .seconds(20)) -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if isSo() { return true }
            guard isRunning else { return isSo() }
            usleep(1_000)
        }
        return false
    }

    /// Waits for the program's end; one that takes longer than the limit is killed, and that is a failure.
    func wait(limit: Duration = .seconds(60)) throws -> Ending {
        if let ending { return ending }
        let end = begin + limit
        var status: Int32 = 0
        while true {
            let result = waitpid(processID, &status, WNOHANG)
            if result == processID { break }
            guard result == 0 || errno == EINTR else { throw Failure(description: "\(line): lost") }
            if ContinuousClock.now > end {
                kill(processID, SIGKILL)
                waitpid(processID, &status, 0)
                throw Failure(description: "\(line): still running after \(limit); so far: \(errorsSoFar)")
            }
            usleep(1_000)
        }
        let signal = status & 0x7F
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let ending = Ending(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            wasKilled: signal != 0,
            output: (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? "",
            errors: errorsSoFar,
            seconds: seconds
        )
        self.ending = ending
        return ending
    }
}
