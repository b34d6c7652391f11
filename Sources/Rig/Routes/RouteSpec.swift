// SPDX-License-Identifier: MIT

public import Runner

/// The words behind `--via`.
public enum RouteSpec {
    /// The forms that this version knows, for help and errors.
    public static let forms =
        "emulator, virtual, pcsc:PATTERN, pcsc:serial=..., pcsc:atr=..., pcsc:usb=BUS-PORT"

    /// Makes the way to the card that the words name.
    ///
    /// - Parameters:
    ///   - text: `emulator`, `virtual`, `pcsc:...`.
    ///   - vpcd: Host and port of the virtual reader, for `virtual`.
    ///   - access: How long to wait for a real reader, and who takes it.
    /// - Returns: The route; nothing is connected yet.
    /// - Throws: ``RouteError`` when the words name none.
    public static func route(
        _ text: String,
        vpcd: VPCDAddress = VPCDAddress(),
        access: ReaderAccess = ReaderAccess()
    ) throws(RouteError) -> any Route {
        switch text {
        case "emulator": return EmulatorRoute()
        case "virtual": return VirtualRoute(address: vpcd)
        case _ where text.hasPrefix("pcsc:"): return try PCSCRoute(spec: text, access: access)
        case _ where text.hasPrefix("usb:") || text.hasPrefix("replay:"):
            throw RouteError("'\(text)' is not supported by this version; it knows \(forms)")
        default: throw RouteError("'\(text)' is no way to a card; there are \(forms)")
        }
    }
}

/// Where the virtual reader of vpcd listens.
public struct VPCDAddress: Hashable, Sendable {
    /// Host name or address.
    public var host: String
    /// TCP port; 35963 is slot 0, 35964 slot 1.
    public var port: UInt16

    /// Makes an address; the default is that of the driver.
    public init(host: String = "localhost", port: UInt16 = 35_963) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, `HOST` or `:PORT`.
    public init(_ text: String) throws(RouteError) {
        self.init()
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if !parts[0].isEmpty { host = String(parts[0]) }
        guard parts.count == 2 else { return }
        guard let number = UInt16(parts[1]), number > 0 else {
            throw RouteError("'\(text)' has no port; write HOST:PORT, for example localhost:35963")
        }
        port = number
    }

    /// The slot behind this one; nil behind the last one of the driver as it is installed.
    var following: VPCDAddress? {
        let last = Int(VPCDAddress().port) + RouteSpec.virtualSlots - 1
        guard Int(port) != last, port < .max else { return nil }
        return VPCDAddress(host: host, port: port + 1)
    }
}
