// SPDX-License-Identifier: MIT

import PCSC

/// Checks of readers and probes on the USB, and of what a container hides.
enum DoctorUSBChecks {
    private static let rulesFile = "/etc/udev/rules.d/60-taprig.rules"

    /// What keeps programs from readers and probes that are plugged in.
    static func usb(_ host: HostView) -> [DoctorFinding] {
        var out: [DoctorFinding] = []
        let devices = USBDevice.all(host)
        for device in devices where device.isReader || device.isProbe {
            if let driver = device.blockingDriver {
                out.append(taken(device, by: driver, host))
            } else if !host.exists(device.node) {
                out.append(hidden(device, host))
            } else if !host.mayUse(device.node) {
                out.append(refused(device, host))
            }
        }
        return out + unlisted(devices, host)
    }

    /// What a container lacks, where nothing else has told it.
    static func container(_ host: HostView) -> [DoctorFinding] {
        guard let name = host.container else { return [] }
        let hasBus = !host.names("/dev/bus/usb").isEmpty
        guard !hasBus || !host.isServed else { return [] }
        return [
            .note(
                .host,
                "container",
                "this is a container (\(name)); it sees "
                    + (hasBus ? "USB devices, and no service" : "no USB device")
                    + " unless they are lent to it",
                type: "the host's service: docker run -v /run/pcscd:/run/pcscd ...",
                "USB devices: docker run --device /dev/bus/usb ...",
                "emulators need neither: taprig run PATH --via emulator"
            )
        ]
    }

    private static func taken(_ device: USBDevice, by driver: String, _ host: HostView) -> DoctorFinding {
        let module =
            host.link("/sys/bus/usb/drivers/\(driver)/module")?.split(separator: "/").last.map(String.init)
            ?? driver
        return .trouble(
            .usb,
            "kernel-driver",
            "the kernel's driver \(driver) holds \(device.title), so pcscd cannot have it",
            type: "\(host.sudo)modprobe -r \(module)",
            "echo 'blacklist \(module)' | \(host.sudo)tee /etc/modprobe.d/taprig-\(module).conf",
            host.restartService
        )
    }

    private static func hidden(_ device: USBDevice, _ host: HostView) -> DoctorFinding {
        .trouble(
            .usb,
            "usb-node-missing",
            "\(device.title) is plugged in, and its node \(device.node) is not here",
            type: host.container == nil
                ? "\(host.sudo)udevadm trigger --action=add --subsystem-match=usb"
                : "start the container with: --device /dev/bus/usb"
        )
    }

    private static func refused(_ device: USBDevice, _ host: HostView) -> DoctorFinding {
        // The service opens readers as a user of its own; a probe is opened by this program.
        let needsOnlyService = device.isReader && !device.isProbe && host.isServed
        let rule = """
            sudo tee -a \(rulesFile) <<'END'
            \(device.rule)
            END
            """
        let reload = "sudo udevadm control --reload && sudo udevadm trigger"
        let group = "sudo usermod -aG plugdev \(host.user)    # and log in again"
        if needsOnlyService {
            return .note(
                .usb,
                "usb-refused",
                "this user may not open \(device.title) at \(device.node); pcscd may, so only direct use is missing",
                type: rule,
                reload,
                group
            )
        }
        return .trouble(
            .usb,
            "usb-refused",
            "this user may not open \(device.isProbe ? "the probe" : "the reader") \(device.title) at \(device.node)",
            type: rule,
            reload,
            group
        )
    }

    /// Readers that are plugged in and that the service does not list.
    private static func unlisted(_ devices: [USBDevice], _ host: HostView) -> [DoctorFinding] {
        guard host.isServed else { return [] }
        let listed = host.readers.filter { !$0.isVirtual }
        let plugged = devices.filter { $0.isReader && $0.blockingDriver == nil }
        let missing = plugged.filter { device in
            !listed.contains { $0.usbPath == device.path || isNamed($0, after: device) }
        }
        // Names differ from what the device says of itself; only a lack in number proves something.
        guard !missing.isEmpty, plugged.count > Set(listed.map { $0.usbPath ?? $0.name.text }).count else {
            return []
        }
        return missing.map { unlisted($0, host) }
    }

    private static func unlisted(_ device: USBDevice, _ host: HostView) -> DoctorFinding {
        if device.isOwnedByProgram {
            let isGnuPG = host.runs("scdaemon")
            return .trouble(
                .usb,
                "usb-claimed",
                "a program\(isGnuPG ? " (scdaemon of GnuPG runs)" : "") holds \(device.title) by itself, so pcscd "
                    + "cannot have it",
                type: isGnuPG ? "gpgconf --kill scdaemon" : "\(host.sudo)lsof \(device.node)",
                host.restartService
            )
        }
        if let text = host.text(DoctorDriverChecks.settings),
            !DoctorDriverChecks.lists(vendor: device.vendor, product: device.product, in: text)
        {
            return .trouble(
                .usb,
                "reader-unknown",
                "\(device.title) is not in libccid's list of readers, so pcscd leaves it alone",
                type: "\(host.sudo)apt-get install --only-upgrade libccid, or install the maker's driver",
                host.restartService
            )
        }
        return .trouble(
            .usb,
            "reader-unlisted",
            "\(device.title) is plugged in, and pcscd does not list it",
            type: host.restartService,
            "see why: \(host.hasSystemd ? "journalctl -u pcscd" : "\(host.sudo)pcscd --foreground --debug")"
        )
    }

    private static func isNamed(_ reader: ReaderInfo, after device: USBDevice) -> Bool {
        !device.name.isEmpty && reader.name.text.lowercased().hasPrefix(device.name.lowercased())
    }
}
