// SPDX-License-Identifier: MIT

/// Where an OPTIGA Authenticate NBT is told passwords and keys.
///
/// Passwords travel in SELECT of a file (tags 52 and 54), in CREATE, DELETE and CHANGE PASSWORD; keys in PERSONALIZE
/// DATA (groups A001 to A003). Ids, retry limits and lengths stay readable.
/// Source: the vendor's public host libraries (MIT).
struct ChipPasswords {
    private let command: [UInt8]
    private let data: Range<Int>
    /// False when the card may be any: then only what has exactly the chip's form counts.
    private let isKnown: Bool

    init(_ command: [UInt8], data: Range<Int>, isKnown: Bool) {
        self.command = command
        self.data = data
        self.isKnown = isKnown
    }

    /// The ranges to hide in the command.
    var ranges: [Range<Int>] {
        guard command.count > 5, command[0] == 0x00, !data.isEmpty else { return [] }
        switch command[1] {
        case 0xA4: return selection
        case 0xE1: return creation
        case 0xE4: return isKnown || isDeletion ? [data] : []
        case 0xE2: return personalization
        default: return []
        }
    }

    /// The ranges to hide in the answer to a SELECT that presented passwords: their responses.
    ///
    /// `0000` and `FFFF` are none, they tell of a wrong or blocked password.
    func responseRanges(in response: [UInt8]) -> [Range<Int>] {
        guard command.count > 5, command[0] == 0x00, command[1] == 0xA4, !selection.isEmpty,
            response.count > 2
        else { return [] }
        let data = 0..<response.count - 2
        let (objects, isWhole) = TLVRanges(response, coding: .flat).objects(in: data)
        guard isWhole else { return [data] }
        return objects.map(\.value).filter { range in
            let value = response[range]
            return !(value.count == 2 && (value.allSatisfy { $0 == 0x00 } || value.allSatisfy { $0 == 0xFF }))
        }
    }

    /// Passwords behind the file's identifier.
    private var selection: [Range<Int>] {
        guard command[2] == 0x00, command[3] == 0x0C, data.count > 2 else { return [] }
        let rest = data.lowerBound + 2..<data.upperBound
        let (objects, isWhole) = TLVRanges(command, coding: .flat).objects(in: rest)
        let isExact = isWhole && objects.allSatisfy { $0.tag == 0x52 || $0.tag == 0x54 }
        if isExact { return objects.map(\.value) }
        return isKnown ? [rest] : []
    }

    /// Master password, then id, value, response and retry limit.
    private var creation: [Range<Int>] {
        let start = data.lowerBound
        switch data.count {
        case 9 where hasNoParameters: return [start + 1..<start + 7]
        case 13 where hasNoParameters: return [start..<start + 4, start + 5..<start + 11]
        default: return isKnown ? [data] : []
        }
    }

    private var isDeletion: Bool {
        data.count == 4 && command[2] == 0x00 && (0x01...0x1F).contains(command[3])
    }

    /// The content of the groups that are keys; of a password all but its id and retry limit.
    private var personalization: [Range<Int>] {
        let start = data.lowerBound
        guard data.count > 2, command[start] == 0xA0, (0x01...0x03).contains(command[start + 1]) else {
            return []
        }
        // The length has one byte, or two behind FF.
        let isLong = command[start + 2] == 0xFF && data.count > 4
        let head = isLong ? 5 : 3
        let length = isLong ? Int(command[start + 3]) << 8 | Int(command[start + 4]) : Int(command[start + 2])
        guard hasNoParameters, length == data.count - head else {
            return isKnown ? [start + 2..<data.upperBound] : []
        }
        let content = start + head
        let isPassword = command[start + 1] == 0x03 && length == 9
        return isPassword ? [content + 1..<content + 7] : [content..<data.upperBound]
    }

    private var hasNoParameters: Bool { command[2] == 0x00 && command[3] == 0x00 }
}
