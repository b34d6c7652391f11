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

    @Test("the user's own file lies where the desktop specification has it")
    func places() {
        let state = RetryLedgerFile.defaultPath(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(state == "/s/taprig/retry-counters.json")
        let relative = RetryLedgerFile.defaultPath(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"])
        #expect(relative == "/h/.local/state/taprig/retry-counters.json")
        #expect(RetryLedgerFile.defaultPath(environment: [:]) == nil)
    }
}
