// SPDX-License-Identifier: MIT

/// Bits of the status that FETCH DATA answers with.
///
/// The first four tell what happened since the last fetch. Source: the vendor's public C library (MIT).
public enum PassThroughBit {
    /// Layer 4 was left.
    public static let layer4Left: UInt16 = 0x0040
    /// Layer 4 was entered.
    public static let layer4Entered: UInt16 = 0x0020
    /// The field went away.
    public static let fieldLost: UInt16 = 0x0010
    /// A field came.
    public static let fieldFound: UInt16 = 0x0008
    /// A command of the phone waits.
    public static let commandAvailable: UInt16 = 0x0004
    /// Layer 4 is active.
    public static let layer4Active: UInt16 = 0x0002
    /// A field is there.
    public static let fieldPresent: UInt16 = 0x0001
}
