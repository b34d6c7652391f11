// SPDX-License-Identifier: MIT

import NBTConstants

/// A password as the chip is given it: id, value, response and retry limit.
public struct NBTPassword: Hashable, Sendable {
    /// The id that a rights byte of the access policy names, 1 to 31.
    public let id: UInt8
    /// The value, 4 bytes.
    public let value: [UInt8]
    /// What the chip returns to a right value, 2 bytes, neither `0000` nor `FFFF`.
    public let response: [UInt8]
    /// How many wrong values block it: 1 to 127, or 65 535, presumably for no limit.
    public let tries: UInt16

    /// Makes a password.
    ///
    /// The libraries of the vendor let retry limits up to 7FFF through, the chip refuses those from 0080 on with 6A80.
    /// - Parameters:
    ///   - id: The id, 1 to 31.
    ///   - value: The value, 4 bytes.
    ///   - response: What the chip returns to a right value, 2 bytes.
    ///   - tries: The retry limit; any number is let through, so that the chip's refusal can be tested.
    /// - Throws: ``NBTError/argument(_:)`` when a length or the id is out of its range.
    public init(id: UInt8, value: [UInt8], response: [UInt8], tries: UInt16) throws(NBTError) {
        guard AccessByte.passwordIDs.contains(id) else {
            throw .argument("a password id is 1 to 31, not \(id)")
        }
        guard response.count == PasswordLimits.responseSize else {
            throw .argument("the response of a password has 2 bytes, not \(response.count)")
        }
        self.id = id
        self.value = try NBTCommandBuilder.checked(password: value)
        self.response = response
        self.tries = tries
    }

    /// The nine bytes of CREATE PASSWORD and of the data group: id, value, response, retry limit.
    public var bytes: [UInt8] {
        [id] + value + response
            + [UInt8(truncatingIfNeeded: tries >> 8), UInt8(truncatingIfNeeded: tries)]
    }
}
