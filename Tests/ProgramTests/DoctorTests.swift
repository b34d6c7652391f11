// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import JSONText
import PCSC
import Testing

@testable import taprig

@Suite("Doctor")
struct DoctorTests {
    /// A host on which all is well: service, driver with escape commands, one reader with a card.
    private static let goodFiles = [
        "/usr/sbin/pcscd": "", "/run/pcscd/pcscd.comm": "", "/run/systemd/system/.keep": "",
        "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist": plist(options: "0x0001"),
        "/proc/net/dev": "Inter-|   Receive\n face |bytes\n    lo: 1 2\n  eth0: 1 2\n",
        "/proc/net/tcp": tcp("0100007F:8C7B"),
    ]

    private static let reader = ReaderInfo(
        name: "ACS ACR1252 [PICC] 00 00",
        state: .present,
        atr: [0x3B, 0x80, 0x80, 0x01, 0x01],
        usbPath: "1-1"
    )

    private static func plist(options: String) -> String {
        """
        <dict>
            <key>ifdVersionNumber</key>
            <string>0x00000001</string>
            <key>ifdDriverOptions</key>
            <string>\(options)</string>
            <key>ifdVendorID</key>
            <array>
                <string>0x08E6</string>
                <string>0x072F</string>
            </array>
            <key>ifdProductID</key>
            <array>
                <string>0x3437</string>
                <string>0x223B</string>
            </array>
        </dict>
        """
    }

    private static func tcp(_ address: String, state: String = "0A") -> String {
        "  sl  local_address rem_address   st\n   0: \(address) 00000000:0000 \(state) 00000000:00000000\n"
    }

    /// A host made of files; a text that begins with `->` is a link.
    final class FakeHost {
        let folder: TemporaryFolder
        var service: HostView.Service = .answers([DoctorTests.reader])
        var isAdministrator = false
        var environment: [String: String] = [:]
        var refused: Set<String> = []

        init(_ files: [String: String] = [:], without missing: [String] = []) throws {
            folder = try TemporaryFolder()
            for (path, text) in DoctorTests.goodFiles.merging(files, uniquingKeysWith: { $1 })
            where !missing.contains(path) {
                if text.hasPrefix("->") {
                    _ = try folder.write("\(path.dropFirst()).tmp", "")
                    try HostFile.link(folder.path(String(path.dropFirst())), to: String(text.dropFirst(2)))
                } else {
                    try folder.write(String(path.dropFirst()), text)
                }
            }
        }

        var findings: [DoctorFinding] {
            let (root, refused) = (folder.path, refused)
            return DoctorCommand.findings(
                on: HostView(
                    root: root,
                    service: service,
                    user: "tester",
                    isAdministrator: isAdministrator,
                    environment: environment,
                    mayUse: { !refused.contains($0) }
                )
            )
        }

        /// The finding of an id.
        func finding(_ id: String) throws -> DoctorFinding {
            try #require(findings.first { $0.id == id }, "\(findings.map(\.id))")
        }
    }

    /// A USB device with one interface.
    private static func usb(
        _ path: String,
        _ ids: String,
        name: String,
        deviceClass: String = "0b",
        interface: String = "",
        driver: String? = nil,
        hasNode: Bool = true
    ) -> [String: String] {
        let here = "/sys/bus/usb/devices/\(path)"
        let parts = ids.split(separator: ":").map(String.init)
        var files = [
            "\(here)/idVendor": parts[0] + "\n", "\(here)/idProduct": parts[1] + "\n",
            "\(here)/busnum": "1\n", "\(here)/devnum": "7\n", "\(here)/product": name + "\n",
            "\(here):1.0/bInterfaceClass": deviceClass + "\n", "\(here):1.0/interface": interface + "\n",
        ]
        if let driver { files["\(here):1.0/driver"] = "->../../../../bus/usb/drivers/\(driver)" }
        if hasNode { files["/dev/bus/usb/001/007"] = "" }
        return files
    }

    private static let noService = HostView.Service.fails(
        TransportFault(.service, "pcscd is not running", code: 0x8010_001D)
    )

