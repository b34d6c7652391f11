// SPDX-License-Identifier: MIT

import HostSystem

/// Names of suites and cases that no reader of a report takes for one another.
///
/// Servers key a case by suite, class and name and drop later ones with the same key; a name made of white space alone,
/// or two that differ in white space only, are the same for some of them.
struct CaseNames {
    private var used: [String: Set<String>] = [:]
    /// The number that a name gets next; only for names that came more than once.
    private var next: [String: [String: Int]] = [:]

    /// A name with single blanks, never empty.
    static func clean(_ name: String, fallback: String) -> String {
        // Most names are plain: printable ASCII with single blanks.
        var previous: UInt8 = 0x20
        let isPlain = name.utf8.allSatisfy { byte in
            defer { previous = byte }
            return byte > 0x20 && byte < 0x7F || byte == 0x20 && previous != 0x20
        }
        if isPlain, previous != 0x20 { return name }
        let words = name.split(whereSeparator: \.isWhitespace).map { VisibleText.escaped(String($0)) }
        return words.isEmpty ? fallback : words.joined(separator: " ")
    }

    /// The name itself, or with ` (2)`, ` (3)` where the suite has it already.
    mutating func unique(_ name: String, in suite: String) -> String {
        let name = Self.clean(name, fallback: "unnamed case")
        if used[suite, default: []].insert(name).inserted { return name }
        var number = next[suite]?[name] ?? 2
        while !used[suite, default: []].insert("\(name) (\(number))").inserted { number += 1 }
        next[suite, default: [:]][name] = number + 1
        return "\(name) (\(number))"
    }
}
