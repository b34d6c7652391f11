// SPDX-License-Identifier: MIT

public import CardConnection
public import SmartCard

/// Why a Type 4 Tag could not be read or written.
public enum Type4TagError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No usable answer came.
    case transport(TransportFault)
    /// A command was not answered with `9000`.
    case status(step: String, StatusWord)
    /// The capability container is wrong.
    case container(CapabilityContainerError)
    /// The tag has a feature that this reader does not know.
    case unsupported(String)
    /// The container closes the NDEF file for reading.
    case readProtected(access: UInt8)
    /// The container closes the NDEF file for writing.
    case writeProtected(access: UInt8)
    /// The message does not fit the NDEF file.
    case messageTooLong(count: Int, limit: Int)
    /// The length field announces more bytes than the NDEF file holds.
    case lengthBeyondFile(length: Int, limit: Int)
    /// A read was answered with no data, or with more than was asked for.
    case wrongAmount(step: String, asked: Int, got: Int)
    /// A command could not be built.
    case command(APDUError)
    /// Reading or writing was tried before the tag was detected.
    case notDetected

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .transport(let fault):
            return fault.description
        case .status(let step, let sw):
            return "\(step) was answered with \(sw)" + Self.hint(for: sw)
        case .container(let error):
            return error.description
        case .unsupported(let feature):
            return "the tag has \(feature), which is not supported"
        case .readProtected(let access):
            return "the NDEF file is closed for reading (read access \([access].hex))"
        case .writeProtected(let access):
            return "the NDEF file is closed for writing (write access \([access].hex))"
        case .messageTooLong(let count, let limit):
            return "a message of \(count) bytes does not fit the NDEF file, which takes \(limit)"
        case .lengthBeyondFile(let length, let limit):
            return "the length field announces \(length) bytes, but the NDEF file holds at most \(limit)"
        case .wrongAmount(let step, let asked, let got):
            return "\(step) asked for \(asked) bytes and got \(got)"
        case .command(let error):
            return error.description
        case .notDetected:
            return "the tag was not detected yet; detect it before its message is read or written"
        }
    }

    private static func hint(for sw: StatusWord) -> String {
        switch sw.rawValue {
        case 0x6A82: " (not found): the card is no Type 4 Tag, or lacks the file"
        case 0x6982: " (security status not satisfied): the file's policy forbids it"
        case 0x6986: " (no file selected)"
        case 0x6700: " (wrong length)"
        default: ", expected 9000"
        }
    }
}
