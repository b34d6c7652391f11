// SPDX-License-Identifier: MIT

/// The bytes of a file, looked up by line and column.
///
/// Lines end as YAML has them: LF, CRLF, CR, NEL, LS and PS. The table of lines is made at the first question, since
/// a file without mistakes never asks one.
struct SourceText {
    /// The file's bytes.
    let bytes: [UInt8]
    /// Where each line starts.
    private(set) lazy var lineStarts: [Int] = Self.findLines(bytes)

    /// Takes the bytes of a file.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The offset of a character of the file, counted from 0; the end where there are fewer.
    mutating func offset(ofCharacter index: Int) -> Int {
        let step = index / Self.checkpointDistance
        guard step < checkpoints.count else { return bytes.count }
        var offset = checkpoints[step]
        for _ in 0..<index % Self.checkpointDistance where offset < bytes.count {
            offset += Self.width(of: bytes[offset])
        }
        return min(offset, bytes.count)
    }

    /// The offset of every 256th character.
    private lazy var checkpoints: [Int] = {
        var out: [Int] = []
        var count = 0
        for index in bytes.indices where bytes[index] & 0xC0 != 0x80 {
            if count.isMultiple(of: Self.checkpointDistance) { out.append(index) }
            count += 1
        }
        return out
    }()

    private static let checkpointDistance = 256

    /// The offset of a character, line and column from 0; the end of the line where it is shorter.
    mutating func offset(line: Int, column: Int) -> Int {
        guard line < lineStarts.count else { return bytes.count }
        var offset = lineStarts[line]
        var left = column
        while left > 0, offset < bytes.count {
            offset += Self.width(of: bytes[offset])
            left -= 1
        }
        return min(offset, bytes.count)
    }

    /// Line and column from 0, in characters, of an offset.
    mutating func place(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        let column = bytes[lineStarts[low]..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
        return (low, column)
    }

    /// The text from an offset to the end of its line, without blanks at its end.
    func restOfLine(from offset: Int) -> String {
        var end = offset
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        while end > offset, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// The text of a line before an offset.
    mutating func startOfLine(before offset: Int) -> String {
        let start = lineStarts[place(of: offset).line]
        return String(decoding: bytes[start..<max(start, min(offset, bytes.count))], as: UTF8.self)
    }

    /// The byte at an offset; nil behind the end.
    func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[offset] : nil
    }

    static func width(of lead: UInt8) -> Int {
        switch lead {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }

    private static func findLines(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let next = breakEnd(bytes, at: index)
            if let next { starts.append(next) }
            index = next ?? index + 1
        }
        return starts
    }

    /// Where a line break at an index ends; nil when there is none.
    static func breakEnd(_ bytes: [UInt8], at index: Int) -> Int? {
        switch bytes[index] {
        case 0x0A:
            return index + 1
        case 0x0D:
            return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0x85:
            return index + 2
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
            return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? index + 3 : nil
        default:
            return nil
        }
    }
}
