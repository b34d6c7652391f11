// SPDX-License-Identifier: MIT

import Cryptography
import RunRecord
public import Scenario
import SmartCard

/// Which part of the cases to run, as `--shard` says it: `2/3`.
public struct ShardChoice: Hashable, Sendable {
    /// Number of the part, from 1.
    public let index: Int
    /// Number of parts.
    public let count: Int

    /// Reads `I/N`.
    ///
    /// - Throws: ``TextError`` when it is something else, when there are too many parts, or none of that number.
    public init(_ text: String) throws(TextError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
            let index = Int(parts[0]), let count = Int(parts[1])
        else {
            throw TextError("'\(text)' is no I/N with I from 1 to N, for example 1/3")
        }
        guard count <= RunShard.countLimit else {
            throw TextError(
                "'\(text)' asks for \(count) parts; a run is divided into \(RunShard.countLimit) at most"
            )
        }
        guard index >= 1, index <= count else {
            let range =
                count < 1
                ? "a run has one part at least"
                : count == 1 ? "the only part is 1/1" : "its parts are 1 to \(count)"
            throw TextError("'\(text)' names a part that is not there; \(range)")
        }
        self.index = index
        self.count = count
    }
}

extension RunPlan {
    /// The part of the plan that a shard does.
    ///
    /// The same cases and the same durations give the same parts on every host, and each case is in one of them. With
    /// durations, the longest case goes first to the part that has least to do; a case that nobody knows counts as one of
    /// mean length. Without any, the parts have equally many cases.
    ///
    /// - Parameters:
    ///   - choice: Which part.
    ///   - durations: How long the cases took in an earlier run.
    /// - Returns: The part, in the order of the files.
    public func part(_ choice: ShardChoice, durations: [CaseKey: Duration] = [:]) -> RunPlan {
        let cases = suites.flatMap(\.cases)
        let owners = Self.owners(cases, count: choice.count, durations: durations)
        var listed: [UInt8] = []
        for (item, owner) in zip(cases, owners) {
            listed += Array("\(item.suite.file)\u{0}\(item.suite.name)\u{0}\(item.name)\u{0}\(owner)\n".utf8)
        }
        var out = self
        var number = 0
        out.suites = suites.compactMap { suite, cases in
            var own: [PlannedCase] = []
            for var item in cases {
                number += 1
                guard owners[number - 1] == choice.index else { continue }
                item.number = number
                own.append(item)
            }
            return own.isEmpty ? nil : (suite, own)
        }
        out.shard = RunShard(
            index: choice.index,
            count: choice.count,
            caseCount: cases.count,
            cut: SHA256.digest(listed).prefix(8).hex.lowercased()
        )
        return out
    }

    /// The number of the part that each case is in.
    private static func owners(
        _ cases: [PlannedCase],
        count: Int,
        durations: [CaseKey: Duration]
    ) -> [Int] {
        let known = cases.compactMap { durations[$0.key] }
        let mean = known.isEmpty ? shortest : known.reduce(.zero, +) / known.count
        // What takes no time by itself still takes a connection.
        let weights = cases.map { max(durations[$0.key] ?? mean, shortest) }
        var parts = (0..<count).map { (load: Duration.zero, cases: 0, index: $0) }
        var owners = Array(repeating: 0, count: cases.count)
        let order = cases.indices.sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
        for item in order {
            // The least loaded part is always first of the heap.
            parts[0].load += weights[item]
            parts[0].cases += 1
            owners[item] = parts[0].index + 1
            sink(&parts)
        }
        return owners
    }

    /// Brings the first element of a heap to its place.
    private static func sink(_ parts: inout [(load: Duration, cases: Int, index: Int)]) {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < parts.count && parts[child] < parts[least] {
                least = child
            }
            guard least != place else { return }
            parts.swapAt(place, least)
            place = least
        }
    }

    private static let shortest = Duration.milliseconds(1)
}
