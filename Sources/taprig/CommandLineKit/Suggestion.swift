// SPDX-License-Identifier: MIT

/// "Did you mean": the known word that is nearest to a mistyped one.
public enum Suggestion {
    /// The nearest known word, or nil when none is near.
    ///
    /// Case and leading dashes do not count. One slip in three letters is forgiven, at most three in all; a slip is a
    /// letter too many, missing, wrong, or two neighbours swapped. Failing that, the only word that begins so.
    ///
    /// - Parameters:
    ///   - word: What was typed.
    ///   - known: The words that there are; the earlier wins among equals.
    /// - Returns: One of the known words, as it stands there.
    public static func nearest(to word: String, among known: [String]) -> String? {
        let typed = letters(word)
        guard !typed.isEmpty else { return nil }
        let limit = min(3, max(1, typed.count / 3))
        var best: (word: String, distance: Int, shared: Int)?
        for candidate in known {
            let letters = letters(candidate)
            guard abs(letters.count - typed.count) <= limit else { continue }
            let distance = distance(typed, letters)
            // All letters wrong is no slip.
            guard distance <= limit, distance < max(typed.count, letters.count) else { continue }
            let shared = zip(typed, letters).prefix { $0 == $1 }.count
            if let best, (best.distance, -best.shared) <= (distance, -shared) { continue }
            best = (candidate, distance, shared)
        }
        if let best { return best.word }
        let beginning = known.filter { letters($0).starts(with: typed) }
        return typed.count >= 2 && beginning.count == 1 ? beginning[0] : nil
    }

    private static func letters(_ word: String) -> [Character] {
        Array(word.drop { $0 == "-" }.lowercased())
    }

    /// Damerau-Levenshtein distance, each pair of letters swapped at most once.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var row = [i + 1]
            for (j, y) in b.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (x == y ? 0 : 1))
                if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
