// SPDX-License-Identifier: MIT

import NBTConstants

/// What one face of the chip forgets when its power goes.
struct FaceState: Sendable {
    /// The application that answers.
    enum Application: Sendable {
        case tag
        case configurator
    }

    /// A password that was presented, and what for.
    struct Grant: Hashable, Sendable {
        let id: UInt8
        let isForWriting: Bool
    }

    var isPowered = false
    var application: Application?
    var file: NBTFile?
    /// Passwords that were presented and are right.
    var grants: Set<Grant> = []
    /// The token that stands in place of the placeholder of the message.
    var token: [UInt8]?

    /// Selects an application; file and passwords are forgotten.
    mutating func select(_ newApplication: Application) {
        application = newApplication
        file = nil
        grants = []
    }
}
