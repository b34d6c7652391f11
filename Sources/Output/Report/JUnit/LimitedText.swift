// SPDX-License-Identifier: MIT

/// Keeps text within a limit: the head and the tail stay, the middle goes.
enum LimitedText {
    /// Lines joined by line feeds, with one at the end, within a limit of bytes of UTF-8.
    ///
    /// - Parameters:
    ///   - lines: The lines; long ones are cut in the middle as well.
    ///   - limit: The most bytes that the result has, at least some hundred.
    ///   - closing: Lines that are always kept at the end.
    ///   - cutNotice: The very last line when anything was cut.
    /// - Returns: The text.
    static func joined(_ lines: [String], limit: Int, closing: [String] = [], cutNotice: String) -> String {
        joined(count: lines.count, limit: limit, closing: closing, cutNotice: cutNotice) { lines[$0] }
    }

    /// The same for lines that are made when they are needed: of a long list only those that are kept.
    ///
    /// - Parameters:
    ///   - count: Number of lines.
    ///   - limit: The most bytes that the result has.
    ///   - closing: Lines that are always kept at the end.
    ///   - cutNotice: The very last line when anything was cut.
    ///   - line: Makes the line of an index.
    /// - Returns: The text.
    static func joined(
        count: Int,
        limit: Int,
        closing: [String] = [],
        cutNotice: String,
        line: (Int) -> String
    ) -> String {
        let end = closing.reduce(0) { $0 + $1.utf8.count + 1 }
        if let whole = whole(count: count, limit: limit - end, line: line) {
            return closing.reduce(into: whole) { $0 += "\($1)\n" }
        }
        let marker = 40
        let room = max(0, limit - end - cutNotice.utf8.count - 1 - marker)
        let lineLimit = max(room / 6, 16)
        // A third for the head: the trouble is usually at the end.
        var used = 0
        var head: [String] = []
        while head.count < count {
            let kept = shortened(line(head.count), limit: lineLimit)
            guard used + kept.utf8.count + 1 <= room / 3 else { break }
            head.append(kept)
            used += kept.utf8.count + 1
        }
        var tail: [String] = []
        while head.count + tail.count < count {
            let kept = shortened(line(count - 1 - tail.count), limit: lineLimit)
            guard used + kept.utf8.count + 1 <= room else { break }
            tail.append(kept)
            used += kept.utf8.count + 1
        }
        let left = count - head.count - tail.count
        let gap = left > 0 ? ["... \(left) lines left out ..."] : []
        return (head + gap + tail.reversed() + closing + [cutNotice]).map { $0 + "\n" }.joined()
    }

    /// All lines, when they fit.
    private static func whole(count: Int, limit: Int, line: (Int) -> String) -> String? {
        var out = ""
        for index in 0..<count {
            out += line(index)
            out += "\n"
            guard out.utf8.count <= limit else { return nil }
        }
        return out
    }

    /// A text within a limit of bytes, cut in the middle at whole characters.
    static func shortened(_ text: String, limit: Int) -> String {
        let count = text.utf8.count
        guard count > limit else { return text }
        let mark = "..[\(count - limit) bytes more].."
        let room = max(0, limit - mark.utf8.count)
        let head = prefix(text, bytes: room / 2)
        let tail = suffix(text, bytes: room - room / 2)
        return head + mark + tail
    }

    private static func prefix(_ text: String, bytes: Int) -> Substring {
        var end = text.utf8.index(text.startIndex, offsetBy: bytes)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end]
    }

    private static func suffix(_ text: String, bytes: Int) -> Substring {
        var start = text.utf8.index(text.endIndex, offsetBy: -bytes)
        while start < text.endIndex, start.samePosition(in: text.unicodeScalars) == nil {
            start = text.utf8.index(after: start)
        }
        return text[start...]
    }
}
