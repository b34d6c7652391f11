// SPDX-License-Identifier: MIT

/// Names of commands for people, by the instruction byte.
///
/// Source: ISO/IEC 7816-4:2013 §5.4, table 4; reader commands (class `FF`): PC/SC part 3, §3.2. Devices put their
/// own names before these.
public enum CommandNames {
    /// The name of an interindustry or reader command; nil when the standard has none.
    public static func name(of command: [UInt8]) -> String? {
        guard command.count >= 4 else { return nil }
        if command[0] == 0xFF { return readerName(ins: command[1]) }
        // The classes `1xxx xxxx` are proprietary and `001x xxxx` reserved: the instruction says nothing there.
        // Source: ISO/IEC 7816-4:2013 §5.4.1.
        guard command[0] & 0x80 == 0, command[0] & 0xE0 != 0x20 else { return nil }
        if command[1] == 0xA4 { return selectName(p1: command[2]) }
        return interindustryName(ins: command[1])
    }

    private static func selectName(p1: UInt8) -> String {
        switch p1 {
        case 0x04: "SELECT application"
        case 0x03: "SELECT parent"
        case 0x08, 0x09: "SELECT path"
        default: "SELECT file"
        }
    }

    private static func readerName(ins: UInt8) -> String? {
        switch ins {
        case 0xCA: "reader: GET DATA"
        case 0x82: "reader: LOAD KEYS"
        case 0x86, 0x88: "reader: GENERAL AUTHENTICATE"
        case 0xB0: "reader: READ BINARY"
        case 0xD6: "reader: UPDATE BINARY"
        case 0xC2: "reader: MANAGE SESSION"
        default: nil
        }
    }

    private static func interindustryName(ins: UInt8) -> String? {
        switch ins {
        case 0x04: "DEACTIVATE FILE"
        case 0x0C: "ERASE RECORD"
        case 0x0E, 0x0F: "ERASE BINARY"
        case 0x10: "PERFORM SCQL OPERATION"
        case 0x12: "PERFORM TRANSACTION OPERATION"
        case 0x14: "PERFORM USER OPERATION"
        case 0x20, 0x21: "VERIFY"
        case 0x22: "MANAGE SECURITY ENVIRONMENT"
        case 0x24, 0x25: "CHANGE REFERENCE DATA"
        case 0x26: "DISABLE VERIFICATION"
        case 0x28: "ENABLE VERIFICATION"
        case 0x2A: "PERFORM SECURITY OPERATION"
        case 0x2C, 0x2D: "RESET RETRY COUNTER"
        case 0x44: "ACTIVATE FILE"
        case 0x46, 0x47: "GENERATE ASYMMETRIC KEY PAIR"
        case 0x70: "MANAGE CHANNEL"
        case 0x82: "EXTERNAL AUTHENTICATE"
        case 0x84: "GET CHALLENGE"
        case 0x86, 0x87: "GENERAL AUTHENTICATE"
        case 0x88: "INTERNAL AUTHENTICATE"
        case 0xA0, 0xA1: "SEARCH BINARY"
        case 0xA2: "SEARCH RECORD"
        case 0xB0, 0xB1: "READ BINARY"
        case 0xB2, 0xB3: "READ RECORD"
        case 0xC0: "GET RESPONSE"
        case 0xC2, 0xC3: "ENVELOPE"
        case 0xCA, 0xCB: "GET DATA"
        case 0xD0, 0xD1: "WRITE BINARY"
        case 0xD2: "WRITE RECORD"
        case 0xD6, 0xD7: "UPDATE BINARY"
        case 0xDA, 0xDB: "PUT DATA"
        case 0xDC, 0xDD: "UPDATE RECORD"
        case 0xE0: "CREATE FILE"
        case 0xE2: "APPEND RECORD"
        case 0xE4: "DELETE FILE"
        case 0xE6: "TERMINATE DF"
        case 0xE8: "TERMINATE EF"
        case 0xFE: "TERMINATE CARD USAGE"
        default: nil
        }
    }
}
