// SPDX-License-Identifier: MIT

import HostSystem
import Wording

/// A USB device as sysfs shows it.
struct USBDevice: Sendable {
    /// One interface of it.
    struct Interface: Sendable {
        let number: String
        /// `bInterfaceClass`; -1 when it cannot be read.
        let deviceClass: Int
        let text: String
        /// The kernel driver that holds it; nil when none does.
        let driver: String?
    }

    private static let folder = "/sys/bus/usb/devices"
    /// Class of smart-card devices (CCID).
    private static let cardClass = 0x0B
    /// Class of human interface devices, by which older probes speak.
    private static let hidClass = 0x03
    /// Kernel drivers of the NFC subsystem, which make a reader a network device of their own.
    private static let nfcDrivers: Set<String> = ["pn533_usb", "pn533", "port100", "nfcmrvl_usb", "rcs380"]
    /// The driver that stands for a program which opened the device itself.
    private static let ownedByProgram = "usbfs"

    /// Bus and ports, for example `1-1.3`.
    let path: String
    let vendor: Int
    let product: Int
    let name: String
    let bus: Int
    let number: Int
    let interfaces: [Interface]

    /// All devices that are plugged in, hubs included.
    static func all(_ host: HostView) -> [USBDevice] {
        host.names(folder).filter { !$0.contains(":") && !$0.hasPrefix("usb") }.compactMap { path in
            let here = "\(folder)/\(path)"
            guard let vendor = host.line("\(here)/idVendor").flatMap({ Int($0, radix: 16) }),
                let product = host.line("\(here)/idProduct").flatMap({ Int($0, radix: 16) }),
                let bus = host.line("\(here)/busnum").flatMap({ Int($0) }),
                let number = host.line("\(here)/devnum").flatMap({ Int($0) })
            else { return nil }
            let words = ["manufacturer", "product"].compactMap { host.line("\(here)/\($0)") }
            return USBDevice(
                path: path,
                vendor: vendor,
                product: product,
                name: words.joined(separator: " "),
                bus: bus,
                number: number,
                interfaces: interfaces(of: path, host)
            )
        }
    }

    private static func interfaces(of path: String, _ host: HostView) -> [Interface] {
        host.names(folder).filter { $0.hasPrefix("\(path):") }.map { name in
            let here = "\(folder)/\(name)"
            return Interface(
                number: String(name.split(separator: ".").last ?? "0"),
                deviceClass: host.line("\(here)/bInterfaceClass").flatMap { Int($0, radix: 16) } ?? -1,
                text: host.line("\(here)/interface") ?? "",
                driver: host.link("\(here)/driver")?.split(separator: "/").last.map(String.init)
            )
        }
    }

    /// True for smart-card readers, those that the kernel's NFC subsystem took included.
    var isReader: Bool {
        interfaces.contains { $0.deviceClass == Self.cardClass || Self.nfcDrivers.contains($0.driver ?? "") }
    }

    /// True for debug probes that speak CMSIS-DAP, or whose maker is known for them.
    var isProbe: Bool {
        name.contains("CMSIS-DAP") || interfaces.contains { $0.text.contains("CMSIS-DAP") }
            || vendor == 0x1366 || (vendor == 0x0483 && (0x3744...0x3757).contains(product))
    }

    /// True when it calls itself a CMSIS-DAP probe.
    var speaksDAP: Bool {
        name.contains("CMSIS-DAP") || interfaces.contains { $0.text.contains("CMSIS-DAP") }
    }

    /// True for a CMSIS-DAP probe that can only be reached as a human interface device.
    var isHIDProbe: Bool {
        let named = interfaces.filter { $0.text.contains("CMSIS-DAP") }
        return !named.isEmpty && named.allSatisfy { $0.deviceClass == Self.hidClass }
    }

    /// The kernel driver that keeps programs from it; nil when none does.
    var blockingDriver: String? {
        interfaces.first { interface in
            guard let driver = interface.driver, driver != Self.ownedByProgram else { return false }
            if Self.nfcDrivers.contains(driver) || interface.deviceClass == Self.cardClass { return true }
            return interface.text.contains("CMSIS-DAP") && interface.deviceClass != Self.hidClass
        }?.driver
    }

    /// True when a program holds its card interface.
    var isOwnedByProgram: Bool {
        interfaces.contains { $0.deviceClass == Self.cardClass && $0.driver == Self.ownedByProgram }
    }

    /// The device's node.
    var node: String { "/dev/bus/usb/\(Self.digits(bus))/\(Self.digits(number))" }

    /// `072f:2200`.
    var ids: String { "\(Self.hex(vendor)):\(Self.hex(product))" }

    /// Name, ids and place, for people.
    var title: String {
        (name.isEmpty ? "the device" : "'\(VisibleText.escaped(name))'") + " (\(ids), USB \(path))"
    }

    /// The rule that lets members of plugdev, and who sits at the screen, open it.
    var rule: String {
        "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"\(Self.hex(vendor))\", ATTR{idProduct}==\"\(Self.hex(product))\", "
            + "MODE=\"0660\", GROUP=\"plugdev\", TAG+=\"uaccess\""
    }

    private static func digits(_ number: Int) -> String {
        Digits.decimal(number, width: 3)
    }

    private static func hex(_ number: Int) -> String {
        Digits.hex(number, width: 4).lowercased()
    }
}
