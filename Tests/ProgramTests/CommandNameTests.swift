// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The device's own names of commands, where the instruction alone would give another one.
@Suite struct CommandNameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let passThrough = """
        rig: 1
        suite: a.b
        target: nbt
        raw: true
        cases:
          - name: x
            steps:
              - { send: 38CA0000, expect: { sw: xxxx } }
              - { send: 38DA0000029000, expect: { sw: xxxx } }
              - { send: 0030DF3A00, expect: { sw: xxxx } }
        """

    @Test func `FETCH DATA and PUT RESPONSE have their names in traces, statistics and pages`() throws {
        try folder.write("suite.yaml", Self.passThrough)
        let run = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(run.status == 0, "\(run.everything)")
        let trace = try #require(folder.files(below: "out/traces").first.map { "out/traces/\($0)" })
        let known = ["FETCH DATA", "PUT RESPONSE", "GET DATA"]
        // Neutral lines tell no name; the header tells the device.
        let text = folder.text(trace).replacing(try Regex(",\"name\":\"[^\"]*\""), with: "")
        #expect(!text.contains("FETCH"))
        try folder.write("bare.jsonl", text)
        for path in [trace, "bare.jsonl"] {
            for word in ["show", "stats"] {
                let output = try Taprig.run("trace", word, path, in: folder.path).output
                for name in known { #expect(output.contains(name), "\(path): \(output)") }
                #expect(!output.contains("PUT DATA"))
            }
        }
        // With traces, and from the record alone.
        for source in ["out/run.json", "run.json"] {
            if source == "run.json" { try folder.write(source, folder.text("out/run.json")) }
            let page = try Taprig.run("report", source, "--html", "-", in: folder.path).output
            for name in known { #expect(page.contains(name), "\(source)") }
            #expect(!page.contains("PUT DATA"))
        }
        let sent = try Taprig.run("send", "--raw", "--stats", "38CA0000", "38DA0000029000", in: folder.path)
        #expect(sent.errors.contains("FETCH DATA"), "\(sent.errors)")
        #expect(sent.errors.contains("PUT RESPONSE"))
    }

    @Test func `What the kit's firmware says to the chip has the chip's names`() throws {
        let root = DocumentPage.root.path
        let run = try Taprig.run(
            "run",
            "\(root)/Scenarios/nbt/pass-through.yaml",
            "--case",
            "the host fetches*",
            "--out",
            folder.path("out")
        )
        #expect(run.status == 0, "\(run.everything)")
        let trace = folder.text(
            "out/traces/" + (try #require(folder.files(below: "out/traces").first))
        )
        #expect(trace.contains("\"command\":\"38CA0000\""))
        #expect(trace.contains("\"name\":\"FETCH DATA\""))
        #expect(trace.contains("\"name\":\"PUT RESPONSE\""))
        #expect(!trace.contains("GET DATA"))
        #expect(!trace.contains("PUT DATA"))
    }

    @Test func `A trace of an emulated card has the card's names`() throws {
        let reader = try ReaderSocket()
        let path = folder.path("t.jsonl")
        let child = try Taprig.start([
            "emulate", "nbt", "--vpcd", "localhost:\(reader.port)", "--trace", path,
        ])
        try reader.powerOn()
        _ = try reader.transmit([0x38, 0xCA, 0x00, 0x00])
        child.send(SIGTERM)
        #expect(try child.wait().status == 143)
        #expect(folder.text("t.jsonl").contains("\"name\":\"FETCH DATA\""))
    }

    @Test func `A trace that cannot be written ends emulate with a sentence`() throws {
        let ending = try Taprig.run("emulate", "nbt", "--trace", folder.path("no/t.jsonl"))
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("--trace: cannot write") == true, "\(ending.errors)")
    }
}
