// SPDX-License-Identifier: MIT

/// The cases that nobody has taken yet, in the order of the files.
struct CaseQueue {
    /// The cases of one role, with those before `next` taken.
    private struct Line {
        let role: String
        var cases: [Int]
        var next = 0
    }

    private var lines: [Line] = []
    /// Cases that a reader could not take and another one may, in order.
    private var returned: [Int] = []

    /// Lines the cases up.
    ///
    /// - Parameter roles: The role of each case, by its index.
    init(roles: [String]) {
        var places: [String: Int] = [:]
        for (index, role) in roles.enumerated() {
            if let place = places[role] {
                lines[place].cases.append(index)
            } else {
                places[role] = lines.count
                lines.append(Line(role: role, cases: [index]))
            }
        }
    }

    /// Takes the first case that is wanted; nil when there is none.
    ///
    /// - Parameters:
    ///   - isWanted: Whether cases of a role are wanted, those apart that came back.
    ///   - isWantedAgain: Whether a case that came back is wanted.
    /// - Returns: The case's index.
    mutating func take(where isWanted: (String) -> Bool, again isWantedAgain: (Int) -> Bool) -> Int? {
        var best: (line: Int, index: Int)?
        for (place, line) in lines.enumerated() where line.next < line.cases.count && isWanted(line.role) {
            let index = line.cases[line.next]
            if best.map({ index < $0.index }) ?? true { best = (place, index) }
        }
        let again = returned.firstIndex(where: isWantedAgain)
        if let again, best.map({ returned[again] < $0.index }) ?? true { return returned.remove(at: again) }
        guard let best else { return nil }
        lines[best.line].next += 1
        return best.index
    }

    /// Puts a case back for another reader.
    mutating func putBack(_ index: Int) {
        returned.insert(index, at: returned.firstIndex { $0 > index } ?? returned.count)
    }
}
