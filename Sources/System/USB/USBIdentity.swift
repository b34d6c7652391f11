// SPDX-License-Identifier: MIT

/// What a USB device calls itself by number: vendor and product.
///
/// Source: Universal Serial Bus Specification 2.0, section 9.6.1 (device descriptor).
public struct USBIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The vendor, for example 04B4.
    public let vendor: UInt16
    /// The product, for example F155.
    public let product: UInt16

    /// Makes an identity.
    public init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }

    /// Both numbers in lower-case hex, as udev and lsusb write them: `04b4:f155`.
    public var description: String { "\(Self.hex(vendor)):\(Self.hex(product))" }

    /// Four digits of lower-case hex.
    static func hex(_ number: UInt16) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}