    @Test("finds nothing on a host where all is well")
    func well() throws {
        let host = try FakeHost()
        #expect(host.findings.isEmpty)
        #expect(!DoctorCommand.hasTrouble(host.findings))
        #expect(DoctorCommand.text(host.findings).hasSuffix("all well\n"))
    }

    // MARK: Service

    @Test("tells a service that was never installed")
    func missing() throws {
        let host = try FakeHost(without: ["/usr/sbin/pcscd", "/run/pcscd/pcscd.comm"])
        host.service = Self.noService
        let finding = try host.finding("service-missing")
        #expect(finding.level == .trouble)
        #expect(finding.remedies[0] == "sudo apt-get install pcscd")
    }

    @Test("tells a service that is not started, and how systemd starts it")
    func stopped() throws {
        let host = try FakeHost(without: ["/run/pcscd/pcscd.comm"])
        host.service = Self.noService
        #expect(try host.finding("service-stopped").remedies == ["sudo systemctl enable --now pcscd.socket"])
        let enabled = try FakeHost(
            ["/etc/systemd/system/sockets.target.wants/pcscd.socket": "->/lib/systemd/system/pcscd.socket"]
        )
        enabled.service = Self.noService
        #expect(try enabled.finding("service-stopped").remedies == ["sudo systemctl restart pcscd.socket"])
        let plain = try FakeHost(without: ["/run/systemd/system/.keep"])
        try? HostFile.makeFolder(plain.folder.path("run"))
        plain.service = Self.noService
        plain.isAdministrator = true
        #expect(try plain.finding("service-stopped").remedies == ["pcscd"])
    }

    @Test("tells a masked service")
    func masked() throws {
        let host = try FakeHost(["/etc/systemd/system/pcscd.socket": "->/dev/null"])
        host.service = Self.noService
        #expect(try host.finding("service-masked").remedies[0].contains("systemctl unmask pcscd.socket"))
    }

    @Test("tells what a killed service left behind")
    func stale() throws {
        let host = try FakeHost(["/run/pcscd/pcscd.pid": "4711\n"])
        host.service = Self.noService
        let finding = try host.finding("service-stale")
        #expect(finding.what.contains("4711"))
        #expect(finding.remedies[0] == "sudo rm -f /run/pcscd/pcscd.comm /run/pcscd/pcscd.pid")
    }

    @Test("tells a service whose socket is somewhere else")
    func unreachable() throws {
        let host = try FakeHost(["/proc/812/comm": "pcscd\n"])
        host.service = Self.noService
        host.environment = ["PCSCLITE_CSOCK_NAME": "/tmp/other.comm"]
        #expect(try host.finding("service-unreachable").what.contains("/tmp/other.comm"))
    }

    @Test(
        "names the rule file when the service's policy refuses the user",
        arguments: [0x8010_006A, 0x8010_0013]
    )
    func refused(_ code: UInt32) throws {
        let host = try FakeHost(["/usr/lib/polkit-1/polkitd": ""])
        host.service = .fails(
            TransportFault(code == 0x8010_0013 ? .service : .permission, "refused", code: code)
        )
        let finding = try host.finding("service-refused")
        #expect(finding.what.contains("polkit"))
        #expect(finding.remedies[0].contains("sudo tee /etc/polkit-1/rules.d/90-taprig-pcscd.rules"))
        #expect(finding.remedies[0].contains("subject.user == \"tester\""))
        #expect(finding.remedies[1] == "sudo systemctl restart polkit pcscd")
    }

    @Test("tells polkit's absence, and a rule that is there and does not help")
    func policy() throws {
        let host = try FakeHost()
        host.service = .fails(TransportFault(.permission, "refused", code: 0x8010_006A))
        #expect(try host.finding("service-refused").what.contains("polkit is not installed"))
        let rule = "/etc/polkit-1/rules.d/50-cards.rules"
        let ruled = try FakeHost([rule: "org.debian.pcsc-lite", "/usr/lib/polkit-1/polkitd": ""])
        ruled.service = host.service
        #expect(try ruled.finding("service-refused").what.contains(rule))
    }

