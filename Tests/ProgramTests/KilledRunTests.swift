// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("A run that is killed")
struct KilledRunTests {
    /// How often it is killed.
    private static let rounds = 200
    private static let trace = "traces/demo.endless/reads-on-and-on.jsonl"

    @Test(
        "keeps every exchange that was finished, in lines of which at most the last is torn",
        .timeLimit(.minutes(3))
    )
    func killed() throws {
        let folder = try TemporaryFolder()
        try folder.write("endless.yaml", Scenarios.endless)
        var random = SystemRandomNumberGenerator()
        var longest = 0
        for round in 1...Self.rounds {
            let out = "out\(round)"
            let child = try Taprig.start(["run", "endless.yaml", "--out", out], in: folder.path)
            let path = folder.path("\(out)/\(Self.trace)")
            #expect(child.wait(until: { Self.size(of: path) > 0 }), "round \(round)")
            let pause = UInt32.random(in: 0...30_000, using: &random)
            usleep(pause)
            // What the file holds now was written before the signal.
            let before = Self.size(of: path)
            child.send(SIGKILL)
            #expect(try child.wait().wasKilled)
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(data.count >= before)
            longest = max(longest, try check(data, "round \(round), killed after \(pause) us"))
            try FileManager.default.removeItem(atPath: folder.path(out))
        }
        #expect(longest > 100, "the kills came too early to say anything")
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Checks the bytes of a trace, and gives the number of its exchanges.
    private func check(_ data: Data, _ place: String) throws -> Int {
        var lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        // What follows the last line feed is nothing, or a line that was being written.
        let rest = lines.popLast() ?? Data()
        #expect(
            rest.isEmpty || (try? JSON(parsing: Array(rest))) == nil,
            "\(place): a whole line without its end"
        )
        var next = 1
        for (index, line) in lines.enumerated() {
            let record = try JSON(parsing: Array(line))
            if index == 0 {
                #expect(record["trace"] == 1, "\(place)")
            } else if let number = record["n"]?.integer {
                if number != next { Issue.record("\(place): \(number) follows \(next - 1)") }
                if record["r"]?.string?.hasSuffix("9000") != true {
                    Issue.record("\(place): line \(index + 1)")
                }
                next = number + 1
            }
        }
        return next - 1
    }
}
