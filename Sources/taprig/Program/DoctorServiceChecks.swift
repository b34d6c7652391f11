// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import PCSC

/// Checks of the PC/SC service and of what it says.
enum DoctorServiceChecks {
    /// `SCARD_F_COMM_ERROR`: what a client sees whose connection the service closes without a word.
    private static let hungUp: UInt32 = 0x8010_0013
    private static let socket = "/run/pcscd/pcscd.comm"
    private static let pidFile = "/run/pcscd/pcscd.pid"
    private static let programs = ["/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd"]
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    /// Where the rule goes that a refused user needs.
    static let ruleFile = "/etc/polkit-1/rules.d/90-taprig-pcscd.rules"

    /// Whether the service answers, and if not, why.
    static func service(_ host: HostView) -> [DoctorFinding] {
        switch host.service {
        case .answers: return socketActivation(host)
        case .fails(let fault):
            switch fault.kind {
            case .permission: return [refused(host, fault)]
            case .service where fault.code == hungUp: return [refused(host, fault)]
            case .service: return [stopped(host)]
            case .timeout:
                return [
                    .trouble(
                        .service,
                        "service-hangs",
                        "\(fault.detail): a reader or a card keeps it waiting, and every program with it",
                        type: host.restartService
                    )
                ]
            default:
                return [
                    .trouble(
                        .service,
                        "service-error",
                        fault.detail,
                        type: fault.hint.isEmpty ? host.restartService : fault.hint
                    )
                ]
            }
        }
    }

    /// What the service's readers hold.
    static func readers(_ host: HostView) -> [DoctorFinding] {
        guard host.isServed else { return [] }
        var out: [DoctorFinding] = []
        if host.readers.isEmpty {
            out.append(
                .trouble(
                    .readers,
                    "no-reader",
                    "pcscd runs and has no reader",
                    type: "plug a reader in, then: taprig readers",
                    "for emulated cards: \(host.sudo)apt-get install vsmartcard-vpcd && \(host.restartService)"
                )
            )
        }
        for reader in host.readers {
            let name = reader.name.text
            switch reader.state {
            case .empty where reader.isVirtual:
                out.append(
                    .note(.readers, "reader-empty", "'\(name)' has no card", type: emulate(in: reader))
                )
            case .empty:
                out.append(
                    .note(
                        .readers,
                        "reader-empty",
                        "'\(name)' has no card",
                        type: "place the card, then: taprig readers"
                    )
                )
            case .present where reader.atr.isEmpty:
                out.append(
                    .trouble(
                        .readers,
                        "card-mute",
                        "the card in '\(name)' gives no answer to reset",
                        type: "take it away, clean or turn it, place it again, then: taprig readers"
                    )
                )
            case .inUse:
                out.append(inUse(reader, host))
            case .present:
                break
            }
        }
        return out
    }

    /// The command that puts a card into a slot of the virtual reader: each listens on a port of its own.
    private static func emulate(in reader: ReaderInfo) -> String {
        // pcscd ends a name with the numbers of the reader and of the slot, two hex digits each.
        let slot = reader.name.text.split(separator: " ").last.flatMap { Int($0, radix: 16) } ?? 0
        guard slot > 0 else { return "taprig emulate nbt" }
        return "taprig emulate nbt --vpcd localhost:\(DoctorDriverChecks.virtualPorts[0] + slot)"
    }

    private static func inUse(_ reader: ReaderInfo, _ host: HostView) -> DoctorFinding {
        let what = "another program is connected to the card in '\(reader.name.text)'"
        guard host.runs("scdaemon") else {
            return .note(.readers, "reader-in-use", what, type: "end that program before a run")
        }
        return .note(
            .readers,
            "reader-in-use",
            "\(what); scdaemon of GnuPG runs, and it holds cards",
            type: "gpgconf --kill scdaemon"
        )
    }

    // MARK: Why the service does not answer

