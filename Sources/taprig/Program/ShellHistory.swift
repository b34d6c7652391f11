// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Scenario
import Trace

/// The shell's lines of earlier sessions, in a file that only its owner can read.
struct ShellHistory {
    /// Lines that are kept.
    static let limit = 1000

    /// The file; nil when there is no place for it.
    let path: String?

    init(environment: [String: String]) {
        path = Self.path(environment)
    }

    /// `$XDG_STATE_HOME/taprig/history`, else in `~/.local/state`.
    ///
    /// Source: XDG Base Directory Specification 0.8; a relative path is to be ignored.
    static func path(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            return "\(folder)/taprig/history"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/taprig/history"
    }

    /// The lines, the oldest first.
    func lines() -> [String] {
        guard let path, let bytes = try? HostFile.read(path, limit: 16 << 20) else { return [] }
        let all = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard all.count > 2 * Self.limit else { return Array(all.suffix(Self.limit)) }
        let kept = Array(all.suffix(Self.limit))
        // The file has grown to twice of what is of use.
        try? HostFile.write(kept.joined(separator: "\n") + "\n", to: path)
        chmod(path, 0o600)
        return kept
    }

    /// Adds a line at the end; a history that cannot be kept is no reason to complain.
    func add(_ line: String) {
        guard let path, !line.contains("\n"), let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        if !HostFile.isFolder(folder) {
            guard (try? HostFile.makeFolder(folder)) != nil else { return }
            chmod(folder, 0o700)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        fchmod(descriptor, 0o600)
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    // MARK: What is never kept

    /// Parts of words that stand beside secrets.
    private static let secretWords = [
        "pin", "puk", "pass", "secret", "code", "key", "mnemonic", "seed", "verify", "unlock", "auth", "cvc",
    ]

    /// True when a line may be kept: neither its words nor what it sent has to do with a secret.
    ///
    /// A line that could not be read may be kept in memory, to be mended, but not in the file.
    ///
    /// - Parameters:
    ///   - text: The line.
    ///   - line: What it asks for; nil when it could not be read.
    ///   - sent: The commands that came of it.
    /// - Returns: False for the slightest doubt.
    static func mayKeep(_ text: String, _ line: ShellLine?, sent: [[UInt8]]) -> Bool {
        let lowercased = text.lowercased()
        guard !secretWords.contains(where: { lowercased.contains($0) }) else { return false }
        guard !sent.contains(where: isSecret) else { return false }
        switch line {
        case .nothing: return false
        case .command(let bytes): return !isSecret(bytes)
        case .control: return true
        // A verb that sends something and did not may have been about to send a secret.
        case .step(let step):
            guard case .verb(let spec, _) = step.action else { return false }
            return !spec.exchanges || !sent.isEmpty
        // A command with a slip in it may be one with a PIN.
        case nil: return !ShellLine.isHex(ShellLine.trimmed(text)) && !lowercased.contains("send")
        }
    }

    /// Commands whose data is, or holds, a secret: those that traces mask, those of passwords of the NBT, and a SELECT
    /// that has more than a file id in it, as the NBT takes passwords there.
    ///
    /// Source: ISO/IEC 7816-4:2013 §7.5; OPTIGA Authenticate NBT, command table.
    static func isSecret(_ command: [UInt8]) -> Bool {
        guard command.count > 5 else { return false }
        if !SecretMask(target: nil).hiddenInCommand(command).isEmpty { return true }
        switch command[1] {
        case 0x20, 0x21, 0x24, 0x25, 0x2C, 0x2D, 0x82, 0xE1, 0xE4, 0xE2: return true
        case 0xA4: return command[2] == 0 && command[4] > 2
        default: return false
        }
    }
}
