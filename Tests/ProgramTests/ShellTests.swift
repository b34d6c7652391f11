// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import LineEditor
import Testing

@testable import taprig

@Suite("Shell, plain input")
struct ShellPlainTests {
    @Test("sends hex and verbs, and says what the status word means")
    func lines() throws {
        let ending = try Taprig.run(
            "shell",
            input: """
                # a comment

                select D2760000850101
                read {file: FILE_2, length: 1}
                00 B0 00 00 05
                """
        )
        #expect(ending.status == 0)
        let lines = ending.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("00A4040007D276000085010100  <  9000  done"))
        #expect(lines.contains { $0.hasPrefix("00A4000C02E1A2  <  9000") })
        #expect(lines.contains("content: 00"))
        #expect(lines.last?.hasPrefix("00B0000005  <  0000000000 9000") == true)
        #expect(ending.errors.isEmpty)
    }

    @Test("shows data objects as a tree")
    func tree() throws {
        let folder = try TemporaryFolder()
        let card = try folder.write(
            "card.json",
            #"{"atr":"3B80800101","rules":[{"c":"00CA006F00","r":"6F0784051122334455A5009000"}],"default":"6D00"}"#
        )
        let ending = try Taprig.run(
            "shell",
            "--option",
            "card=\(card)",
            input: "00CA006F00\n80FF0000\n"
        )
        #expect(ending.output.contains("    6F 7\n      84 5: 1122334455\n"), "\(ending.everything)")
        #expect(ending.output.contains("6D00  "))
        #expect(ending.status == 0)
    }

    @Test("ends with status 2 at a line that nobody can read, and says which")
    func mistake() throws {
        let ending = try Taprig.run("shell", input: "select D2760000850101\nraed FILE_1\n00B0000001\n")
        #expect(ending.status == 2)
        #expect(ending.sentence == "taprig: standard input:2: unknown verb 'raed'; did you mean 'read'?")
        #expect(!ending.output.contains("00B0"))
    }

    @Test(
        "has a sentence for each wrong line",
        arguments: [
            ("00B", "column"), ("00A4", "at least"), (":rest", "did you mean ':reset'?"),
            (":field", "':field' needs on or off"), (":field up", "on or off"), ("select", "needs 'target'"),
            ("read {fil: FILE_1}", "did you mean 'file'?"), ("select FILE_9", "FILE_"),
            ("{", ""), (":raw on off", "one word"), (":", "a word is missing"),
        ]
    )
    func sentences(_ line: String, _ part: String) throws {
        let ending = try Taprig.run("shell", input: line + "\n")
        #expect(ending.status == 2)
        let sentence = try #require(ending.sentence)
        #expect(sentence.hasPrefix("taprig: standard input:1: "))
        #expect(part.isEmpty || sentence.contains(part), "\(sentence)")
    }

    @Test("ends with status 3 after a fault, and goes on until the last line")
    func fault() throws {
        let ending = try Taprig.run(
            "shell",
            input: ":field off\n00A40400\n:field on\nselect D2760000850101\n"
        )
        #expect(ending.status == 3)
        #expect(ending.output.contains("fault: no card: the field is off"))
        #expect(ending.output.contains("00A4040007D276000085010100  <  9000"))
    }

    @Test("ends with status 3 where there is no reader")
    func noService() throws {
        let ending = try Taprig.start(
            ["shell", "--via", "pcsc:x"],
            environment: Taprig.withoutService,
            input: "00B0000001\n"
        ).wait()
        #expect(ending.status == 3)
        #expect(ending.sentence?.hasPrefix("taprig: pcsc:x: ") == true)
    }

    @Test("resets, shows the card, explains itself, and ends at :quit")
    func controls() throws {
        let ending = try Taprig.run(
            "shell",
            input: ":card\n:reset warm\n:help\n:help read\n:quit\n:nonsense\n"
        )
        #expect(ending.status == 0)
        for part in [
            "ATR        3B80800101", "reset (warm)", ":trace [FILE|off]", "may stand alone",
            "tangem. are for",
        ] {
            #expect(ending.output.contains(part), "\(part)")
        }
    }

    @Test("keeps a trace in memory and in a file")
    func trace() throws {
        let folder = try TemporaryFolder()
        let ending = try Taprig.run(
            "shell",
            in: folder.path,
            input: """
                select D2760000850101
                :trace kept.jsonl
                00A4000C02E104
                00200081083132333435363738
                :trace off
                :trace
                """
        )
        #expect(ending.status == 0)
        #expect(ending.output.contains("SELECT application  > 00A4040007D276000085010100"))
        let lines = folder.text("kept.jsonl").split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].contains("00A4000C02E104"))
        #expect(lines[2].contains("0020008108****************"))
        #expect(!ending.everything.contains("31323334"))
    }

    @Test("takes values of secrets from the environment, and masks them")
    func secrets() throws {
        let ending = try Taprig.run(
            "shell",
            environment: ["RIG_VAR_CODE": "3132333435363738"],
            input: "send 0020008108${code}\n"
        )
        #expect(ending.output.contains("0020008108****************  <  "), "\(ending.everything)")
        #expect(!ending.everything.contains("31323334"))
    }

    @Test("leaves no history behind")
    func noHistory() throws {
        let folder = try TemporaryFolder()
        _ = try Taprig.run("shell", environment: ["XDG_STATE_HOME": folder.path], input: "00B0000001\n")
        #expect(folder.files().isEmpty)
    }
}

