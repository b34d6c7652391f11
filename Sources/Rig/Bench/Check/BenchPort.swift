// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit

/// A reader of the host, as a bench sees it.
public struct SeenReader: Hashable, Sendable {
    /// Its whole name.
    public var name: String
    /// Its serial number; empty when it tells none.
    public var serial: String
    /// The USB port that it is plugged into; nil when that is unknown.
    public var usbPath: String?
    /// True when a program is connected to its card; it then does not tell its serial number.
    public var isInUse: Bool

    /// Makes a reader.
    public init(name: String, serial: String = "", usbPath: String? = nil, isInUse: Bool = false) {
        self.name = name
        self.serial = serial
        self.usbPath = usbPath
        self.isInUse = isInUse
    }
}

/// The readers of the host, for whoever checks a bench.
public protocol BenchPort: AnyObject {
    /// All readers.
    func readers() throws(TransportFault) -> [SeenReader]

    /// The readers that an identity fits.
    func readers(fitting identity: ReaderIdentity) throws(TransportFault) -> [SeenReader]

    /// Connects to the card in a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader's whole name.
    ///   - field: How its field is said to be switched.
    /// - Returns: The connection; what it can do with the field has been found out, not taken from `field`.
    /// - Throws: The fault that says what is missing.
    func connect(to reader: String, field: FieldClaim?) throws(TransportFault) -> any Connection

    /// Opens a kit through its debug probe.
    ///
    /// - Throws: The fault that says what is missing.
    func openKit(_ setup: KitSetup) throws(TransportFault) -> ProbedKit
}

extension BenchPort {
    /// Takes the probe and wakes the chip behind it.
    public func openKit(_ setup: KitSetup) throws(TransportFault) -> ProbedKit {
        let kit = try setup.makeKit(name: "kit at \(setup.probe)")
        try kit.open()
        return kit
    }
}