    @Test("tells a socket that this user may not open")
    func socket() throws {
        let host = try FakeHost()
        host.refused = ["/run/pcscd/pcscd.comm"]
        host.service = .fails(TransportFault(.permission, "refused", code: 0x8010_001D))
        #expect(try host.finding("socket-refused").remedies[0].contains("systemctl edit pcscd.socket"))
    }

    @Test("tells a service that does not answer, and other trouble in its own words")
    func hangs() throws {
        let host = try FakeHost()
        host.service = .fails(TransportFault(.timeout, "pcscd did not answer within 5 s"))
        #expect(try host.finding("service-hangs").remedies == ["sudo systemctl restart pcscd"])
        host.service = .fails(TransportFault(.transport, "internal error", hint: "see its log"))
        #expect(try host.finding("service-error").remedies == ["see its log"])
    }

    @Test("notes that a service which ends when idle loses other programs' virtual cards")
    func activation() throws {
        let host = try FakeHost([
            "/etc/systemd/system/sockets.target.wants/pcscd.socket": "->/lib/systemd/system/pcscd.socket",
            "/lib/systemd/system/pcscd.service": "ExecStart=/usr/sbin/pcscd --foreground --auto-exit\n",
        ])
        #expect(host.findings.isEmpty)
        host.service = .answers([ReaderInfo(name: "Virtual PCD 00 00", state: .present, atr: [0x3B, 0x00])])
        #expect(try host.finding("socket-activation").level == .note)
    }

    // MARK: Readers

    @Test("tells a service without a reader, and readers without a card")
    func readers() throws {
        let host = try FakeHost()
        host.service = .answers([])
        #expect(try host.finding("no-reader").level == .trouble)
        host.service = .answers([
            ReaderInfo(name: "ACS ACR1252 00 01"), ReaderInfo(name: "Virtual PCD 00 00"),
            ReaderInfo(name: "Virtual PCD 01 01"),
        ])
        let empty = host.findings.filter { $0.id == "reader-empty" }
        #expect(empty.map(\.level) == [.note, .note, .note])
        #expect(empty[0].remedies == ["place the card, then: taprig readers"])
        #expect(empty[1].remedies == ["taprig emulate nbt"])
        // Each slot has a port of its own; what dials the other one waits behind the card there.
        #expect(empty[2].remedies == ["taprig emulate nbt --vpcd localhost:35964"])
    }

    @Test("tells a mute card, and one that another program holds")
    func cards() throws {
        let host = try FakeHost(["/proc/99/comm": "scdaemon\n"])
        host.service = .answers([
            ReaderInfo(name: "A 00 00", state: .present),
            ReaderInfo(name: "B 01 00", state: .inUse, atr: [0x3B]),
        ])
        #expect(try host.finding("card-mute").level == .trouble)
        #expect(try host.finding("reader-in-use").remedies == ["gpgconf --kill scdaemon"])
    }

    // MARK: Driver