@Suite("Shell, on a terminal")
struct ShellTerminalTests {
    @Test("completes verbs, arguments and names by Tab, and keeps history")
    func completion() throws {
        let folder = try TemporaryFolder()
        let shell = try ShellTerminal(["shell"], environment: ["XDG_STATE_HOME": folder.path])
        try shell.expect("nbt> ")
        shell.type("sel\tD2760000850101\r")
        try shell.expect("9000  done")
        shell.type("read {fi\tFILE_2, le\t1}\r")
        try shell.expect("content: 00")
        shell.type(":fi\tof\t\r")
        try shell.expect("the field is off")
        shell.type("\u{1B}[A\u{1B}[A\u{1B}[A\r")
        try shell.expect("field is off")
        shell.type(":quit\r")
        #expect(try shell.ending() == 0)
        #expect(
            folder.text("taprig/history") == """
                select D2760000850101
                read {file: FILE_2, length: 1}
                :field off
                select D2760000850101
                :quit

                """
        )
        var status = stat()
        stat(folder.path("taprig/history"), &status)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("lists what is possible when a word is not certain")
    func list() throws {
        let shell = try ShellTerminal(["shell"], environment: [:])
        try shell.expect("nbt> ")
        shell.type("select FIL\t\t")
        try shell.expect("FILE_1")
        try shell.expect("FILE_4")
        shell.type("\u{3}")
        try shell.expect("nbt> ")
        #expect(try shell.ending(typing: "\u{4}") == 0)
    }

    @Test("never keeps lines with secrets, and brings earlier lines back")
    func secrets() throws {
        let folder = try TemporaryFolder()
        try folder.write("taprig/history", "00A4000C02E104\n")
        let shell = try ShellTerminal(["shell"], environment: ["XDG_STATE_HOME": folder.path])
        try shell.expect("nbt> ")
        for line in [
            "00200081083132333435363738", "00 20 00 81 08 3132333435363", "00A4000C08E1A2520411223344",
            "verfy 1234",
        ] {
            shell.type(line + "\r")
            try shell.expect("nbt> ")
        }
        // The line that nobody could read is there to be mended, and is not kept for later.
        shell.type("\u{1B}[A\u{1B}[A\r")
        try shell.expect("00A4000C02E104  <  ")
        try shell.expect("nbt> ")
        #expect(try shell.ending(typing: "\u{4}") == 0)
        #expect(folder.text("taprig/history") == "00A4000C02E104\n00A4000C02E104\n")
    }

    @Test("Ctrl-C throws a line away")
    func interruption() throws {
        let shell = try ShellTerminal(["shell"], environment: [:])
        try shell.expect("nbt> ")
        shell.type("00B00000\u{3}")
        try shell.expect("nbt> ")
        shell.type("select D2760000850101\r")
        try shell.expect("9000  done")
        try shell.expect("nbt> ")
        #expect(try shell.ending(typing: "\u{4}") == 0)
    }

    @Test("ends at SIGTERM with status 143")
    func termination() throws {
        let shell = try ShellTerminal(["shell"], environment: [:])
        try shell.expect("nbt> ")
        shell.send(SIGTERM)
        #expect(try shell.ending() == 143)
    }
}

/// With a real service beside it, where a card can hang; run by `ci/with-pcscd`.
@Suite(
    "Shell beside a real service",
    .serialized,
    .enabled(if: HostEnvironment.value("TAPRIG_PCSCD") == "1", "run by ci/with-pcscd")
)
struct ShellPcscdTests {
    private static let card =
        #"{"atr":"3B80800101","rules":[{"c":"80350000","r":"","fault":"mute"},{"c":"80360000","r":"0102039000"}],"#
        + #""default":"6D00"}"#

