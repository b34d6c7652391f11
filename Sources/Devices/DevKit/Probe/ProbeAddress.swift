// SPDX-License-Identifier: MIT

import HostSystem

/// Where a debug probe is: on the USB, or behind a network address.
public enum ProbeAddress: Hashable, Sendable, CustomStringConvertible {
    /// On the USB, told from its like by serial number; nil takes the only one there is.
    case usb(serial: String?)
    /// On the USB, told from its like by bus and ports, for example `1-1.3`.
    case usbPort(String)
    /// Behind a TCP port that frames packets in one of two ways.
    case network(ProbeFraming, host: String, port: UInt16)

    /// The forms of an address, for help and errors.
    public static let forms = "usb, usb:SERIAL, usb:@BUS-PORT, tcp:HOST[:PORT], elaphure:HOST[:PORT]"

    /// Reads `usb`, `usb:SERIAL`, `usb:@1-1.3`, `tcp:HOST[:PORT]` or `elaphure:HOST[:PORT]`.
    ///
    /// A host that holds colons itself stands in brackets: `tcp:[::1]:4441`.
    ///
    /// - Parameter text: The address.
    /// - Throws: `ProbeError` of kind `refused` that names the forms.
    public init(_ text: String) throws(ProbeError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : nil
        switch parts[0] {
        case "usb":
            if let rest, rest.isEmpty { throw Self.wrong(text, "a serial number is missing") }
            if let rest, rest.hasPrefix("@") {
                let port = String(rest.dropFirst())
                guard Self.isPort(port) else {
                    throw Self.wrong(text, "'\(port)' is no place on the USB such as 1-1.3")
                }
                self = .usbPort(port)
            } else {
                self = .usb(serial: rest)
            }
        case "tcp": self = try Self.network(.openOCD, rest, in: text)
        case "elaphure": self = try Self.network(.elaphureLink, rest, in: text)
        default: throw Self.wrong(text, "it does not say how the probe is reached")
        }
    }

    /// The address in the form that is read.
    public var description: String {
        switch self {
        case .usb(nil): return "usb"
        case .usb(let serial?): return "usb:\(VisibleText.escaped(serial))"
        case .usbPort(let port): return "usb:@\(port)"
        case .network(let framing, let host, let port):
            let word = framing == .openOCD ? "tcp" : "elaphure"
            return "\(word):\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    /// Bus and ports as the kernel writes them: `1-1.3`.
    private static func isPort(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt8(parts[0]) != nil else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
            UInt8($0) != nil
        }
    }

    private static func network(
        _ framing: ProbeFraming,
        _ rest: String?,
        in text: String
    ) throws(ProbeError) -> ProbeAddress {
        guard let rest, !rest.isEmpty else { throw wrong(text, "the host is missing") }
        var host = rest
        var port: String?
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let tail = rest[rest.index(after: end)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { throw wrong(text, "':' is expected after ']'") }
            port = tail.isEmpty ? nil : String(tail.dropFirst())
        } else if let colon = rest.lastIndex(of: ":") {
            host = String(rest[..<colon])
            port = String(rest[rest.index(after: colon)...])
            guard !host.contains(":") else { throw wrong(text, "write a host with colons in brackets") }
        }
        guard !host.isEmpty else { throw wrong(text, "the host is missing") }
        guard let port else { return .network(framing, host: host, port: framing.usualPort) }
        guard let number = UInt16(port), number > 0 else { throw wrong(text, "'\(port)' is no TCP port") }
        return .network(framing, host: host, port: number)
    }

    private static func wrong(_ text: String, _ reason: String) -> ProbeError {
        ProbeError(
            "'\(VisibleText.escaped(text))' is no address of a probe: \(reason); the forms are \(forms)",
            kind: .refused
        )
    }
}
