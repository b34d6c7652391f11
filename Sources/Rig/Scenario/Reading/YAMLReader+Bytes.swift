// SPDX-License-Identifier: MIT

import Wording

extension YAMLReader {
    /// The bytes that the YAML parser gets, or nil when they are no text of a size that is taken.
    static func checkedText(_ bytes: [UInt8], file: String, mistakes: MistakeCollector) -> [UInt8]? {
        let start = SourcePosition(file: file, line: 1, column: 1)
        guard bytes.count <= largestFile else {
            mistakes.add(
                start,
                "the file is longer than 1 MiB (\(largestFile) bytes); split it into several suites"
            )
            return nil
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            mistakes.add(start, "the file is UTF-16 text; save it as UTF-8 without a byte order mark")
            return nil
        }
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            mistakes.add(start, "the file starts with a byte order mark; save it as UTF-8 without one")
            bytes.removeFirst(3)
        }
        if let offset = firstControl(bytes) {
            let byte = bytes[offset]
            let code = "U+" + Digits.hex(byte, width: 4)
            let binary = byte == 0 ? "; is it a binary file?" : "; remove it"
            mistakes.add(
                place(of: offset, in: bytes, file: file),
                "the character \(code) is not text\(binary)"
            )
            return nil
        }
        if let offset = firstWrongUTF8(bytes) {
            mistakes.add(
                place(of: offset, in: bytes, file: file),
                "the file is not UTF-8 here; save it as UTF-8"
            )
            return nil
        }
        return bytes
    }

    private static func place(of offset: Int, in bytes: [UInt8], file: String) -> SourcePosition {
        var source = SourceText(bytes)
        let (line, column) = source.place(of: offset)
        return SourcePosition(file: file, line: line + 1, column: column + 1)
    }

    /// The offset of the first control character that is no tab and no line break.
    private static func firstControl(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            for index in 0..<buffer.count {
                let byte = buffer[index]
                if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return index }
                if byte == 0x7F { return index }
            }
            return nil
        }
    }

    /// The offset of the first byte that does not belong into UTF-8.
    private static func firstWrongUTF8(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var offset = 0
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput, .error: return min(offset, max(0, bytes.count - 1))
            }
        }
    }
}
