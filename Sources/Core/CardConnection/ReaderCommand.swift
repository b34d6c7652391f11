// SPDX-License-Identifier: MIT

/// Commands that a contactless reader answers itself, from what it learned before the card's first command.
///
/// Source: PC/SC part 3, revision 2.01.09, §3.2.2.1.3 Get Data and §3.1.3.2.3 for the historical bytes in the ATR.
public enum ReaderCommand {
    /// The answer of the reader.
    ///
    /// - Parameters:
    ///   - command: The whole command.
    ///   - card: The card in the reader.
    /// - Returns: Data and status word; nil for what is the card's own affair.
    public static func answer(to command: [UInt8], of card: any Card) -> [UInt8]? {
        guard command.first == readerClass, command.count > 1, command[1] == getData,
            let uid = card.contactlessUID
        else { return nil }
        // Get Data has four bytes of header and one of Le.
        guard command.count == 5 else { return [0x67, 0x00] }
        guard command[3] == 0 else { return wrongParameter }
        switch command[2] {
        case uidWanted: return cut(uid, to: Int(command[4]))
        case historicalBytesWanted:
            let bytes =
                card.contactlessATS.map(historicalBytes(ofATS:)) ?? historicalBytes(ofContactless: card.atr)
            return bytes.isEmpty ? notSupported : cut(bytes, to: Int(command[4]))
        default: return wrongParameter
        }
    }

    /// Le 00 asks for all of it; too few is corrected, too many is a warning.
    private static func cut(_ data: [UInt8], to le: Int) -> [UInt8] {
        switch le {
        case 0, data.count: data + [0x90, 0x00]
        case ..<data.count: [0x6C, UInt8(truncatingIfNeeded: data.count)]
        default: data + [0x62, 0x82]
        }
    }

    /// What follows TL, T0 and the interface bytes that T0 announces.
    ///
    /// Source: ISO/IEC 14443-4:2018 §5.2.
    private static func historicalBytes(ofATS ats: [UInt8]) -> [UInt8] {
        guard ats.count > 1 else { return [] }
        return Array(ats.dropFirst(2 + (ats[1] & 0x70).nonzeroBitCount))
    }

    /// The ATR that a reader makes for a contactless card: `3B 8n 80 01`, n historical bytes, and a check byte.
    private static func historicalBytes(ofContactless atr: [UInt8]) -> [UInt8] {
        guard atr.count > 4, atr[0] == 0x3B, atr[1] & 0xF0 == 0x80, atr[2] == 0x80, atr[3] == 0x01 else {
            return []
        }
        return Array(atr[4...].prefix(Int(atr[1] & 0x0F)))
    }

    private static let readerClass: UInt8 = 0xFF
    private static let getData: UInt8 = 0xCA
    private static let uidWanted: UInt8 = 0x00
    private static let historicalBytesWanted: UInt8 = 0x01
    private static let wrongParameter: [UInt8] = [0x6B, 0x00]
    private static let notSupported: [UInt8] = [0x6A, 0x81]
}
