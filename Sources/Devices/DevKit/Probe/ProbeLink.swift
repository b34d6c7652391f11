// SPDX-License-Identifier: MIT

/// A way to a CMSIS-DAP debug probe: one packet goes out, one packet comes back.
///
/// A link belongs to one thread at a time.
public protocol ProbeLink: AnyObject, Sendable {
    /// What the probe is called in messages, for example `KitProg3 102015B003137400`.
    var name: String { get }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameter request: The packet, the command byte first.
    /// - Returns: The answer's packet, the command byte first.
    /// - Throws: `ProbeError` when the probe is gone, busy, not permitted or out of step.
    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8]

    /// Tells the link the longest packet of the probe, once that is known.
    func learn(packetSize: Int)

    /// Ends the use of the probe; further calls do nothing.
    func close()
}

extension ProbeLink {
    /// Nothing: most links carry packets of any length.
    public func learn(packetSize: Int) {}
}
