// SPDX-License-Identifier: MIT

import JSONText
import Testing

@Suite("Scripts of other tools, given to the program")
struct ForeignScriptProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("send -f sends a scriptor file's commands and tells what it left out")
    func scriptor() throws {
        try folder.write(
            "tag.scriptor",
            "# tag\nreset\n00 A4 04 00 07 D2 76 00 00 85 01 01 00\nexit\n00B0000001\n"
        )
        let ending = try Taprig.run("send", "-f", "tag.scriptor", "--json", in: folder.path)
        #expect(ending.status == 0)
        #expect(
            try ending.json()["results"]?.array?.compactMap { $0["c"]?.string } == [
                "00A4040007D276000085010100"
            ]
        )
        #expect(ending.errors.contains("tag.scriptor:5:1: the line behind exit is not imported"))
    }

    @Test("a reset in the middle of a script loses the selection")
    func reset() throws {
        try folder.write("tag.scriptor", "00A4040007D276000085010100\n00A4000C02E1A1\nreset\n00B0000001\n")
        let ending = try Taprig.run("send", "-f", "tag.scriptor", "--json", in: folder.path)
        #expect(try ending.json()["results"]?.array?.last?["sw"]?.string == "6986")
    }

    @Test("run takes a dump as a suite: its answers are what is expected")
    func dump() throws {
        try folder.write(
            "tag.dump",
            "# ATR: 3B80800101\n00A4040007D276000085010100\n9000\n00B0000001\n9000\n"
        )
        let ending = try Taprig.run("run", "tag.dump", "--out", "out", in: folder.path)
        #expect(ending.status == 1)
        #expect(ending.output.contains("step 2 send 00B0000001: expected SW 9000, got 6986"))
        #expect(ending.output.contains("at tag.dump:4"))
    }

    @Test("run tells a script by its words where its name tells nothing")
    func words() throws {
        try folder.write(
            "terminal.txt",
            "$ opensc-tool -s 00:A4:04:00:07:D2:76:00:00:85:01:01:00\n"
                + "Sending: 00 A4 04 00 07 D2 76 00 00 85 01 01 00 \nReceived (SW1=0x90, SW2=0x00)\n"
        )
        let ending = try Taprig.run("run", "terminal.txt", "--out", "out", in: folder.path)
        #expect(ending.status == 0)
        #expect(ending.output.contains("script.terminal: the script runs"))
    }

    @Test("a scenario stays one, whatever words it has")
    func scenario() throws {
        let text = Scenarios.nbt(cases: Scenarios.passing, header: "title: opensc-tool -s\n")
        try folder.write("tool.yaml", text)
        let ending = try Taprig.run("run", "tool.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 0)
        #expect(ending.output.contains("demo.suite: passes"))
    }

    @Test(
        "a script that cannot be read is named with its line, and nothing is sent",
        arguments: ["run", "lint"]
    )
    func broken(_ command: String) throws {
        try folder.write("bad.dump", "00A40400\n")
        let ending = try Taprig.run(command, "bad.dump", in: folder.path)
        #expect(ending.status == 2)
        #expect((ending.output + ending.errors).contains("bad.dump:1:1: unpaired command"))
    }
}
