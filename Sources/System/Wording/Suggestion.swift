// SPDX-License-Identifier: MIT

/// Finds the word that was probably meant.
public enum Suggestion {
    /// The nearest word: fewest letters missing, added, changed or swapped; nil when none is near.
    ///
    /// Case, blanks, `-` and `_` make no difference to what is near. A word may differ in a third of its letters.
    /// Failing that, the only word that begins so.
    ///
    /// - Parameters:
    ///   - word: The word that was found.
    ///   - candidates: The words that are possible.
    /// - Returns: One of the candidates, as it stands there.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let wanted = folded(word)
        guard !wanted.isEmpty, wanted.count <= longest else { return nil }
        var best: String?
        var limit = Swift.min(3, (wanted.count + 2) / 3)
        for candidate in candidates {
            guard abs(candidate.utf8.count - word.utf8.count) <= limit + 2 else { continue }
            let letters = folded(candidate)
            guard abs(letters.count - wanted.count) <= limit,
                let distance = distance(wanted, letters, limit: limit), distance < letters.count
            else { continue }
            best = candidate
            if distance == 0 { return best }
            limit = distance - 1
        }
        return best ?? onlyBeginning(wanted, among: candidates)
    }

    /// The only candidate that begins with what was typed, or nil.
    private static func onlyBeginning(_ wanted: [UInt8], among candidates: some Sequence<String>) -> String? {
        guard wanted.count >= 2 else { return nil }
        var found: String?
        for candidate in candidates where folded(candidate).starts(with: wanted) {
            guard found == nil else { return nil }
            found = candidate
        }
        return found
    }

    /// The number of edits between two words, or nil when it is above the limit.
    private static func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
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

    private static func folded(_ word: String) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(word.utf8.count)
        for byte in word.utf8 where byte != 0x2D && byte != 0x5F && byte != 0x20 {
            out.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
        }
        return out
    }

    private static let longest = 64
}
