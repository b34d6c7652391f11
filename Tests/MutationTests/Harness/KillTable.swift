// SPDX-License-Identifier: MIT

import Foundation

/// Mutants and who noticed them, as a table.
struct KillTable {
    private var rows: [(mutant: Mutant, killer: MutationCheck.Killer?)] = []

    mutating func add(_ mutant: Mutant, _ killer: MutationCheck.Killer?) {
        rows.append((mutant, killer))
    }

    /// The table in Markdown, with a line of sums at its end.
    var text: String {
        var lines = ["| mutant | what the device does | noticed by | what it says |", "|---|---|---|---|"]
        for row in rows {
            let place = row.killer.map { "\($0.file): \($0.testCase)" } ?? "nobody"
            lines.append(
                "| \(row.mutant.name) | \(row.mutant.fault) | \(place) | \(row.killer?.message ?? "") |"
            )
        }
        let noticed = rows.filter { $0.killer != nil }.count
        return lines.joined(separator: "\n") + "\n\n\(rows.count) mutants, \(noticed) noticed\n"
    }

    /// Writes the table into the folder that `ci/mutants` named, where it did.
    func publish(as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["TAPRIG_MUTANTS_FOLDER"] else { return }
        try text.write(toFile: "\(folder)/\(name).md", atomically: true, encoding: .utf8)
    }
}
