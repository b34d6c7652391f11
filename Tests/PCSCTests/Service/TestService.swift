// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HostSystem
import PCSC

/// The PC/SC service that `ci/with-pcscd` started for these tests alone, and may be stopped and started.
enum TestService {
    /// Whether these tests run beside such a service.
    static var isThere: Bool {
        HostEnvironment.value("TAPRIG_PCSCD") == "1" && HostEnvironment.value("TAPRIG_PCSCD_PID_FILE") != nil
    }

    struct Missing: Error {}

    private static var pidFile: String { HostEnvironment.value("TAPRIG_PCSCD_PID_FILE") ?? "" }

    private static var pid: pid_t? {
        guard let text = try? String(contentsOfFile: pidFile, encoding: .utf8) else { return nil }
        return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Ends the service and waits until it is gone.
    static func stop(_ signal: Int32 = SIGTERM) throws {
        guard let pid else { throw Missing() }
        kill(pid, signal)
        if eventually(.seconds(3), { isGone(pid) }) == nil {
            // A card that does not answer keeps it from ending.
            kill(pid, SIGKILL)
            guard eventually(.seconds(3), { isGone(pid) }) != nil else { throw Missing() }
        }
        // A service that was killed leaves these behind, and the next one would not start.
        unlink("/run/pcscd/pcscd.comm")
        unlink("/run/pcscd/pcscd.pid")
    }

    /// Starts the service; does not wait for it.
    static func start() throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let log = HostEnvironment.value("TAPRIG_PCSCD_LOG") ?? "/dev/null"
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_APPEND, 0)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        // The threads that run tests block signals, and the service would inherit that and never see TERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("pcscd"), strdup("--foreground"), nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/usr/sbin/pcscd", &actions, &attributes, &arguments, environ) == 0 else {
            throw Missing()
        }
        try Data("\(pid)\n".utf8).write(to: URL(fileURLWithPath: pidFile))
    }

    /// Whether a process has ended; a child of this one is then reaped.
    private static func isGone(_ pid: pid_t) -> Bool {
        var status: Int32 = 0
        waitpid(pid, &status, WNOHANG)
        return kill(pid, 0) != 0
    }

    /// Waits until the service answers and lists its readers.
    static func waitUntilUp() throws {
        let isUp = eventually(.seconds(5)) {
            ((try? ReaderList.current(withDetails: false)) ?? []).count == 2
        }
        guard isUp != nil else { throw Missing() }
    }

    /// True when the virtual reader's first port is open.
    static var isListening: Bool {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
        return tables.contains { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
            return text.split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                return words.count > 3 && words[1].hasSuffix(":8C7B") && words[3] == "0A"
            }
        }
    }

    /// Waits until both slots are empty, so that one test's card does not meet the next test.
    static func waitUntilEmpty() {
        eventually(.seconds(5)) {
            ((try? ReaderList.current(withDetails: false)) ?? []).allSatisfy { $0.state == .empty }
        }
    }
}
