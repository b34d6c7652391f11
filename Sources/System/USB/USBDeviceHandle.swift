// SPDX-License-Identifier: MIT

import CUSB

// Safe to share: libusb allows transfers from any thread, and the pointer never changes.
/// An open device, from which interfaces are claimed.
public final class USBDeviceHandle: @unchecked Sendable {
    /// The device.
    public let info: USBDeviceInfo

    private let handle: OpaquePointer
    // The context must outlive what was opened in it.
    private let context: USBContext

    init(_ handle: OpaquePointer, of info: USBDeviceInfo, in context: USBContext) {
        self.handle = handle
        self.info = info
        self.context = context
    }

    deinit { libusb_close(handle) }

    /// Takes an interface for this program alone; drivers of the kernel are not driven out.
    ///
    /// - Parameter number: The interface.
    /// - Throws: ``USBError`` of kind `busy` when it is taken.
    public func claim(interface number: Int) throws(USBError) {
        try check(libusb_claim_interface(handle, Int32(number)), "claim interface \(number)")
    }

    /// Lets go of an interface; what was unplugged is let go of already.
    public func release(interface number: Int) {
        libusb_release_interface(handle, Int32(number))
    }

    /// Sends bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; none sends a packet of length zero.
    ///   - endpoint: The endpoint's address.
    ///   - timeout: How long that may take.
    /// - Throws: ``USBError`` when not all of them went out.
    public func send(_ bytes: [UInt8], to endpoint: UInt8, timeout: Duration) throws(USBError) {
        var bytes = bytes
        var count: Int32 = 0
        let result = libusb_bulk_transfer(
            handle,
            endpoint & 0x7F,
            &bytes,
            Int32(bytes.count),
            &count,
            Self.milliseconds(timeout)
        )
        try check(result, "write to endpoint \(endpoint)")
        guard count == bytes.count else {
            throw USBError(.timeout, action: "write to endpoint \(endpoint)", device: info.title)
        }
    }

    /// Receives one transfer.
    ///
    /// - Parameters:
    ///   - size: The most bytes; at least one packet of the endpoint.
    ///   - endpoint: The endpoint's address.
    ///   - timeout: How long that may take.
    /// - Returns: What came; may be empty.
    /// - Throws: ``USBError``.
    public func receive(_ size: Int, from endpoint: UInt8, timeout: Duration) throws(USBError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: size)
        var count: Int32 = 0
        let result = libusb_bulk_transfer(
            handle,
            endpoint | 0x80,
            &buffer,
            Int32(size),
            &count,
            Self.milliseconds(timeout)
        )
        try check(result, "read from endpoint \(endpoint & 0x7F)")
        return Array(buffer.prefix(Int(count)))
    }

    private func check(_ result: Int32, _ action: String) throws(USBError) {
        guard result == 0 else { throw USBError(USBError.Kind(result), action: action, device: info.title) }
    }

    /// Whole milliseconds, at least one: zero would wait for ever.
    private static func milliseconds(_ duration: Duration) -> UInt32 {
        UInt32(min(max(1, duration / .milliseconds(1)), 3_600_000))
    }
}
