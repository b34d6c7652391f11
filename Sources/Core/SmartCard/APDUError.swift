// SPDX-License-Identifier: MIT

/// Why bytes or fields are no APDU.
public enum APDUError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A command of fewer than the four header bytes.
    case headerTooShort(count: Int)
    /// The length field and the bytes that follow disagree.
    case lengthMismatch(nc: Int, present: Int)
    /// More command data than 65 535 bytes.
    case dataTooLong(count: Int)
    /// An expected length outside 0 to 65 536.
    case expectedLengthOutOfRange(ne: Int)
    /// A response of fewer than the two bytes of a status word.
    case responseTooShort(count: Int)

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .headerTooShort(let count):
            "a command needs at least the 4 bytes CLA INS P1 P2, here are \(count)"
        case .lengthMismatch(let nc, let present):
            "Lc says \(nc) data bytes (and at most one Le field may follow), but \(present == 1 ? "1 byte follows" : "\(present) bytes follow") it"
        case .dataTooLong(let count):
            "\(count) data bytes do not fit an APDU, the limit is \(CommandAPDU.extendedNcLimit)"
        case .expectedLengthOutOfRange(let ne):
            "an expected length of \(ne) cannot be coded, the range is 0 to \(CommandAPDU.extendedNeLimit)"
        case .responseTooShort(let count):
            "response too short (\(count) bytes)"
        }
    }
}
