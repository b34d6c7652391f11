// SPDX-License-Identifier: MIT

/// Checks of debug probes, through which the LED and the button of a kit are reached.
enum DoctorProbeChecks {
    /// The probes that are plugged in: ready, in use by another program, or in a mode that is not supported.
    ///
    /// Probes that may not be opened are told by the checks of the USB.
    static func probes(_ host: HostView) -> [DoctorFinding] {
        USBDevice.all(host).filter { $0.speaksDAP && host.mayUse($0.node) && $0.blockingDriver == nil }.map {
            finding($0, host)
        }
    }

    private static func finding(_ device: USBDevice, _ host: HostView) -> DoctorFinding {
        guard !device.isHIDProbe else {
            return .trouble(
                .usb,
                "probe-hid-mode",
                "the debug probe \(device.title) is in HID mode, which is not supported",
                type: "fw-loader --mode kp3-bulk    # the maker's loader, or the mode button on the board"
            )
        }
        let holders = holders(of: device, host)
        guard holders.isEmpty else {
            return .note(
                .usb,
                "probe-busy",
                "the debug probe \(device.title) is in use by \(holders.joined(separator: ", "))",
                type: "end that program before a kit is used"
            )
        }
        return .note(.usb, "probe-ready", "the debug probe \(device.title) can be used")
    }

    /// The programs that have a device open, as far as this user may see them; this one has none open.
    private static func holders(of device: USBDevice, _ host: HostView) -> [String] {
        host.names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { process in
            let files = host.names("/proc/\(process)/fd")
            guard files.contains(where: { host.link("/proc/\(process)/fd/\($0)") == device.node }) else {
                return nil
            }
            return "\(host.line("/proc/\(process)/comm") ?? "a program") (process \(process))"
        }
    }
}
