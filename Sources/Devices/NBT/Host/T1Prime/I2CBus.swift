// SPDX-License-Identifier: MIT

public import CardConnection

/// A bus on which the chip answers under its address.
///
/// What one read leaves over, the next one gets: the host reads the head of a block first, then as much as it says.
public protocol I2CBus: AnyObject {
    /// Writes bytes to the chip.
    ///
    /// - Parameter bytes: A whole block.
    /// - Returns: False when the chip did not acknowledge its address: it is busy.
    /// - Throws: ``TransportFault`` when the bus itself fails.
    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool

    /// Reads bytes from the chip.
    ///
    /// - Parameter count: How many.
    /// - Returns: Exactly that many; nil when the chip did not acknowledge its address: nothing is ready.
    /// - Throws: ``TransportFault`` when the bus itself fails.
    func read(_ count: Int) throws(TransportFault) -> [UInt8]?
}
