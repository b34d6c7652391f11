// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Testing

@testable import Bench

@Suite("The file of retry counters")
struct RetryLedgerFileTests {
    private let pin = RetryLedger.Reference(isResettingCode: false, p2: 0x01)

    @Test("counters are there for the next run, and for a program that runs at the same time")
    func keeps() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/deep/state/retry-counters.json"
        let first = try RetryLedgerFile.open(path)
        let second = try RetryLedgerFile.open(path)
        first.ledger.setTriesLeft(2, sample: "04A1", reference: pin)
        second.ledger.setTriesLeft(1, sample: "04B2", reference: pin)
        #expect(second.ledger.triesLeft(sample: "04A1", reference: pin) == 2)
        #expect(first.ledger.triesLeft(sample: "04B2", reference: pin) == 1)
        let third = try RetryLedgerFile.open(path)
        #expect(third.ledger.triesLeft(sample: "04A1", reference: pin) == 2)
        third.ledger.setTriesLeft(nil, sample: "04A1", reference: pin)
        #expect(first.ledger.triesLeft(sample: "04A1", reference: pin) == nil)
        #expect(first.file.trouble == nil)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("programs that count at the same time lose nothing")
    func concurrent() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/retry-counters.json"
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            guard let opened = try? RetryLedgerFile.open(path) else { return }
            for round in 0..<10 {
                opened.ledger.setTriesLeft(worker, sample: "\(worker)-\(round)", reference: pin)
            }
        }
        let all = try RetryLedger(json: Array(FileManager.default.contents(atPath: path) ?? Data()))
        for worker in 0..<8 {
            for round in 0..<10 {
                #expect(all.triesLeft(sample: "\(worker)-\(round)", reference: pin) == worker)
            }
        }
    }

    @Test("a guarded connection stops at the floor that an earlier run has reached")
    func guardsAcrossRuns() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/retry-counters.json"
        let verify: [UInt8] = [0x00, 0x20, 0x00, 0x01, 0x02, 0x31, 0x32]
        let card = TableConnection(answers: [verify.hex: [0x63, 0xC1]])
        let first = GuardedConnection(card, ledger: try RetryLedgerFile.open(path).ledger, sample: "04A1")
        #expect(try first.transmit(verify) == [0x63, 0xC1])
        let second = GuardedConnection(card, ledger: try RetryLedgerFile.open(path).ledger, sample: "04A1")
        let found = fault { () throws(TransportFault) in _ = try second.transmit(verify) }
        #expect(found?.kind == .guarded)
    }

    @Test(
        "a damaged file is refused in one sentence each time, and kept with a copy",
        arguments: [
            "", "{", "[]", #"{"retry_ledger":1}"#, #"{"retry_ledger":1,"samples":{"a":{"20/01":99}}}"#,
        ]
    )
    func damaged(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/retry-counters.json"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        for _ in 0..<2 {
            let error = #expect(throws: RetryLedgerError.self) { _ = try RetryLedgerFile.open(path) }
            #expect(error?.description.contains("nobody knows how many tries samples have left") == true)
            #expect(error?.description.contains("mend \(path) (copied to \(path).damaged-") == true)
        }
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.contains(".damaged-")
        }
        #expect(copies.count == 1)
        let copy = try #require(copies.first)
        #expect(FileManager.default.contents(atPath: "\(folder.path)/\(copy)") == Data(text.utf8))
    }

    @Test("a file that gets damaged during a run is not written over, and the run still counts")
    func damagedLater() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/retry-counters.json"
        let opened = try RetryLedgerFile.open(path)
        opened.ledger.setTriesLeft(2, sample: "a", reference: pin)
        try Data("junk".utf8).write(to: URL(filePath: path))
        opened.ledger.setTriesLeft(1, sample: "a", reference: pin)
        #expect(opened.ledger.triesLeft(sample: "a", reference: pin) == 1)
        #expect(opened.file.trouble?.contains("nobody knows") == true)
        #expect(FileManager.default.contents(atPath: path) == Data("junk".utf8))
    }

    @Test("a folder that cannot be made is one sentence")
    func noFolder() {
        let error = #expect(throws: RetryLedgerError.self) { _ = try RetryLedgerFile.open("/proc/x/y.json") }
        #expect(
            error?.description
                == "retry counters cannot be kept: cannot make folder /proc/x: No such file or directory; "
                + "name another file with `ledger`"
        )
    }

    // MARK: Several users

    @Test(
        "whoever may make files in the folder may use the file, whatever the mask of new files is",
        arguments: [(0o755, 0o600), (0o775, 0o660), (0o777, 0o666), (0o1777, 0o666), (0o2775, 0o660)]
            as [(mode_t, mode_t)]
    )
    func modes(folderMode: mode_t, fileMode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/counters.json"
        #expect(chmod(folder.path, folderMode) == 0)
        try RetryLedgerFile.open(path).ledger.setTriesLeft(2, sample: "04A1", reference: pin)
        for name in [path, "\(path).lock"] {
            var status = stat()
            #expect(stat(name, &status) == 0)
            #expect(status.st_mode & 0o777 == fileMode, "\(name)")
        }
        // A file that was kept closed is opened by its owner's next run.
        #expect(chmod(path, 0o600) == 0)
        _ = try RetryLedgerFile.open(path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == fileMode)
    }

    @Test("the file of the host is made for all, and links in it lead nowhere")
    func host() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/taprig/counters.json"
        let opened = try RetryLedgerFile.openForHost(path, adopting: nil)
        opened.ledger.setTriesLeft(2, sample: "04A1", reference: pin)
        var status = stat()
        #expect(stat("\(folder.path)/taprig", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o1777)
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666)
        let target = "\(folder.path)/target"
        try Data("junk".utf8).write(to: URL(filePath: target))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let error = #expect(throws: RetryLedgerError.self) {
            _ = try RetryLedgerFile.openForHost(path, adopting: nil)
        }
        #expect(error?.description.contains("cannot be read") == true)
        #expect(FileManager.default.contents(atPath: target) == Data("junk".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["taprig", "target"]
        )
    }

    @Test("a folder that others cannot use is one sentence that says what to do")
    func closedHost() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: "\(folder.path)/taprig"))
        let error = #expect(throws: RetryLedgerError.self) {
            _ = try RetryLedgerFile.openForHost("\(folder.path)/taprig/counters.json", adopting: nil)
        }
        #expect(
            error?.description
                == "retry counters cannot be kept in \(folder.path)/taprig: it is a link or no folder; have its owner or root "
                + "run: mkdir -p \(folder.path)/taprig && chmod 1777 \(folder.path)/taprig, or name another file with "
                + "`ledger`"
        )
    }

    @Test("counters of the user's earlier file are taken over once, the lower one counts")
    func adoption() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/taprig/counters.json"
        let earlier = "\(folder.path)/own.json"
        let old = try RetryLedgerFile.open(earlier)
        old.ledger.setTriesLeft(1, sample: "a", reference: pin)
        old.ledger.setTriesLeft(3, sample: "b", reference: pin)
        try RetryLedgerFile.openForHost(path, adopting: nil).ledger.setTriesLeft(
            2,
            sample: "b",
            reference: pin
        )
        let opened = try RetryLedgerFile.openForHost(path, adopting: earlier)
        #expect(opened.ledger.triesLeft(sample: "a", reference: pin) == 1)
        #expect(opened.ledger.triesLeft(sample: "b", reference: pin) == 2)
        opened.ledger.setTriesLeft(nil, sample: "a", reference: pin)
        let again = try RetryLedgerFile.openForHost(path, adopting: earlier)
        #expect(again.ledger.triesLeft(sample: "a", reference: pin) == nil)
        #expect(FileManager.default.fileExists(atPath: "\(earlier).moved"))
        try Data("junk".utf8).write(to: URL(filePath: earlier))
        let error = #expect(throws: RetryLedgerError.self) {
            _ = try RetryLedgerFile.openForHost(path, adopting: earlier)
        }
        #expect(error?.description.contains("mend \(earlier)") == true)
    }

    @Test("the file of the host outlives a restart, and does not depend on the user")
    func standard() {
        #expect(
            ["/var/lib/taprig", "/var/tmp/taprig"].map { "\($0)/retry-counters.json" }.contains(
                RetryLedgerFile.standardPath
            )
        )
    }

    @Test("the user's earlier file lies where the desktop specification has it")
    func places() {
        let state = RetryLedgerFile.earlierPath(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(state == "/s/taprig/retry-counters.json")
        let relative = RetryLedgerFile.earlierPath(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"])
        #expect(relative == "/h/.local/state/taprig/retry-counters.json")
        #expect(RetryLedgerFile.earlierPath(environment: [:]) == nil)
    }
}
