// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import HostSystem
import PCSC

/// What the checks of `taprig doctor` look at: a folder that stands for the host's root, and the service's answers.
///
/// The checks start no program and ask nobody else, so a folder with a few files shows each of them.
struct HostView: Sendable {
    /// What the PC/SC service said.
    enum Service: Sendable {
        /// It answered; these are its readers.
        case answers([ReaderInfo])
        /// It did not answer, or refused.
        case fails(TransportFault)
    }

    /// The folder in front of every path; empty on the host itself.
    let root: String
    let service: Service
    /// The user's name, for commands to type.
    let user: String
    let isAdministrator: Bool
    let environment: [String: String]
    /// True when this user may read and write the file of a path.
    let mayUse: @Sendable (String) -> Bool

    /// The host as it is.
    static func current() -> HostView {
        HostView(
            root: "",
            service: askService(),
            user: HostEnvironment.value("USER") ?? "$USER",
            isAdministrator: geteuid() == 0,
            environment: HostEnvironment.all,
            mayUse: { access($0, R_OK | W_OK) == 0 }
        )
    }

    /// How long the service may take: it waits for a reader that hangs.
    private static let patience = Duration.seconds(5)

    private static func askService() -> Service {
        let ending = SupervisedWorker.perform { watch -> Service in
            watch.arm(patience, "pcscd did not answer within 5 s")
            defer { watch.disarm() }
            do throws(TransportFault) {
                return .answers(try ReaderList.current())
            } catch {
                return error.kind == .noReader ? .answers([]) : .fails(error)
            }
        }
        switch ending {
        case .finished(let service): return service
        case .abandoned(let fault): return .fails(fault)
        }
    }

    // MARK: Files

    /// The text of a small file; nil when it cannot be read.
    func text(_ path: String) -> String? {
        guard let bytes = try? HostFile.read(root + target(of: path), limit: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of a file without blanks around it; nil when it cannot be read.
    func line(_ path: String) -> String? {
        guard let text = text(path) else { return nil }
        let line = text.prefix { $0 != "\n" }
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The names in a folder; none when it cannot be listed.
    func names(_ path: String) -> [String] { (try? HostFile.names(in: root + path)) ?? [] }

    func exists(_ path: String) -> Bool { HostFile.exists(root + path) }

    /// The first of these paths that is there.
    func first(_ paths: [String]) -> String? { paths.first(where: exists) }

    /// The file itself where a path is a link to an absolute one, which leads out of the root otherwise.
    func target(of path: String) -> String {
        guard let target = link(path), target.hasPrefix("/") else { return path }
        return target
    }

    /// Where a link points; nil when it is none.
    func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(root + path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Facts that several checks need

    /// `sudo `, where it takes that.
    var sudo: String { isAdministrator ? "" : "sudo " }

    /// True when systemd runs this host.
    var hasSystemd: Bool { exists("/run/systemd/system") }

    /// The name of the container that this is, as far as it can be told; nil on a plain host.
    var container: String? {
        if let name = environment["container"], !name.isEmpty { return name }
        if exists("/.dockerenv") { return "docker" }
        if exists("/run/.containerenv") { return "podman" }
        let groups = text("/proc/1/cgroup") ?? ""
        return ["docker", "kubepods", "lxc"].first { groups.contains($0) }
    }

    /// True when a process of this name runs where this user's files are.
    func runs(_ name: String) -> Bool {
        let here = link("/proc/self/ns/mnt")
        return names("/proc").contains { entry in
            guard entry.allSatisfy(\.isNumber), line("/proc/\(entry)/comm") == name else { return false }
            // Jobs of CI may each have a service of their own, in a namespace that hides its socket.
            guard let here, let there = link("/proc/\(entry)/ns/mnt") else { return true }
            return here == there
        }
    }

    /// The readers; none when the service does not answer.
    var readers: [ReaderInfo] {
        guard case .answers(let readers) = service else { return [] }
        return readers
    }

    /// True when the service answers.
    var isServed: Bool {
        guard case .answers = service else { return false }
        return true
    }

    /// The command that makes the service read its settings and look for readers again.
    var restartService: String {
        hasSystemd ? "\(sudo)systemctl restart pcscd" : "\(sudo)pkill pcscd; \(sudo)pcscd"
    }
}

extension ReaderInfo {
    /// True for the readers of vpcd, behind which no USB device stands.
    var isVirtual: Bool { name.text.hasPrefix("Virtual PCD") }
}
