// SPDX-License-Identifier: MIT

/// Values of the life cycle setting.
///
/// Source: the vendor's public host libraries (MIT).
public enum LifeCycleWord {
    /// Personalization: PERSONALIZE DATA works.
    public static let personalization: [UInt8] = [0x5A, 0xA5]
    /// Operational: it does not any more.
    public static let operational: [UInt8] = [0xC3, 0x3C]
}
