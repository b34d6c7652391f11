// SPDX-License-Identifier: MIT

import NBTConstants

/// What the chip keeps without power.
struct ChipMemory: Hashable, Sendable {
    /// The fixed UID, 7 bytes.
    var uid: [UInt8]
    /// Contents of the seven files; their sizes never change.
    var files: [NBTFile: [UInt8]]
    /// Settings of the configurator, as the next reset finds them.
    var configuration: [ConfigurationTag: [UInt8]]
    /// Passwords by their id.
    var passwords: [UInt8: StoredPassword] = [:]
    /// Private key of AUTHENTICATE TAG, a scalar of P-256; nil when there is none.
    var eccKey: [UInt8]?
    /// AES key of the one-time token; nil when there is none.
    var cottKey: [UInt8]?
    /// BACKEND TEST was switched off for good.
    var isBackendTestOff = false
    /// Where the source of random bytes stands, so that a saved chip does not repeat itself.
    var randomPosition: UInt64 = 0

    /// The life cycle that the configurator reports.
    var lifeCycle: [UInt8] {
        get { configuration[.lifeCycle] ?? LifeCycleWord.personalization }
        set { configuration[.lifeCycle] = newValue }
    }
}

/// A password as the chip stores it.
struct StoredPassword: Hashable, Sendable {
    /// What must be presented, 4 bytes.
    var value: [UInt8]
    /// What the chip answers when it is, 2 bytes.
    var response: [UInt8]
    /// How many wrong values in a row block it, or ``PasswordLimits/unlimitedTries``.
    var limit: UInt16
    /// How many of them are left.
    var triesLeft: UInt16
}
