// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import JSONText

/// Who holds a lock, as the lock's file tells it to others.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// Its process.
    public let pid: Int
    /// Its user.
    public let user: String
    /// Since when, in ISO 8601.
    public let since: String
    /// What runs there, for example `taprig run`.
    public let command: String

    /// Makes a holder.
    public init(pid: Int, user: String, since: String, command: String) {
        self.pid = pid
        self.user = user
        self.since = since
        self.command = command
    }

    /// This process.
    ///
    /// - Parameter command: Program and subcommand; no arguments, since the file can be read by all.
    /// - Returns: The holder, from now on.
    public static func current(command: String) -> LockHolder {
        LockHolder(
            pid: Int(getpid()),
            user: userName ?? "uid \(getuid())",
            since: WallTime.now.iso,
            command: command
        )
    }

    /// `pid 123 (taprig run, user lab) since 2026-11-30T08:15:02.011Z`.
    public var description: String { "pid \(pid) (\(command), user \(user)) since \(since)" }

    /// As a lock's file holds it.
    var jsonText: String {
        JSON.object([
            "pid": .integer(pid), "user": .string(user), "since": .string(since), "command": .string(command),
        ]).text + "\n"
    }

    /// Reads what a lock's file holds; nil when that is nothing or no holder.
    ///
    /// Anybody may have written it, so it is good for a message and nothing else.
    init?(json bytes: [UInt8]) {
        guard let document = try? JSON(parsing: bytes), let pid = document["pid"]?.integer, pid > 0 else {
            return nil
        }
        func text(_ key: String) -> String { PlainText.line(document[key]?.string ?? "unknown") }
        self.init(pid: pid, user: text("user"), since: text("since"), command: text("command"))
    }

    /// False when no process of this number lives on the host.
    var isAlive: Bool {
        guard let pid = pid_t(exactly: pid) else { return false }
        return kill(pid, 0) == 0 || errno == EPERM
    }

    private static var userName: String? {
        var entry = passwd()
        var buffer = [CChar](repeating: 0, count: 4096)
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }
}
