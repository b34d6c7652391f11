// SPDX-License-Identifier: MIT

extension StatusWord {
    /// The kind of result.
    public var family: StatusFamily {
        switch sw1 {
        case 0x61: .normal
        case 0x62, 0x63: .warning
        case 0x64...0x66: .executionError
        case 0x67...0x6F: .checkingError
        default: self == .success ? .normal : .proprietary
        }
    }

    /// True for `62xx` and `63xx`.
    public var isWarning: Bool { family == .warning }

    /// True for `64xx` to `6Fxx`.
    public var isError: Bool { family == .executionError || family == .checkingError }

    /// Number of answer bytes that a `61xx` announces, 256 for `6100`; nil for other words.
    public var bytesAvailable: Int? {
        guard sw1 == 0x61 else { return nil }
        return sw2 == 0 ? 256 : Int(sw2)
    }

    /// The expected length that a `6Cxx` asks for, 256 for `6C00`; nil for other words.
    public var rightLength: Int? {
        guard sw1 == 0x6C else { return nil }
        return sw2 == 0 ? 256 : Int(sw2)
    }

    /// What the word says, in plain words without a full stop; an unknown one is described by its class.
    ///
    /// Source: ISO/IEC 7816-4:2013 §5.6, tables 5 to 7.
    public var meaning: String {
        Self.fixedMeanings[rawValue] ?? countedMeaning ?? classMeaning
    }

    /// Words whose second byte is a number.
    private var countedMeaning: String? {
        if let count = bytesAvailable {
            return switch count {
            case 1: "1 more byte is available"
            case 256: "256 or more bytes are available"
            default: "\(count) more bytes are available"
            }
        }
        if let count = rightLength {
            return count == 1
                ? "wrong length: 1 byte is available" : "wrong length: \(count) bytes are available"
        }
        if let tries = triesLeft {
            return switch tries {
            case 0: "no tries left"
            case 1: "1 try left"
            default: "\(tries) tries left"
            }
        }
        switch rawValue {
        case 0x6202...0x6280: return "warning: the card wants to be asked for \(sw2) bytes"
        case 0x6402...0x6480: return "execution error: the card wants to be asked for \(sw2) bytes"
        default: return nil
        }
    }

    /// What the first byte alone says.
    private var classMeaning: String {
        switch sw1 {
        case 0x62: "warning, memory unchanged"
        case 0x63: "warning, memory changed"
        case 0x64: "execution error, memory unchanged"
        case 0x65: "execution error, memory changed"
        case 0x66: "security-related execution error"
        case 0x67: "wrong length"
        case 0x68: "function in CLA not supported"
        case 0x69: "command not allowed"
        case 0x6A: "wrong parameters P1-P2 or wrong data"
        case 0x6B: "wrong parameters P1-P2"
        case 0x6D: "instruction not supported or invalid"
        case 0x6E: "class not supported"
        case 0x6F: "error without a precise diagnosis"
        case 0x90...0x9F: "meaning set by the maker of the card"
        default: "no valid status word"
        }
    }

    /// Words that have one meaning as a whole.
    private static let fixedMeanings: [UInt16: String] = [
        0x9000: "done",

        0x6200: "warning, memory unchanged",
        0x6281: "part of the returned data may be corrupted",
        0x6282: "end of file or record reached before Ne bytes were read, or nothing found",
        0x6283: "selected file is deactivated",
        0x6284: "control information of the file is not in the standard format",
        0x6285: "selected file is terminated",
        0x6286: "no input from a sensor of the card",
        0x6287: "a referenced record is deactivated",

        0x6300: "warning, memory changed",
        0x6381: "file filled up by the last write",

        0x6400: "execution error, memory unchanged",
        0x6401: "the card needs an immediate answer",
        0x6481: "shared access to the logical channel denied",
        0x6482: "opening of a logical channel denied",

        0x6500: "execution error, memory changed",
        0x6581: "memory failure",

        0x6700: "wrong length",
        0x6701: "command is not laid out as the standard says",
        0x6702: "Lc is not the expected one",

        0x6881: "logical channel not supported",
        0x6882: "secure messaging not supported",
        0x6883: "last command of the chain expected",
        0x6884: "command chaining not supported",

        0x6981: "command does not suit the structure of the file",
        0x6982: "security status not satisfied",
        0x6983: "authentication method blocked",
        0x6984: "reference data not usable",
        0x6985: "conditions of use not satisfied",
        0x6986: "command not allowed, no file is selected",
        0x6987: "expected secure messaging objects are missing",
        0x6988: "secure messaging objects are wrong",

        0x6A80: "wrong parameters in the command data",
        0x6A81: "function not supported",
        0x6A82: "file or application not found",
        0x6A83: "record not found",
        0x6A84: "not enough memory in the file",
        0x6A85: "Nc does not fit the TLV structure",
        0x6A86: "wrong parameters P1-P2",
        0x6A87: "Nc does not fit P1-P2",
        0x6A88: "referenced data not found",
        0x6A89: "file already exists",
        0x6A8A: "DF name already exists",

        0x6B00: "wrong parameters P1-P2",
        0x6D00: "instruction not supported or invalid",
        0x6E00: "class not supported",
        0x6F00: "error without a precise diagnosis",
    ]
}
