// SPDX-License-Identifier: MIT

/// Finds the word that was probably meant.
public enum Suggestion {
    /// The nearest word: fewest letters missing, added, changed or swapped; nil when none is near.
    ///
    /// Case, blanks, `-` and `_` make no difference to what is near. A word may differ in a third of its letters.
    ///
    /// - Parameters:
    ///   - word: The word that was found.
    ///   - candidates: The words that are possible.
    /// - Returns: One of the candidates, or nil.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest * 2) { letters in
            let wantedLetters = UnsafeMutableBufferPointer(rebasing: letters[..<longest])
            let otherLetters = UnsafeMutableBufferPointer(rebasing: letters[longest...])
            guard let count = fold(word, into: wantedLetters), count > 0 else { return nil }
            let wanted = UnsafeBufferPointer(rebasing: wantedLetters.prefix(count))
            let wantedSet = letterSet(wanted)
            var best: String?
            var limit = Swift.min(3, (count + 2) / 3)
            for candidate in candidates {
                guard let length = fold(candidate, into: otherLetters), abs(length - count) <= limit else {
                    continue
                }
                let other = UnsafeBufferPointer(rebasing: otherLetters.prefix(length))
                // An edit takes at most one letter away and brings one.
                guard (letterSet(other) ^ wantedSet).nonzeroBitCount <= limit * 2,
                    let distance = distance(wanted, other, limit: limit), distance < length
                else { continue }
                best = candidate
                guard distance > 0 else { break }
                limit = distance - 1
            }
            return best ?? onlyBeginning(wanted, among: candidates, scratch: otherLetters)
        }
    }

    /// The only candidate that begins with what was typed, or nil.
    private static func onlyBeginning(
        _ wanted: UnsafeBufferPointer<UInt8>,
        among candidates: some Sequence<String>,
        scratch: UnsafeMutableBufferPointer<UInt8>
    ) -> String? {
        guard wanted.count >= 2 else { return nil }
        var found: String?
        for candidate in candidates {
            guard let length = fold(candidate, into: scratch), scratch.prefix(length).starts(with: wanted)
            else { continue }
            guard found == nil else { return nil }
            found = candidate
        }
        return found
    }

    /// The number of edits between two words, or nil when it is above the limit.
    private static func distance(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>,
        limit: Int
    ) -> Int? {
        let width = right.count + 1
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: width * 3) { rows -> Int? in
            for column in 0..<width { rows[column] = column }
            for row in 1...left.count {
                // Three rows turn: this one, the one before, and the one before that for swapped letters.
                let this = row % 3 * width
                let before = (row + 2) % 3 * width
                let twoBefore = (row + 1) % 3 * width
                rows[this] = row
                var least = row
                for column in 1..<Swift.max(width, 1) {
                    let isSame = left[row - 1] == right[column - 1]
                    var cost = Swift.min(rows[before + column], rows[this + column - 1]) + 1
                    cost = Swift.min(cost, rows[before + column - 1] + (isSame ? 0 : 1))
                    if row > 1, column > 1, left[row - 1] == right[column - 2],
                        left[row - 2] == right[column - 1]
                    {
                        cost = Swift.min(cost, rows[twoBefore + column - 2] + 1)
                    }
                    rows[this + column] = cost
                    least = Swift.min(least, cost)
                }
                if least > limit { return nil }
            }
            let distance = rows[left.count % 3 * width + right.count]
            return distance <= limit ? distance : nil
        }
    }

    /// Writes a word without case, blanks, `-` and `_`.
    ///
    /// - Returns: The number of letters; nil when the word is too long.
    private static func fold(_ word: String, into letters: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var count = 0
        for byte in word.utf8 where byte != 0x2D && byte != 0x5F && byte != 0x20 {
            guard count < letters.count else { return nil }
            letters[count] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            count += 1
        }
        return count
    }

    /// A bit for each letter that occurs.
    private static func letterSet(_ letters: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var set: UInt64 = 0
        for letter in letters { set |= 1 << UInt64(letter & 0x3F) }
        return set
    }

    private static let longest = 64
}
