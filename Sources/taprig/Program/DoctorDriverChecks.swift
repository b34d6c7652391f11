// SPDX-License-Identifier: MIT

import Wording

/// Checks of the reader driver and of the virtual reader.
enum DoctorDriverChecks {
    /// The settings of libccid, as the driver itself finds them.
    static let settings = "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist"
    /// `DRIVER_OPTION_CCID_EXCHANGE_AUTHORIZED`: bit 0 of `ifdDriverOptions`.
    ///
    /// Source: comments in libccid's Info.plist.
    static let escapeBit = 0x0001
    /// Ports of the two slots of vpcd.
    static let virtualPorts = [35_963, 35_964]

    /// Whether the driver of USB readers is there, and lets escape commands pass.
    static func driver(_ host: HostView) -> [DoctorFinding] {
        let hasReader =
            USBDevice.all(host).contains { $0.isReader } || host.readers.contains { !$0.isVirtual }
        guard let text = host.text(settings) else {
            guard hasReader else { return [] }
            return [
                .trouble(
                    .driver,
                    "driver-missing",
                    "pcscd has no driver for USB readers: \(settings) is not there",
                    type: "\(host.sudo)apt-get install libccid",
                    host.restartService
                )
            ]
        }
        // A distribution keeps the file in /etc, and what one edits is that.
        let file = host.target(of: settings)
        guard let options = value(of: "ifdDriverOptions", in: text) else {
            return [
                .note(
                    .driver,
                    "escape-unknown",
                    "\(file) has no number at ifdDriverOptions, so escape commands are off",
                    type: "\(host.sudo)apt-get install --reinstall libccid"
                )
            ]
        }
        guard options & escapeBit == 0 else { return [] }
        let wanted = "0x" + hex(options | escapeBit)
        return [
            .note(
                .driver,
                "escape-off",
                "\(file) has ifdDriverOptions 0x\(hex(options)), bit 0 (0x0001) is off: libccid refuses escape commands, "
                    + "which some readers need to switch their field when no card is on them",
                type:
                    "\(host.sudo)sed -i --follow-symlinks '/<key>ifdDriverOptions</{n;s/>0x[0-9A-Fa-f]*</>\(wanted)</}' \(file)",
                host.restartService
            )
        ]
    }

    /// The number behind a key of a property list.
    static func value(of key: String, in text: String) -> Int? {
        guard let text = element(after: key, open: "<string>", close: "</string>", in: text) else {
            return nil
        }
        let digits = text.filter { !$0.isWhitespace }
        return digits.hasPrefix("0x") || digits.hasPrefix("0X")
            ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
    }

    /// True when the driver's list of devices has this one.
    static func lists(vendor: Int, product: Int, in text: String) -> Bool {
        let vendors = numbers(of: "ifdVendorID", in: text)
        let products = numbers(of: "ifdProductID", in: text)
        return zip(vendors, products).contains { $0 == vendor && $1 == product }
    }

    private static func numbers(of key: String, in text: String) -> [Int] {
        guard let list = element(after: key, open: "<array>", close: "</array>", in: text) else { return [] }
        return list.split(separator: "<").compactMap { piece in
            guard piece.hasPrefix("string>0x") else { return nil }
            return Int(piece.dropFirst("string>0x".count).prefix { $0.isHexDigit }, radix: 16)
        }
    }

    /// What stands between two marks behind a key.
    private static func element(after key: String, open: String, close: String, in text: String) -> Substring?
    {
        guard let name = text.firstRange(of: "<key>\(key)</key>") else { return nil }
        let rest = text[name.upperBound...]
        guard let start = rest.firstRange(of: open) else { return nil }
        // The next key would have another value.
        if let next = rest.firstRange(of: "<key>"), next.lowerBound < start.lowerBound { return nil }
        guard let end = rest[start.upperBound...].firstRange(of: close) else { return nil }
        return rest[start.upperBound..<end.lowerBound]
    }

    private static func hex(_ number: Int) -> String {
        Digits.hex(number, width: 4)
    }

    // MARK: The virtual reader

    /// Whether others than this host can reach the virtual reader.
    static func virtualReader(_ host: HostView) -> [DoctorFinding] {
        let ports = virtualPorts.filter { listensBeyondLoopback($0, host) }
        guard !ports.isEmpty else { return [] }
        // In a namespace of its own nobody is there to dial.
        let others = interfaces(host).filter { $0 != "lo" }
        guard !others.isEmpty else { return [] }
        let list = ports.map(String.init).joined(separator: " and ")
        return [
            .trouble(
                .virtual,
                "vpcd-open",
                "the virtual reader listens on port \(list) of every address of this host "
                    + "(\(others.joined(separator: ", "))): whoever can reach it can be the card",
                type: "run in a namespace of its own: ci/with-pcscd taprig run PATH --via virtual",
                "or shut the door: \(host.sudo)iptables -I INPUT ! -i lo -p tcp --dport 35963:35964 -j REJECT",
                "or, where no card is emulated: \(host.sudo)apt-get remove vsmartcard-vpcd && \(host.restartService)"
            )
        ]
    }

    /// Listening sockets are in state 0A; addresses are hex in the host's byte order.
    ///
    /// Source: proc(5), /proc/net/tcp.
    private static func listensBeyondLoopback(_ port: Int, _ host: HostView) -> Bool {
        let wanted = ":" + hex(port)
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in (host.text(path) ?? "").split(separator: "\n") {
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                guard words.count > 3, words[3] == "0A", words[1].hasSuffix(wanted) else { continue }
                if !isLoopback(words[1].dropLast(wanted.count)) { return true }
            }
        }
        return false
    }

    private static func isLoopback(_ address: Substring) -> Bool {
        if address.count == 8 { return address.hasSuffix("7F") }
        return address == "00000000000000000000000001000000"
            || (address.hasPrefix("0000000000000000FFFF0000") && address.hasSuffix("7F"))
    }

    private static func interfaces(_ host: HostView) -> [String] {
        (host.text("/proc/net/dev") ?? "").split(separator: "\n").compactMap { line in
            guard line.contains(":") else { return nil }
            return String(line.prefix { $0 != ":" }.drop { $0 == " " })
        }
    }
}
