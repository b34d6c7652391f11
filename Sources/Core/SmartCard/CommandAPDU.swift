// SPDX-License-Identifier: MIT

/// The seven ways in which a command APDU can be laid out.
///
/// The number is the ISO case, `S` a short and `E` an extended length field.
/// Source: ISO/IEC 7816-4:2013 §5.1, table 1, and ISO/IEC 7816-3:2006 §12.1.3.
public enum CommandCase: String, Hashable, Sendable {
    /// Header alone.
    case case1 = "1"
    /// Header and short Le.
    case case2Short = "2S"
    /// Header, short Lc, data.
    case case3Short = "3S"
    /// Header, short Lc, data, short Le.
    case case4Short = "4S"
    /// Header and extended Le.
    case case2Extended = "2E"
    /// Header, extended Lc, data.
    case case3Extended = "3E"
    /// Header, extended Lc, data, extended Le.
    case case4Extended = "4E"
}

/// A command APDU: what a reader sends to a card.
///
/// Source: ISO/IEC 7816-4:2013 §5.1.
public struct CommandAPDU: Hashable, Sendable {
    /// Class byte.
    public let cla: UInt8
    /// Instruction byte.
    public let ins: UInt8
    /// First parameter byte.
    public let p1: UInt8
    /// Second parameter byte.
    public let p2: UInt8
    /// Command data field, 0 to 65 535 bytes.
    public let data: [UInt8]
    /// Largest number of data bytes expected in the answer, 0 (none) to 65 536.
    public let ne: Int
    /// True when the length fields are written in three or two bytes, also where one would do.
    public let isExtended: Bool

    /// Number of bytes in the command data field.
    public var nc: Int { data.count }

    /// The largest `nc` that fits a short APDU.
    public static let shortNcLimit = 255
    /// The largest `ne` that fits a short APDU, written as Le `00`.
    public static let shortNeLimit = 256
    /// The largest `nc` of an extended APDU.
    public static let extendedNcLimit = 65_535
    /// The largest `ne` of an extended APDU, written as Le `0000`.
    public static let extendedNeLimit = 65_536

    /// Makes a command from its fields; the extended form is taken when a length needs it or `isExtended` asks.
    ///
    /// - Parameters:
    ///   - cla: Class byte, not `FF`, which ISO/IEC 7816-3 reserves for PPS (readers use it for pseudo APDUs,
    ///     so it is let through).
    ///   - ins: Instruction byte.
    ///   - p1: First parameter byte.
    ///   - p2: Second parameter byte.
    ///   - data: Command data, at most 65 535 bytes.
    ///   - ne: Expected answer length, 0 to 65 536.
    ///   - isExtended: Write extended length fields even when short ones would do.
    /// - Throws: ``APDUError`` when a length is out of range.
    public init(
        cla: UInt8,
        ins: UInt8,
        p1: UInt8,
        p2: UInt8,
        data: [UInt8] = [],
        ne: Int = 0,
        isExtended: Bool = false
    ) throws(APDUError) {
        guard data.count <= Self.extendedNcLimit else { throw .dataTooLong(count: data.count) }
        guard (0...Self.extendedNeLimit).contains(ne) else { throw .expectedLengthOutOfRange(ne: ne) }
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.ne = ne
        let needsExtended = data.count > Self.shortNcLimit || ne > Self.shortNeLimit
        // Case 1 has no length field, so it has no extended form.
        self.isExtended = needsExtended || (isExtended && (!data.isEmpty || ne > 0))
    }

    /// Reads a command from its bytes.
    ///
    /// - Parameter bytes: The whole command, header first.
    /// - Throws: ``APDUError`` when the bytes are none of the seven cases.
    public init(bytes: [UInt8]) throws(APDUError) {
        guard bytes.count >= 4 else { throw .headerTooShort(count: bytes.count) }
        let body = try CommandBody(bytes: bytes)
        try self.init(
            cla: bytes[0],
            ins: bytes[1],
            p1: bytes[2],
            p2: bytes[3],
            data: Array(bytes[body.data]),
            ne: body.ne,
            isExtended: body.isExtended
        )
    }

    /// The ISO case of this command.
    public var form: CommandCase {
        switch (data.isEmpty, ne == 0, isExtended) {
        case (true, true, _): .case1
        case (true, false, false): .case2Short
        case (false, true, false): .case3Short
        case (false, false, false): .case4Short
        case (true, false, true): .case2Extended
        case (false, true, true): .case3Extended
        case (false, false, true): .case4Extended
        }
    }

    /// The bytes on the wire.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(4 + 3 + data.count + 2)
        out += [cla, ins, p1, p2]
        if isExtended {
            if !data.isEmpty || ne > 0 { out.append(0) }
            if !data.isEmpty {
                out += [UInt8(truncatingIfNeeded: data.count >> 8), UInt8(truncatingIfNeeded: data.count)]
                out += data
            }
            // 65 536 is written 0000: the truncation is the encoding.
            if ne > 0 { out += [UInt8(truncatingIfNeeded: ne >> 8), UInt8(truncatingIfNeeded: ne)] }
        } else {
            if !data.isEmpty {
                out.append(UInt8(truncatingIfNeeded: data.count))
                out += data
            }
            // 256 is written 00.
            if ne > 0 { out.append(UInt8(truncatingIfNeeded: ne)) }
        }
        return out
    }
}

/// Where the data of a command lies and what its length fields say.
private struct CommandBody {
    let data: Range<Int>
    let ne: Int
    let isExtended: Bool

    init(bytes: [UInt8]) throws(APDUError) {
        let count = bytes.count
        switch count {
        case 4:
            (data, ne, isExtended) = (4..<4, 0, false)
        case 5:
            (data, ne, isExtended) = (5..<5, bytes[4] == 0 ? 256 : Int(bytes[4]), false)
        case _ where bytes[4] != 0:
            let nc = Int(bytes[4])
            if count == 5 + nc {
                (data, ne, isExtended) = (5..<count, 0, false)
            } else if count == 6 + nc {
                let le = bytes[count - 1]
                (data, ne, isExtended) = (5..<5 + nc, le == 0 ? 256 : Int(le), false)
            } else {
                throw .lengthMismatch(nc: nc, present: count - 5)
            }
        case 6:
            throw .lengthMismatch(nc: 0, present: 1)
        default:
            let value = Int(bytes[5]) << 8 | Int(bytes[6])
            if count == 7 {
                (data, ne, isExtended) = (7..<7, value == 0 ? 65_536 : value, true)
            } else if value == 0 {
                throw .lengthMismatch(nc: 0, present: count - 7)
            } else if count == 7 + value {
                (data, ne, isExtended) = (7..<count, 0, true)
            } else if count == 9 + value {
                let le = Int(bytes[count - 2]) << 8 | Int(bytes[count - 1])
                (data, ne, isExtended) = (7..<7 + value, le == 0 ? 65_536 : le, true)
            } else {
                throw .lengthMismatch(nc: value, present: count - 7)
            }
        }
    }
}
