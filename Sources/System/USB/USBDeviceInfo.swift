// SPDX-License-Identifier: MIT

import HostSystem

/// A device on the USB, as its descriptors show it.
public struct USBDeviceInfo: Hashable, Sendable {
    /// Vendor and product.
    public let identity: USBIdentity
    /// Number of the bus.
    public let bus: Int
    /// Address on the bus; another one each time it is plugged in.
    public let address: Int
    /// Bus and ports, for example `1-1.3`; empty for a root hub.
    public let portPath: String
    /// The maker's name; empty when it has none or may not be asked.
    public let manufacturer: String
    /// The product's name; empty when it has none or may not be asked.
    public let product: String
    /// The serial number; empty when it has none or may not be asked.
    public let serial: String
    /// The interfaces of the active configuration, each in its first setting.
    public let interfaces: [USBInterfaceInfo]

    /// Makes a description.
    public init(
        identity: USBIdentity,
        bus: Int,
        address: Int,
        portPath: String,
        manufacturer: String = "",
        product: String = "",
        serial: String = "",
        interfaces: [USBInterfaceInfo] = []
    ) {
        self.identity = identity
        self.bus = bus
        self.address = address
        self.portPath = portPath
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
        self.interfaces = interfaces
    }

    /// Name, serial number and place, for people.
    public var title: String {
        let name = product.isEmpty ? "USB device \(identity)" : product
        let number = serial.isEmpty ? "" : " \(serial)"
        return
            "\(VisibleText.escaped(name + number)) (\(portPath.isEmpty ? "bus \(bus)" : "USB \(portPath)"))"
    }

    /// The device's node, through which programs open it.
    public var node: String { "/dev/bus/usb/\(Self.digits(bus))/\(Self.digits(address))" }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }
}

/// An interface of a device.
public struct USBInterfaceInfo: Hashable, Sendable {
    /// Its number, by which it is claimed.
    public let number: Int
    /// `bInterfaceClass`.
    public let deviceClass: UInt8
    /// Its name; empty when it has none or may not be asked.
    public let text: String
    /// Its endpoints in the order of the descriptor.
    public let endpoints: [USBEndpointInfo]

    /// Makes a description.
    public init(number: Int, deviceClass: UInt8, text: String, endpoints: [USBEndpointInfo]) {
        self.number = number
        self.deviceClass = deviceClass
        self.text = text
        self.endpoints = endpoints
    }
}

/// An endpoint of an interface.
public struct USBEndpointInfo: Hashable, Sendable {
    /// Its address; bit 7 is set for those that send to the host.
    public let address: UInt8
    /// True for bulk transfers.
    public let isBulk: Bool
    /// The longest packet in bytes.
    public let packetSize: Int

    /// Makes a description.
    public init(address: UInt8, isBulk: Bool, packetSize: Int) {
        self.address = address
        self.isBulk = isBulk
        self.packetSize = packetSize
    }

    /// True when it sends to the host.
    public var isInput: Bool { address & 0x80 != 0 }
}
