// SPDX-License-Identifier: MIT

import HostSystem

/// Finds the serial devices of a kit by its probe's serial number and place on the USB, never by their order.
public struct UARTFinder: Sendable {
    private let root: String

    /// Makes a finder.
    ///
    /// - Parameter root: The folder in front of `/sys` and `/dev`; empty on the host itself.
    public init(root: String = "") {
        self.root = root
    }

    /// A serial device on the USB.
    public struct Port: Hashable, Sendable {
        /// The device, for example `/dev/ttyACM0`.
        public let path: String
        /// Serial number of the USB device that it belongs to; empty when it has none.
        public let serial: String
        /// Bus and ports of that USB device, for example `1-1.3`.
        public let portPath: String
        /// Number of the USB interface.
        public let interface: Int
    }

    /// All serial devices of USB devices, in the order of their interfaces.
    public func ports() -> [Port] {
        let folder = "\(root)/sys/class/tty"
        let names = (try? HostFile.names(in: folder)) ?? []
        return names.filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.compactMap { name in
            guard let place = HostFile.resolved("\(folder)/\(name)/device") else { return nil }
            return port(name, at: place)
        }.sorted { ($0.serial, $0.interface, $0.path) < ($1.serial, $1.interface, $1.path) }
    }

    /// The debug UART of a probe: its first serial device; nil when there is none.
    ///
    /// - Parameters:
    ///   - serial: The probe's serial number.
    ///   - portPath: Where it is on the USB, which tells probes of one serial number apart; empty when that is not known.
    /// - Returns: The serial device.
    public func port(ofProbe serial: String, at portPath: String = "") -> Port? {
        guard portPath.isEmpty else { return ports().first { $0.portPath == portPath } }
        return serial.isEmpty ? nil : ports().first { $0.serial == serial }
    }

    /// Goes up from the device of a tty to its USB device, which has the serial number.
    private func port(_ name: String, at place: String) -> Port? {
        var folder = place
        var interface = 0
        // The USB device is the interface's parent; a bridge chip puts one more device between.
        for _ in 0..<4 {
            if let number = line("\(folder)/bInterfaceNumber") { interface = Int(number, radix: 16) ?? 0 }
            if HostFile.exists("\(folder)/idVendor") {
                let serial = line("\(folder)/serial") ?? ""
                return Port(
                    path: "\(root)/dev/\(name)",
                    serial: serial,
                    portPath: String(folder.split(separator: "/").last ?? ""),
                    interface: interface
                )
            }
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }

    private func line(_ path: String) -> String? {
        guard let bytes = try? HostFile.read(path, limit: 4096) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