    @Test(
        "tells the file and the bit that keep escape commands off",
        arguments: [("0x0000", "0x0001"), ("0x0014", "0x0015")]
    )
    func escape(_ options: String, _ wanted: String) throws {
        let contents = "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents"
        let host = try FakeHost(["\(contents)/Info.plist": Self.plist(options: options)])
        let finding = try host.finding("escape-off")
        #expect(finding.level == .note)
        #expect(
            finding.what.contains("\(contents)/Info.plist has ifdDriverOptions \(options), bit 0 (0x0001)")
        )
        #expect(finding.remedies[0].contains(">\(wanted)<"))
    }

    @Test("names the file in /etc that the driver's link leads to")
    func link() throws {
        let host = try FakeHost([
            "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist": "->/etc/libccid_Info.plist",
            "/etc/libccid_Info.plist": Self.plist(options: "0x0000"),
        ])
        #expect(try host.finding("escape-off").remedies[0].hasSuffix(" /etc/libccid_Info.plist"))
    }

    @Test("tells that the driver is missing only where there is a USB reader")
    func driver() throws {
        let path = "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist"
        let host = try FakeHost(Self.usb("1-1", "072f:223b", name: "ACR1252"), without: [path])
        host.service = .answers([])
        #expect(try host.finding("driver-missing").remedies[0] == "sudo apt-get install libccid")
        let none = try FakeHost(without: [path])
        none.service = .answers([ReaderInfo(name: "Virtual PCD 00 00", state: .present, atr: [0x3B, 0])])
        #expect(none.findings.isEmpty)
    }

    // MARK: Virtual reader

    @Test(
        "warns of a virtual reader that others can reach",
        arguments: ["00000000:8C7B", "0202000A:8C7C", "00000000000000000000000000000000:8C7B"]
    )
    func open(_ address: String) throws {
        let host = try FakeHost(["/proc/net/tcp6": Self.tcp(address)])
        let finding = try host.finding("vpcd-open")
        #expect(finding.level == .trouble)
        #expect(finding.what.contains("eth0"))
        #expect(finding.remedies[0].contains("ci/with-pcscd"))
    }

    @Test(
        "is content with a virtual reader on loopback, with other ports, and with connections",
        arguments: ["0100007F:8C7B", "00000000000000000000000001000000:8C7B", "00000000:1F90"]
    )
    func closed(_ address: String) throws {
        #expect(try FakeHost(["/proc/net/tcp": Self.tcp(address)]).findings.isEmpty)
        #expect(try FakeHost(["/proc/net/tcp": Self.tcp("00000000:8C7B", state: "01")]).findings.isEmpty)
        let alone = try FakeHost(["/proc/net/tcp": Self.tcp("00000000:8C7B"), "/proc/net/dev": "  lo: 1\n"])
        #expect(alone.findings.isEmpty)
    }

    // MARK: USB

    @Test("tells the kernel driver that took a reader, and how to get it back")
    func kernelDriver() throws {
        var files = Self.usb("1-1", "072f:2200", name: "ACR122U", driver: "pn533_usb")
        files["/sys/bus/usb/drivers/pn533_usb/module"] = "->../../../../module/pn533_usb"
        let finding = try FakeHost(files).finding("kernel-driver")
        #expect(finding.what.contains("pn533_usb holds 'ACR122U' (072f:2200, USB 1-1)"))
        #expect(finding.remedies[0] == "sudo modprobe -r pn533_usb")
        #expect(finding.remedies[1].contains("blacklist pn533_usb"))
    }

    @Test("tells a probe that this user may not open, with the rule for it")
    func probe() throws {
        let files = Self.usb(
            "1-2",
            "04b4:f155",
            name: "KitProg3 CMSIS-DAP BULK",
            deviceClass: "ff",
            interface: "KitProg3 CMSIS-DAP"
        )
        let host = try FakeHost(files)
        #expect(host.findings.map(\.id) == ["probe-ready"])
        host.refused = ["/dev/bus/usb/001/007"]
        let finding = try host.finding("usb-refused")
        #expect(finding.level == .trouble)
        #expect(finding.remedies[0].contains("ATTR{idVendor}==\"04b4\", ATTR{idProduct}==\"f155\""))
        #expect(finding.remedies[1] == "sudo udevadm control --reload && sudo udevadm trigger")
    }

    @Test("tells a probe that another program has, and one in HID mode")
    func probeInUse() throws {
        let name = "KitProg3 CMSIS-DAP"
        var files = Self.usb("1-2", "04b4:f155", name: name, deviceClass: "ff", interface: name)
        files["/proc/4711/comm"] = "openocd\n"
        files["/proc/4711/fd/5"] = "->/dev/bus/usb/001/007"
        let finding = try FakeHost(files).finding("probe-busy")
        #expect(finding.level == .note)
        #expect(finding.what.contains("is in use by openocd (process 4711)"))
        let hid = Self.usb("1-2", "04b4:f154", name: name, deviceClass: "03", interface: name)
        let mode = try FakeHost(hid).finding("probe-hid-mode")
        #expect(mode.level == .trouble)
        #expect(mode.remedies[0].hasPrefix("fw-loader --mode kp3-bulk"))
    }

    @Test("only notes a reader that this user may not open when the service has it")
    func readerPermission() throws {
        let host = try FakeHost(Self.usb("1-1", "072f:223b", name: "ACR1252"))
        host.refused = ["/dev/bus/usb/001/007"]
        #expect(try host.finding("usb-refused").level == .note)
        host.service = Self.noService
        #expect(try host.finding("usb-refused").level == .trouble)
    }

    @Test("tells readers that are plugged in and not listed, and why")
    func unlisted() throws {
        let plain = try FakeHost(Self.usb("1-1", "072f:223b", name: "ACR1252"))
        #expect(plain.findings.isEmpty)
        plain.service = .answers([])
        #expect(try plain.finding("reader-unlisted").remedies[1].contains("journalctl -u pcscd"))
        let unknown = try FakeHost(Self.usb("1-1", "1234:5678", name: "Newcomer"))
        unknown.service = .answers([])
        #expect(try unknown.finding("reader-unknown").what.contains("1234:5678"))
        let claimed = try FakeHost(Self.usb("1-1", "072f:223b", name: "ACR1252", driver: "usbfs"))
        claimed.service = .answers([])
        #expect(try claimed.finding("usb-claimed").remedies[0] == "sudo lsof /dev/bus/usb/001/007")
    }

    // MARK: Containers

    @Test("hints at what a container must be given")
    func container() throws {
        let files = Self.usb("1-1", "072f:223b", name: "ACR1252", hasNode: false)
        let host = try FakeHost(
            files.merging(["/.dockerenv": ""]) { $1 },
            without: ["/usr/sbin/pcscd", "/run/pcscd/pcscd.comm"]
        )
        host.service = Self.noService
        #expect(try host.finding("service-missing").remedies[0].contains("-v /run/pcscd:/run/pcscd"))
        #expect(try host.finding("usb-node-missing").remedies[0].contains("--device /dev/bus/usb"))
        #expect(try host.finding("container").level == .note)
    }

    // MARK: Output

    @Test("prints areas, what is the matter and what to type, and the same as JSON")
    func output() throws {
        let findings = [
            DoctorFinding.trouble(.service, "service-stopped", "pcscd is not running", type: "pcscd"),
            DoctorFinding.note(
                .driver,
                "escape-off",
                "escape is off",
                type: "tee x <<'END'\nline\nEND",
                "again"
            ),
        ]
        #expect(
            DoctorCommand.text(findings) == """
                trouble  service        pcscd is not running
                         > pcscd
                note     driver         escape is off
                         > tee x <<'END'
                line
                END
                         > again
                ok       usb
                ok       virtual reader
                ok       host
                one trouble found

                """
        )
        let json = DoctorCommand.json(findings)
        #expect(json.at("verdict")?.string == "trouble")
        #expect(json.at("findings.0.id")?.string == "service-stopped")
        #expect(json.at("findings.1.type")?.array?.count == 2)
        #expect(json.at("well")?.array?.compactMap(\.string) == ["usb", "virtual reader", "host"])
    }

    @Test("ends with status 3 where there is no service")
    func status() throws {
        let ending = try Taprig.start(["doctor", "--json"], environment: Taprig.withoutService).wait()
        #expect(ending.status == 3)
        #expect(try ending.json().at("verdict")?.string == "trouble")
        #expect(ending.errors.isEmpty)
    }
}

/// With a real service beside it; run by `ci/with-pcscd`.
@Suite(
    "Doctor beside a real service",
    .enabled(if: HostEnvironment.value("TAPRIG_PCSCD") == "1", "run by ci/with-pcscd")
)
struct DoctorPcscdTests {
    @Test("has no complaint about the service, and sees the empty virtual readers")
    func well() throws {
        let ending = try Taprig.run("doctor", "--json")
        let ids = try ending.json()["findings"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(ids.contains("reader-empty"))
        #expect(!ids.contains { $0.hasPrefix("service") })
        // The service stands in a namespace of its own, where nobody else can dial.
        #expect(!ids.contains("vpcd-open"))
    }
}
