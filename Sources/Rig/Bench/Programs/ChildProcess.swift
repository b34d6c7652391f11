// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Synchronization

/// Runs one program of the host to its end, within bounds of time and output.
enum ChildProcess {
    /// The most bytes that are kept of each stream; the rest is read and thrown away.
    static let mostOutput = 65_536
    /// How long a killed program may take to be gone; one that hangs in the kernel is left behind.
    private static let burialLimit = Duration.seconds(2)
    /// How often the end of a program is looked for whose children still hold its streams.
    private static let glance = Duration.milliseconds(50)

    enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        case timedOut
        /// Somebody else took the program's status.
        case unknown
    }

    struct Result: Sendable {
        var end = End.unknown
        var output: [UInt8] = []
        var errors: [UInt8] = []

        /// The last line with something on it, of the error stream first; control characters left out.
        var lastLine: String? {
            for bytes in [errors, output] {
                let text = String(decoding: bytes, as: UTF8.self)
                let lines = text.split { $0.isNewline }.reversed().lazy.map(PlainText.line)
                if let line = lines.first(where: { !$0.isEmpty }) { return line }
            }
            return nil
        }
    }

    struct StartFailure: Error {
        let reason: String
    }

    /// No two programs are started at a time: a pipe that is not yet marked would be inherited by the other one.
    private static let starting = Mutex(())

    static func run(
        path: String,
        arguments: [String],
        environment: [String: String],
        timeout: Duration
    ) throws(StartFailure) -> Result {
        let started = try starting.withLock { _ throws(StartFailure) in
            try start(path: path, arguments: arguments, environment: environment)
        }
        defer {
            Glibc.close(started.output)
            Glibc.close(started.errors)
        }
        return watch(started, until: MonotonicTime.now + timeout)
    }

    // MARK: Start

    private struct Started {
        let pid: pid_t
        let output: Int32
        let errors: Int32
    }

    private static func start(
        path: String,
        arguments: [String],
        environment: [String: String]
    ) throws(StartFailure) -> Started {
        let output = try makePipe()
        let errors: (read: Int32, write: Int32)
        do {
            errors = try makePipe()
        } catch {
            Glibc.close(output.read)
            Glibc.close(output.write)
            throw error
        }
        var pid: pid_t = 0
        let result = spawn(&pid, path, arguments, environment, output: output.write, errors: errors.write)
        Glibc.close(output.write)
        Glibc.close(errors.write)
        guard result == 0 else {
            Glibc.close(output.read)
            Glibc.close(errors.read)
            throw StartFailure(reason: String(cString: strerror(result)))
        }
        return Started(pid: pid, output: output.read, errors: errors.read)
    }

    private static func makePipe() throws(StartFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StartFailure(reason: String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ pid: inout pid_t,
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        output: Int32,
        errors: Int32
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // An input that is closed would hand its number to the first file that the program opens.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // Our own files are marked to close; what a C library opened may not be, a reader's lock least of all.
        for name in (try? HostFile.names(in: "/proc/self/fd")) ?? [] {
            guard let number = Int32(name), number > STDERR_FILENO else { continue }
            posix_spawn_file_actions_addclose(&actions, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that our threads block or ignore would stay so in the program.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for word in words + variables { free(word) }
        }
        return posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
    }

    // MARK: Watch

    private static func watch(_ started: Started, until end: Duration) -> Result {
        var result = Result()
        var isOutputOpen = true
        var isErrorsOpen = true
        var pause = Duration.milliseconds(1)
        while true {
            if isOutputOpen { isOutputOpen = drain(started.output, into: &result.output) }
            if isErrorsOpen { isErrorsOpen = drain(started.errors, into: &result.errors) }
            if let ended = reap(started.pid) {
                // What was printed last may have come after the look above.
                if isOutputOpen { _ = drain(started.output, into: &result.output) }
                if isErrorsOpen { _ = drain(started.errors, into: &result.errors) }
                result.end = ended
                return result
            }
            let left = end - MonotonicTime.now
            guard left > .zero else {
                bury(started.pid)
                result.end = .timedOut
                return result
            }
            let wait = min(left, isOutputOpen || isErrorsOpen ? glance : pause)
            pause = min(pause * 2, glance)
            var files: [pollfd] = []
            if isOutputOpen { files.append(pollfd(fd: started.output, events: Int16(POLLIN), revents: 0)) }
            if isErrorsOpen { files.append(pollfd(fd: started.errors, events: Int16(POLLIN), revents: 0)) }
            poll(&files, nfds_t(files.count), Int32(max(1, (wait / .milliseconds(1)).rounded())))
        }
    }

    /// Reads what is there.
    ///
    /// - Returns: False when the stream has ended.
    private static func drain(_ descriptor: Int32, into out: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        // A program that prints without end must not keep us here past its time.
        for _ in 0..<64 {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                out += chunk[0..<min(count, mostOutput - out.count)]
                continue
            }
            if count == 0 { return false }
            if errno != EINTR { return errno == EAGAIN }
        }
        return true
    }

    /// Takes the status of a program that has ended; nil while it runs.
    private static func reap(_ pid: pid_t) -> End? {
        var status: Int32 = 0
        while true {
            let result = waitpid(pid, &status, WNOHANG)
            if result == 0 { return nil }
            if result == pid { break }
            if errno != EINTR { return .unknown }
        }
        // The low seven bits hold the signal, the byte above them the exit status.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }

    /// Kills a program with all that it started.
    private static func bury(_ pid: pid_t) {
        kill(-pid, SIGKILL)
        let end = MonotonicTime.now + burialLimit
        while reap(pid) == nil, MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(1))
        }
    }
}
