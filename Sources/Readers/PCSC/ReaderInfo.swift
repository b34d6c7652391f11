// SPDX-License-Identifier: MIT

/// A reader that the service knows.
public struct ReaderInfo: Hashable, Sendable {
    /// What a reader holds.
    public enum State: String, Hashable, Sendable {
        /// No card.
        case empty
        /// A card that nobody uses.
        case present
        /// A card that a program is connected to.
        case inUse = "in-use"
    }

    /// The name, whole and in parts.
    public let name: ReaderName
    /// What it holds.
    public let state: State
    /// The card's answer to reset; empty when there is no card, or it is mute.
    public let atr: [UInt8]
    /// The serial number from the name, or from the driver; empty when neither has one.
    public let serial: String
    /// Where it is plugged in, for example `1-1.3`: bus, then port by port; nil when that is unknown.
    public let usbPath: String?

    /// Makes the entry of a reader.
    ///
    /// - Parameters:
    ///   - name: The whole name.
    ///   - state: What it holds.
    ///   - atr: The card's answer to reset.
    ///   - serial: The serial number from the driver; the one in the name goes first.
    ///   - usbPath: Where it is plugged in.
    public init(
        name: String,
        state: State = .empty,
        atr: [UInt8] = [],
        serial: String = "",
        usbPath: String? = nil
    ) {
        self.name = ReaderName(name)
        self.state = state
        self.atr = atr
        self.serial = self.name.serial.isEmpty ? serial : self.name.serial
        self.usbPath = usbPath
    }
}