    @Test("Ctrl-C gives up a command that is not answered, and the next one is")
    func interruption() throws {
        let folder = try TemporaryFolder()
        let card = try folder.write("card.json", Self.card)
        let shell = try ShellTerminal(
            ["shell", "--via", "virtual", "--option", "card=\(card)"],
            environment: ["XDG_STATE_HOME": folder.path]
        )
        try shell.expect("iso7816> ")
        shell.type("80360000\r")
        try shell.expect("010203 9000")
        try shell.expect("iso7816> ")
        shell.type("80350000\r")
        try shell.expect("80350000\r\n")
        try shell.expect("fault: given up before the answer came", typing: "\u{3}")
        try shell.expect("iso7816> ")
        shell.type("80360000\r")
        try shell.expect("010203 9000")
        try shell.expect("iso7816> ")
        #expect(try shell.ending(typing: "\u{4}") == 0)
    }

    @Test("a command that is not answered before the deadline is a fault, and the next one is sent")
    func deadline() throws {
        let folder = try TemporaryFolder()
        let card = try folder.write("card.json", Self.card)
        let ending = try Taprig.run(
            "shell",
            "--via",
            "virtual",
            "--option",
            "card=\(card)",
            "--deadline",
            "500ms",
            input: "80350000\n80360000\n"
        )
        #expect(ending.status == 3)
        #expect(ending.output.contains("fault: "), "\(ending.everything)")
        #expect(ending.output.contains("80360000  <  010203 9000"), "\(ending.everything)")
    }
}

@Suite("Shell, what Tab offers")
struct ShellCompleterTests {
    @Test(
        "depends on where the cursor is",
        arguments: [
            ("ndef.r", ["ndef.read"]), ("rea", ["read", "read-certificate", "read-message"]),
            (":f", [":field"]), (":field ", ["off", "on"]), (":reset c", ["cold"]),
            ("select FILE_1", ["FILE_1"]), ("select FILE", ["FILE_1", "FILE_2", "FILE_3", "FILE_4"]),
            ("read {", ["file:", "length:", "offset:"]), ("read {file: FILE_1, ", ["length:", "offset:"]),
            ("read {file: FILE_", ["FILE_1", "FILE_2", "FILE_3", "FILE_4"]), ("reset ", ["cold", "warm"]),
            ("select: CC", ["CC"]), ("read {file: FILE_1} ", []), ("00A4 ", []), (":quit ", []),
            ("field {state: ", ["off", "on"]),
        ]
    )
    func candidates(_ typed: String, _ offered: [String]) {
        #expect(ShellCompleter(target: "nbt").candidates(before: typed).words == offered)
    }
}

@Suite("Shell, what history keeps")
struct ShellHistoryTests {
    @Test(
        "leaves out whatever may hold a secret",
        arguments: [
            "00200081083132333435363738", "80240100081111111122222222", "00A4000C08E1A2520411223344",
            "00E1000009 01 11223344 5555 0003", "FF82000006A0A1A2A3A4A5", "00F2000006 10 04 11223344",
            "iso7816.verify {reference: 81, value: 31323334}", "tangem.sign {pin: 000000}", "0020008108 313",
            "log my secret", "log the PassWord",
        ]
    )
    func refused(_ text: String) throws {
        let line = try? ShellLine(text, target: "nbt")
        #expect(!ShellHistory.mayKeep(text, line, sent: []))
    }

    @Test(
        "keeps the rest",
        arguments: ["00A4000C02E1A2", "00A4040007D276000085010100", "00B0000001", ":reset"]
    )
    func kept(_ text: String) throws {
        #expect(ShellHistory.mayKeep(text, try ShellLine(text, target: "nbt"), sent: []))
    }

    @Test("judges a verb by what it sent")
    func verbs() throws {
        let line = try ShellLine("send {ins: B0}", target: "nbt")
        #expect(!ShellHistory.mayKeep("send {ins: B0}", line, sent: []))
        #expect(ShellHistory.mayKeep("send {ins: B0}", line, sent: [[0x00, 0xB0, 0x00, 0x00]]))
        let pin: [UInt8] = [0x00, 0x20, 0x00, 0x81, 0x02, 0x31, 0x32]
        #expect(!ShellHistory.mayKeep("send {ins: 20}", line, sent: [pin]))
    }

    @Test("has its place where the XDG specification wants it")
    func place() {
        #expect(ShellHistory.path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/taprig/history")
        #expect(ShellHistory.path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/taprig/history")
        #expect(ShellHistory.path([:]) == nil)
    }
}
