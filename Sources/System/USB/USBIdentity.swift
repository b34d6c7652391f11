// SPDX-License-Identifier: MIT

/// What a USB device calls itself by number: vendor and product.
///
/// Source: Universal Serial Bus Specification 2.0, section 9.6.1 (device descriptor).
public struct USBIdentity: Hashable, Sendable {
    /// The vendor, for example 04B4.
    public let vendor: UInt16
    /// The product, for example F155.
    public let product: UInt16

    /// Makes an identity.
    public init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }
}
