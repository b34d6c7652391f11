// SPDX-License-Identifier: MIT

import HostSystem
public import USB

/// A debug probe on the USB.
public struct ProbeInfo: Hashable, Sendable {
    /// Whether the probe can be used.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It can.
        case ready
        /// Another program has it open.
        case busy
        /// This user may not open it.
        case notPermitted = "not-permitted"
        /// It speaks something else than CMSIS-DAP v2.
        case unsupported
    }

    /// The bulk interface of CMSIS-DAP v2.
    struct Channel: Hashable, Sendable {
        let interface: Int
        let output: USBEndpointInfo
        let input: USBEndpointInfo
    }

    /// The device.
    public let device: USBDeviceInfo
    /// Its CMSIS-DAP v2 interface; nil when it has none.
    let channel: Channel?

    /// Looks for a probe in a device; nil when it is none.
    ///
    /// A device is a probe when its product name or the name of an interface says so. The class of the interface is not
    /// insisted on: old firmware says 00 where FF is prescribed.
    ///
    /// - Parameter device: The device.
    public init?(_ device: USBDeviceInfo) {
        let isNamed =
            device.product.contains(Self.mark) || device.interfaces.contains { $0.text.contains(Self.mark) }
        guard isNamed || Self.knownProbes.contains(device.identity) else { return nil }
        self.device = device
        channel = device.interfaces.lazy.compactMap(Self.channel).first
    }

    private static let mark = "CMSIS-DAP"
    /// Classes with a meaning of their own, audio to I3C: never that of a debug probe.
    private static let otherClasses: ClosedRange<UInt8> = 0x01...0x12
    private static let hid: UInt8 = 0x03

    /// Probes that are told by number where their names cannot be read: KitProg3 and its relatives.
    ///
    /// Source: Infineon's table of product numbers (KitProg3: F154, F155, F166; MiniProg4: F151, F152).
    private static let knownProbes: Set<USBIdentity> = Set(
        [0xF138, 0xF148, 0xF151, 0xF152, 0xF154, 0xF155, 0xF166, 0xF168, 0xF169, 0xF16A].map {
            USBIdentity(vendor: 0x04B4, product: $0)
        }
    )

    private static func channel(_ interface: USBInterfaceInfo) -> Channel? {
        let bulk = interface.endpoints.filter(\.isBulk)
        guard interface.text.contains(mark), !otherClasses.contains(interface.deviceClass), bulk.count >= 2,
            !bulk[0].isInput, bulk[1].isInput
        else { return nil }
        return Channel(interface: interface.number, output: bulk[0], input: bulk[1])
    }

    /// What the probe is called in messages: product and serial number, as the device tells them, made visible.
    public var name: String {
        let product = device.product.isEmpty ? "debug probe \(device.identity)" : device.product
        return VisibleText.escaped(device.serial.isEmpty ? product : "\(product) \(device.serial)")
    }

    /// Its serial number; empty when it has none.
    public var serial: String { device.serial }

    /// Bus and ports that it is plugged into, for example `1-1.3`.
    public var portPath: String { device.portPath }

    /// The words that address it among others: `usb:SERIAL`, or the place on the bus where that does not tell it apart.
    ///
    /// - Parameter others: The probes that are plugged in; it may be one of them.
    /// - Returns: The address.
    public func address(among others: [ProbeInfo]) -> ProbeAddress {
        let isAlone = !others.contains { $0.portPath != portPath }
        if serial.isEmpty, isAlone { return .usb(serial: nil) }
        let isSerialShared = others.contains { $0.portPath != portPath && $0.serial == serial }
        // Nobody can type a control character.
        let canBeTyped = !serial.isEmpty && !serial.hasPrefix("@") && VisibleText.escaped(serial) == serial
        return canBeTyped && !isSerialShared ? .usb(serial: serial) : .usbPort(portPath)
    }

    /// Why it cannot be used although it could be opened, in one sentence; nil when it can be used.
    public var objection: String? {
        guard channel == nil else { return nil }
        if device.interfaces.contains(where: {
            $0.deviceClass == Self.hid && ($0.text.contains(Self.mark) || $0.text.isEmpty)
        }) {
            return
                "the \(name) is in HID mode (CMSIS-DAP v1), which is not supported; switch it to bulk mode with its "
                + "mode button, or with the maker's loader: fw-loader --mode kp3-bulk"
        }
        return "the \(name) has no CMSIS-DAP v2 interface; update its firmware with the maker's loader"
    }

    /// The udev rule that lets members of plugdev, and who sits at the screen, open it.
    public var rule: String { Self.rule(for: device.identity) }

    /// The udev rule for a product.
    static func rule(for identity: USBIdentity) -> String {
        let parts = identity.description.split(separator: ":")
        return "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"\(parts[0])\", ATTR{idProduct}==\"\(parts[1])\", "
            + "MODE=\"0660\", GROUP=\"plugdev\", TAG+=\"uaccess\""
    }
}