    private static func stopped(_ host: HostView) -> DoctorFinding {
        if host.exists(socket), let pid = host.line(pidFile), !pid.isEmpty, !host.exists("/proc/\(pid)") {
            return .trouble(
                .service,
                "service-stale",
                "pcscd is gone, and what it left in /run/pcscd (process \(pid)) keeps the next one from starting",
                type: "\(host.sudo)rm -f \(socket) \(pidFile)",
                start(host)
            )
        }
        if host.first(programs) == nil {
            if host.container != nil {
                return .trouble(
                    .service,
                    "service-missing",
                    "pcscd is neither in this container nor lent to it",
                    type: "start the container with: -v /run/pcscd:/run/pcscd",
                    "or install it here: \(host.sudo)apt-get install pcscd && \(host.sudo)pcscd"
                )
            }
            return .trouble(
                .service,
                "service-missing",
                "pcscd is not installed",
                type: "\(host.sudo)apt-get install pcscd",
                "emulators in process need none: taprig run PATH --via emulator"
            )
        }
        if isMasked("pcscd.socket", host) || isMasked("pcscd.service", host) {
            return .trouble(
                .service,
                "service-masked",
                "pcscd is installed and masked: systemd refuses to start it",
                type: "\(host.sudo)systemctl unmask pcscd.socket pcscd.service",
                "\(host.sudo)systemctl enable --now pcscd.socket"
            )
        }
        if host.runs("pcscd") {
            return .trouble(
                .service,
                "service-unreachable",
                "pcscd runs, and its socket is not at \(host.environment["PCSCLITE_CSOCK_NAME"] ?? socket)",
                type: "unset PCSCLITE_CSOCK_NAME, and check that /run/pcscd is the service's own",
                host.restartService
            )
        }
        return .trouble(.service, "service-stopped", "pcscd is installed and not running", type: start(host))
    }

    private static func start(_ host: HostView) -> String {
        guard host.hasSystemd else { return "\(host.sudo)pcscd" }
        return isSocketEnabled(host)
            ? "\(host.sudo)systemctl restart pcscd.socket"
            : "\(host.sudo)systemctl enable --now pcscd.socket"
    }

    private static func refused(_ host: HostView, _ fault: TransportFault) -> DoctorFinding {
        if host.exists(socket), !host.mayUse(socket) {
            return .trouble(
                .service,
                "socket-refused",
                "this user may not open pcscd's socket \(socket)",
                type: "\(host.sudo)systemctl edit pcscd.socket    # [Socket] SocketMode=0666",
                "\(host.sudo)systemctl restart pcscd.socket"
            )
        }
        var what = "pcscd refuses this user by policy (polkit)"
        if host.first(["/usr/lib/polkit-1/polkitd", "/usr/libexec/polkitd", "/usr/lib/policykit-1/polkitd"])
            == nil
        {
            what =
                "pcscd asks polkit who may use cards, and polkit is not installed, so it refuses everybody but root"
        } else if let rule = existingRule(host) {
            what += "; the rule in \(rule) does not let it in"
        } else {
            what += ": the default lets in only who sits at the screen, not a login by ssh or a job of CI"
        }
        return .trouble(
            .service,
            "service-refused",
            what,
            type: """
                sudo tee \(ruleFile) <<'END'
                polkit.addRule(function(action, subject) {
                    if (action.id.indexOf("org.debian.pcsc-lite.") == 0 && subject.user == "\(host.user)") {
                        return polkit.Result.YES;
                    }
                });
                END
                """,
            "sudo systemctl restart polkit pcscd"
        )
    }

    /// A rule file that speaks of the service.
    private static func existingRule(_ host: HostView) -> String? {
        for folder in ["/etc/polkit-1/rules.d", "/usr/share/polkit-1/rules.d"] {
            for name in host.names(folder)
            where host.text("\(folder)/\(name)")?.contains("pcsc-lite") == true {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    // MARK: systemd

    private static func isMasked(_ unit: String, _ host: HostView) -> Bool {
        host.link("/etc/systemd/system/\(unit)") == "/dev/null"
    }

    private static func isSocketEnabled(_ host: HostView) -> Bool {
        host.link("/etc/systemd/system/sockets.target.wants/pcscd.socket") != nil
    }

    /// A service that comes and goes matters to cards that others put into the virtual reader.
    private static func socketActivation(_ host: HostView) -> [DoctorFinding] {
        guard host.hasSystemd, isSocketEnabled(host),
            let unit = host.first(unitFolders.map { "\($0)/pcscd.service" }),
            host.text(unit)?.contains("--auto-exit") == true,
            host.readers.contains(where: { $0.isVirtual })
        else { return [] }
        return [
            .note(
                .service,
                "socket-activation",
                "pcscd is started by its socket and ends after 60 s without a client; cards of taprig dial the "
                    + "virtual reader again by themselves, others may stay behind",
                type: "to keep it running: \(host.sudo)systemctl edit pcscd    # [Service] ExecStart= and "
                    + "ExecStart=/usr/sbin/pcscd --foreground"
            )
        ]
    }
}
