// SPDX-License-Identifier: MIT

import CUSB
import HostSystem

/// The USB of the host: lists devices and opens them.
public final class USBContext: Sendable {
    // Safe to share: libusb locks its context itself, and the pointer never changes.
    nonisolated(unsafe) private let context: OpaquePointer
    private let root: String

    /// Opens the USB.
    ///
    /// - Parameter root: The folder in front of `/sys`; empty on the host itself.
    /// - Throws: ``USBError`` when the host has no USB that can be used.
    public init(root: String = "") throws(USBError) {
        var context: OpaquePointer?
        let result = libusb_init(&context)
        guard result == 0, let context else {
            throw USBError(.other(result), action: "open the USB", device: "this host")
        }
        self.context = context
        self.root = root
    }

    deinit { libusb_exit(context) }

    /// All devices that are plugged in, hubs included, in the order of bus and address.
    ///
    /// Nothing is opened where the kernel tells the strings; elsewhere strings of devices that may not be opened are empty.
    public func devices() -> [USBDeviceInfo] {
        var out: [USBDeviceInfo] = []
        eachDevice { device in
            if let info = info(of: device) { out.append(info) }
            return true
        }
        return out.sorted { ($0.bus, $0.address) < ($1.bus, $1.address) }
    }

    /// Opens a device.
    ///
    /// - Parameter info: The device, as ``devices()`` listed it.
    /// - Returns: The device; closed when it is let go of.
    /// - Throws: ``USBError`` of kind `notPermitted`, `absent` or `gone`.
    public func open(_ info: USBDeviceInfo) throws(USBError) -> USBDeviceHandle {
        var handle: OpaquePointer?
        var result = LIBUSB_ERROR_NOT_FOUND.rawValue
        eachDevice { device in
            guard Int(libusb_get_bus_number(device)) == info.bus,
                Int(libusb_get_device_address(device)) == info.address
            else { return true }
            result = libusb_open(device, &handle)
            return false
        }
        guard result == 0, let handle else {
            throw USBError(USBError.Kind(result), action: "open the device", device: info.title)
        }
        return USBDeviceHandle(handle, of: info, in: self)
    }

    private func eachDevice(_ body: (OpaquePointer) -> Bool) {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(context, &list)
        guard count >= 0, let list else { return }
        defer { libusb_free_device_list(list, 1) }
        for index in 0..<count {
            guard let device = list[index] else { continue }
            if !body(device) { return }
        }
    }

    private func info(of device: OpaquePointer) -> USBDeviceInfo? {
        var descriptor = libusb_device_descriptor()
        guard libusb_get_device_descriptor(device, &descriptor) == 0 else { return nil }
        var ports = [UInt8](repeating: 0, count: 8)
        let depth = libusb_get_port_numbers(device, &ports, Int32(ports.count))
        let bus = Int(libusb_get_bus_number(device))
        let path = ports.prefix(max(0, Int(depth))).map(String.init).joined(separator: ".")
        let texts = USBTexts(device: device, root: root, path: path.isEmpty ? nil : "\(bus)-\(path)")
        return USBDeviceInfo(
            identity: USBIdentity(vendor: descriptor.idVendor, product: descriptor.idProduct),
            bus: bus,
            address: Int(libusb_get_device_address(device)),
            portPath: path.isEmpty ? "" : "\(bus)-\(path)",
            manufacturer: texts.text("manufacturer", index: descriptor.iManufacturer),
            product: texts.text("product", index: descriptor.iProduct),
            serial: texts.text("serial", index: descriptor.iSerialNumber),
            interfaces: interfaces(of: device, texts)
        )
    }

    private func interfaces(of device: OpaquePointer, _ texts: USBTexts) -> [USBInterfaceInfo] {
        var config: UnsafeMutablePointer<libusb_config_descriptor>?
        guard libusb_get_active_config_descriptor(device, &config) == 0, let config else { return [] }
        defer { libusb_free_config_descriptor(config) }
        let value = config.pointee.bConfigurationValue
        return (0..<Int(config.pointee.bNumInterfaces)).compactMap { index in
            let interface = config.pointee.interface[index]
            guard interface.num_altsetting > 0, let setting = interface.altsetting?.pointee else {
                return nil
            }
            let endpoints = (0..<Int(setting.bNumEndpoints)).compactMap { number -> USBEndpointInfo? in
                guard let endpoint = setting.endpoint?[number] else { return nil }
                return USBEndpointInfo(
                    address: endpoint.bEndpointAddress,
                    isBulk: endpoint.bmAttributes & 0x03 == 0x02,
                    packetSize: Int(endpoint.wMaxPacketSize & 0x07FF)
                )
            }
            return USBInterfaceInfo(
                number: Int(setting.bInterfaceNumber),
                deviceClass: setting.bInterfaceClass,
                text: texts.interface(
                    Int(setting.bInterfaceNumber),
                    configuration: Int(value),
                    index: setting.iInterface
                ),
                endpoints: endpoints
            )
        }
    }
}

/// The strings of a device: as the kernel read them when it was plugged in, else as the device tells them.
private final class USBTexts {
    private let device: OpaquePointer
    private let folder: String?
    private let name: String
    private lazy var handle: OpaquePointer? = {
        var handle: OpaquePointer?
        return libusb_open(device, &handle) == 0 ? handle : nil
    }()
    private var isOpen = false

    init(device: OpaquePointer, root: String, path: String?) {
        self.device = device
        name = path ?? ""
        let folder = path.map { "\(root)/sys/bus/usb/devices/\($0)" }
        self.folder = folder.flatMap { HostFile.isFolder($0) ? $0 : nil }
    }

    deinit {
        if isOpen, let handle { libusb_close(handle) }
    }

    func text(_ file: String, index: UInt8) -> String {
        guard index != 0 else { return "" }
        return folder.flatMap { Self.line("\($0)/\(file)") } ?? ask(index)
    }

    func interface(_ number: Int, configuration: Int, index: UInt8) -> String {
        guard index != 0 else { return "" }
        let file = folder.map { "\($0)/\(name):\(configuration).\(number)/interface" }
        return file.flatMap(Self.line) ?? ask(index)
    }

    private func ask(_ index: UInt8) -> String {
        isOpen = true
        guard let handle else { return "" }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = libusb_get_string_descriptor_ascii(handle, index, &buffer, Int32(buffer.count))
        return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : ""
    }

    private static func line(_ path: String) -> String? {
        guard let bytes = try? HostFile.read(path, limit: 4096) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

extension USBError.Kind {
    /// The kind of a libusb result.
    init(_ result: Int32) {
        switch result {
        case LIBUSB_ERROR_NO_DEVICE.rawValue: self = .gone
        case LIBUSB_ERROR_BUSY.rawValue: self = .busy
        case LIBUSB_ERROR_ACCESS.rawValue: self = .notPermitted
        case LIBUSB_ERROR_NOT_FOUND.rawValue: self = .absent
        case LIBUSB_ERROR_TIMEOUT.rawValue: self = .timeout
        case LIBUSB_ERROR_PIPE.rawValue: self = .stalled
        default: self = .other(result)
        }
    }
}
