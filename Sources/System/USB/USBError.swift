// SPDX-License-Identifier: MIT

/// Why something on the USB failed.
public struct USBError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is.
    public enum Kind: Hashable, Sendable {
        /// The device was unplugged.
        case gone
        /// Another program, or a driver of the kernel, holds the interface.
        case busy
        /// This user may not open the device.
        case notPermitted
        /// There is no such device or interface.
        case absent
        /// Nothing came, or nothing was taken, in time.
        case timeout
        /// The endpoint refuses.
        case stalled
        /// Something else, with the library's number.
        case other(Int32)
    }

    /// What kind of trouble it is.
    public let kind: Kind
    /// What was tried, for example `claim interface 0`.
    public let action: String
    /// The device in words.
    public let device: String

    /// Makes an error.
    public init(_ kind: Kind, action: String, device: String) {
        self.kind = kind
        self.action = action
        self.device = device
    }

    /// One sentence: what, where, why.
    public var description: String { "cannot \(action) of \(device): \(reason)" }

    /// The reason as part of a sentence.
    public var reason: String {
        switch kind {
        case .gone: "it was unplugged"
        case .busy: "another program or a driver holds it"
        case .notPermitted: "this user may not open it"
        case .absent: "it is not there"
        case .timeout: "no answer in time"
        case .stalled: "the endpoint refuses"
        case .other(let number): "libusb reports \(number)"
        }
    }
}
