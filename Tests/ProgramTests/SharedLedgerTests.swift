// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// One file of retry counters for all users of a bench.
@Suite struct SharedLedgerTests {
    private let folder: TemporaryFolder
    /// What starts a program as another user; nothing where this one may not, or where that one could not run it.
    private let another: [String]

    private static let counters = #"{"retry_ledger":1,"samples":{"04A1":{"20/01":1}}}"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let probe = words + ["test", "-x", Taprig.path, "-a", "-r", folder.path("suite.yaml")]
        let isPossible =
            try geteuid() == 0 && ChildProcess(probe[0], Array(probe.dropFirst())).wait().status == 0
        another = isPossible ? words : []
    }

    /// A run on a reader that is not there: the counters are opened, and nothing else happens.
    private func run(_ prefix: [String], out: String) throws -> ChildProcess.Ending {
        let words =
            prefix + [
                Taprig.path, "run", "suite.yaml", "--via", "pcsc:none", "--out", folder.path("open/\(out)"),
            ]
        return try ChildProcess(
            words[0],
            Array(words.dropFirst()),
            in: folder.path,
            environment: Taprig.withoutService.merging(
                ["TAPRIG_LEDGER": folder.path("shared/counters.json")],
                uniquingKeysWith: { own, _ in own }
            )
        ).wait()
    }

    private func share(_ mode: mode_t) throws {
        for name in ["open", "shared"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name),
                withIntermediateDirectories: true
            )
            #expect(chmod(folder.path(name), name == "open" ? 0o1777 : mode) == 0)
        }
    }

    @Test(arguments: [0o777, 0o1777] as [mode_t])
    func `A second user counts on in the file of the first, and the first in what that one wrote`(
        mode: mode_t
    ) throws {
        try share(mode)
        try folder.write("shared/counters.json", Self.counters)
        for (number, prefix) in [[], another, [], another].enumerated() {
            let ending = try run(prefix, out: "out\(number)")
            #expect(ending.status == 3)
            #expect(!ending.everything.contains("retry counters"), "\(ending.everything)")
            #expect(ending.output.contains("1 case: "))
            #expect(folder.text("shared/counters.json").contains("\"04A1\""))
        }
        #expect(folder.files(below: "shared") == ["counters.json", "counters.json.lock"])
    }

    @Test func `A file that is closed to a second user is refused with what to do`() throws {
        guard !another.isEmpty else {
            // One user alone may always use what is theirs.
            try share(0o755)
            #expect(!(try run([], out: "out").everything.contains("retry counters")))
            return
        }
        try share(0o755)
        try folder.write("shared/counters.json", Self.counters)
        #expect(chmod(folder.path("shared/counters.json"), 0o600) == 0)
        #expect(try run([], out: "out0").output.contains("1 case: "))
        let ending = try run(another, out: "out1")
        #expect(ending.status == 3)
        #expect(
            ending.sentence?.contains(
                "Permission denied; have the owner run: chmod a+rwx \(folder.path("shared")); chmod a+rw "
                    + "\(folder.path("shared/counters.json"))*, or name another file with `ledger`"
            ) == true,
            "\(ending.errors)"
        )
        // What it says helps.
        #expect(chmod(folder.path("shared"), 0o777) == 0)
        for name in folder.files(below: "shared") {
            #expect(chmod(folder.path("shared/\(name)"), 0o666) == 0)
        }
        #expect(!(try run(another, out: "out2").everything.contains("retry counters")))
    }

    @Test func `What root counts in another one's folder stays usable for its owner`() throws {
        try share(0o755)
        if !another.isEmpty { #expect(chown(folder.path("shared"), 65_534, 65_534) == 0) }
        #expect(try run([], out: "out0").output.contains("1 case: "))
        let ending = try run(another, out: "out1")
        #expect(!ending.everything.contains("retry counters"), "\(ending.everything)")
    }
}
