// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

@Suite("emulate --state")
struct SavedDeviceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts an emulator that keeps itself in `card.json`.
    private func start(_ device: String, port: UInt16 = 9, _ options: String...) throws -> ChildProcess {
        try Taprig.start(
            ["emulate", device, "--vpcd", "localhost:\(port)", "--state", folder.path("card.json")] + options
        )
    }

    @Test("a new file is made at once, for its owner alone", arguments: ["nbt", "tangem"])
    func newFile(device: String) throws {
        let child = try start(device)
        #expect(child.wait(until: { child.errorsSoFar.contains("dialling") }))
        let text = folder.text("card.json")
        #expect(try JSON(parsing: text)[device == "nbt" ? "nbt-chip" : "tangem-card"]?.integer == 1)
        var status = stat()
        #expect(stat(folder.path("card.json"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        child.send(SIGTERM)
        #expect(try child.wait().status == 143)
        #expect(folder.files() == ["card.json"])
        // A second start finds the same card.
        let again = try start(device)
        #expect(again.wait(until: { again.errorsSoFar.contains("dialling") }))
        again.send(SIGTERM)
        _ = try again.wait()
        #expect(folder.text("card.json") == text)
        #expect(
            again.errorsSoFar.split(separator: ":").first == child.errorsSoFar.split(separator: ":").first
        )
    }

    @Test("what was answered is in the file, even if the program is killed then")
    func killed() throws {
        let reader = try ReaderSocket()
        let child = try start("nbt", port: reader.port)
        try reader.powerOn()
        #expect(
            try reader.transmit([0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0]) == [0x90, 0]
        )
        #expect(try reader.transmit([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1]) == [0x90, 0])
        #expect(try reader.transmit([0x00, 0xD6, 0x00, 0x00, 0x02, 0xCA, 0xFE]) == [0x90, 0])
        child.send(SIGKILL)
        #expect(try child.wait().wasKilled)
        let saved = try JSON(parsing: folder.text("card.json"))
        #expect(saved["files"]?["E1A1"]?.string?.hasPrefix("CAFE00") == true)
        let next = try ReaderSocket()
        let second = try start("nbt", port: next.port)
        try next.powerOn()
        #expect(
            try next.transmit([0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0]) == [0x90, 0]
        )
        #expect(try next.transmit([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1]) == [0x90, 0])
        #expect(try next.transmit([0x00, 0xB0, 0x00, 0x00, 0x02]) == [0xCA, 0xFE, 0x90, 0])
        second.send(SIGTERM)
        #expect(try second.wait().status == 143)
    }

    @Test("a second emulator is kept out of the file, and let in when the first one is gone")
    func shared() throws {
        let first = try start("nbt")
        #expect(first.wait(until: { first.errorsSoFar.contains("dialling") }))
        let second = try start("nbt").wait()
        #expect(second.status == 2)
        #expect(
            second.errors.contains(
                "--state: another emulator lives in \(folder.path("card.json")); end it, or name another file"
            )
        )
        first.send(SIGKILL)
        _ = try first.wait()
        let third = try start("nbt")
        #expect(third.wait(until: { third.errorsSoFar.contains("dialling") }))
        third.send(SIGTERM)
        #expect(try third.wait().status == 143)
        #expect(folder.files() == ["card.json"])
    }

    @Test("a state that cannot be kept is told at once, and ends with 3")
    func unwritable() throws {
        let reader = try ReaderSocket()
        let child = try start("nbt", port: reader.port)
        try reader.powerOn()
        _ = try reader.transmit([0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0])
        _ = try reader.transmit([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1])
        try FileManager.default.removeItem(atPath: folder.path)
        _ = try reader.transmit([0x00, 0xD6, 0x00, 0x00, 0x02, 0xCA, 0xFE])
        #expect(child.wait(until: { child.errorsSoFar.contains("the card's state is not kept: ") }))
        child.send(SIGTERM)
        #expect(try child.wait().status == 3)
    }

    @Test("a trace that cannot be kept is told at once, and ends with 3")
    func fullTrace() throws {
        // No signal is needed: a device that takes nothing is found out before the reader is dialled.
        let child = try Taprig.start(["emulate", "nbt", "--vpcd", "localhost:9", "--trace", "/dev/full"])
        #expect(child.wait(until: { child.errorsSoFar.contains("--trace: cannot write ") }))
        #expect(try child.wait().status == 3)
    }

    @Test("options for a new device are named where the file has one already")
    func idleOptions() throws {
        let first = try start("nbt", "--option", "state=adt")
        #expect(first.wait(until: { first.errorsSoFar.contains("dialling") }))
        #expect(!first.errorsSoFar.contains("note: "))
        first.send(SIGTERM)
        _ = try first.wait()
        let second = try start("nbt", "--option", "state=adt", "--option", "sak=00")
        #expect(second.wait(until: { second.errorsSoFar.contains("dialling") }))
        #expect(second.errorsSoFar.contains("holds a device already; state=adt would shape a new one"))
        #expect(second.errorsSoFar.contains(", ATQA 4400, SAK 00, ATS 0578807002\n"))
        second.send(SIGTERM)
        _ = try second.wait()
    }

    @Test("a file that is no saved device is refused in a sentence, and stays as it is")
    func wrongFile() throws {
        try folder.write("card.json", "{\"nbt-chip\": 7}")
        let ending = try start("nbt").wait()
        #expect(ending.status == 2)
        #expect(
            ending.errors.contains(
                "--state: \(folder.path("card.json")) cannot be taken over: the saved chip has version 7, "
                    + "this program reads 1; start without it"
            )
        )
        #expect(folder.text("card.json") == "{\"nbt-chip\": 7}")
        try folder.write("card.json", "no JSON")
        #expect(try start("tangem").wait().status == 2)
    }

    @Test("a folder that is not there, and a device without a memory, are wrong arguments")
    func refusals() throws {
        let missing = try Taprig.run("emulate", "nbt", "--state", folder.path("none/card.json"))
        #expect(missing.status == 2)
        #expect(missing.errors.contains("--state: cannot write \(folder.path("none/card.json")): "))
        try folder.write("script.json", "{\"atr\": \"3B00\", \"default\": \"9000\", \"rules\": []}")
        let script = try Taprig.run(
            "emulate",
            "script",
            "--card",
            folder.path("script.json"),
            "--state",
            folder.path("card.json")
        )
        #expect(script.status == 2)
        #expect(script.errors.contains("--state is for devices with a memory; a scripted card has none"))
    }

    @Test("help with a device lists its options with their defaults")
    func help() throws {
        let ending = try Taprig.run("emulate", "nbt", "--help")
        #expect(ending.status == 0)
        #expect(ending.output.contains("\nOptions of nbt, for --option NAME=VALUE:\n  state=delivery|adt|"))
        #expect(ending.output.contains("  wrong-master=hex\n      status word of CHANGE and UNBLOCK"))
        #expect(ending.output.contains(" (6985)\n"))
        #expect(
            try Taprig.run("emulate", "tangem", "--help").output.contains("Options of tangem, for --option")
        )
    }
}
