// SPDX-License-Identifier: MIT

extension ProbeAddress {
    /// Opens the probe at the address.
    ///
    /// - Parameter timeout: How long an answer may take.
    /// - Returns: The link.
    /// - Throws: `ProbeError` that says what is missing and what to do.
    public func open(timeout: Duration = .seconds(2)) throws(ProbeError) -> any ProbeLink {
        switch self {
        case .usb, .usbPort: try ProbeFinder().open(self, timeout: timeout)
        case .network(let framing, let host, let port):
            try TCPProbeLink(framing, host: host, port: port, timeout: timeout)
        }
    }
}
