// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import HostSystem
import JSONText
import Testing

@testable import Trace

@Suite("Trace file")
struct TraceFileTests {
    private func header() -> TraceHeader {
        var header = TraceHeader(
            rig: "0.1.0",
            suite: "nbt.led",
            caseName: "led \"on\"",
            target: "nbt",
            via: "emulator",
            started: "2026-11-30T08:15:02.011Z"
        )
        header.reader = "Played"
        header.atr = "3B80800101"
        header.protocolName = "T=1"
        header.firmware = "1.4.2"
        header.seed = 42
        header.scenarioSHA256 = "00ff"
        return header
    }

    private func write(to path: String) -> TraceWriter {
        let clock = ModelClock()
        let inner = PlayedConnection(
            clock: clock,
            answers: [
                .success([0x90, 0x00]),
                .failure(TransportFault(.timeout, "no answer within 500 ms", hint: "look at the card")),
            ]
        )
        let writer = TraceWriter(path: path, header: header())
        let connection = TracingConnection(
            inner,
            writer: writer,
            clock: clock,
            masks: SecretMask(target: "nbt")
        )
        connection.step = "setup.1 select"
        _ = try? connection.transmit([
            0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
        ])
        connection.step = ""
        try? connection.setField(.on)
        try? connection.setField(.off)
        connection.step = "step.1 read"
        _ = try? connection.transmit([0x00, 0xB0, 0x00, 0x00, 0x02])
        try? connection.reconnect()
        connection.note("look: é \u{1}")
        writer.end(verdict: "error")
        return writer
    }

    @Test("has the lines of the contract, byte for byte")
    func lines() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        let writer = write(to: path)
        let digest = writer.finish()
        let text = String(decoding: try HostFile.read(path), as: UTF8.self)
        let expected = [
            #"{"trace":1,"rig":"0.1.0","suite":"nbt.led","case":"led \"on\"","target":"nbt","via":"emulator","#
                + #""reader":"Played","atr":"3B80800101","protocol":"T=1","firmware":"1.4.2","seed":42,"#
                + #""scenario_sha256":"00ff","started":"2026-11-30T08:15:02.011Z"}"#,
            #"{"n":1,"t_us":0.0,"c":"00A4040007D276000085010100","r":"9000","us":412.3,"step":"setup.1 select","#
                + #""name":"SELECT application"}"#,
            #"{"event":"field","state":"on","t_us":412.3}"#,
            #"{"event":"field","state":"off","fault":"control","detail":"the field cannot be switched","t_us":412.3}"#,
            #"{"n":2,"t_us":412.3,"c":"00B0000002","fault":"timeout","detail":"no answer within 500 ms","us":412.3,"#
                + #""step":"step.1 read","name":"READ BINARY"}"#,
            #"{"event":"reconnect","t_us":824.6}"#,
            #"{"note":"look: é \u0001","t_us":824.6}"#,
            #"{"end":"error","exchanges":2}"#,
        ]
        #expect(text == expected.map { $0 + "\n" }.joined())
        #expect(writer.failure == nil)
        #expect(digest.count == 64)
        #expect(writer.exchangeCount == 2)
        #expect(writer.timing?.p50 == 412.3)
    }

    @Test("tells what a bench knows of the reader's times")
    func readerTimes() throws {
        var head = header()
        head.overhead = .microseconds(850)
        head.timingBand = "10%"
        #expect(head.line.contains(#""overhead_us":850,"band":"10%"}"#))
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        TraceWriter(path: path, header: head).finish()
        #expect(try TraceReader(path: path).header == head)
    }

    @Test("reads what it wrote")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        write(to: path).finish()
        let reader = try TraceReader(path: path)
        #expect(reader.header == header())
        let records = try reader.rest()
        #expect(records.count == 7)
        #expect(!reader.isTorn)
        let text = try #require(reader.header).line + records.map(\.line).joined()
        #expect(text == String(decoding: try HostFile.read(path), as: UTF8.self))
    }

    @Test("keeps every finished line of a file cut at any byte")
    func cutAnywhere() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        write(to: path).finish()
        let whole = try HostFile.read(path)
        let records = try TraceReader(bytes: whole, name: "whole").rest()
        for count in 0...whole.count {
            let reader = try TraceReader(bytes: Array(whole[..<count]), name: "cut")
            let kept = try reader.rest()
            let ends = whole[..<count].count { $0 == 0x0A }
            // A line that lacks its line feed only is whole.
            let isWholeWithoutEnd = count > 0 && count < whole.count && whole[count] == 0x0A
            let lines = ends + (isWholeWithoutEnd ? 1 : 0)
            #expect(kept == Array(records.prefix(max(0, lines - 1))))
            #expect(reader.isTorn == !(count == 0 || whole[count - 1] == 0x0A || isWholeWithoutEnd))
        }
    }

    @Test("goes on with the numbers of an earlier writer")
    func continuing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        write(to: path).finish()
        let writer = TraceWriter(continuing: path)
        writer.exchange(
            command: [0, 0xB0, 0, 0, 1],
            response: [0x90, 0],
            start: .zero,
            duration: .microseconds(1)
        )
        writer.finish()
        let records = try TraceReader(path: path).rest()
        #expect(records.count == 8)
        guard case .exchange(let last)? = records.last else {
            Issue.record("the last record is no exchange")
            return
        }
        #expect(last.number == 3)
    }

    @Test("keeps the first failure of a full disk and goes on")
    func fullDisk() {
        let writer = TraceWriter(path: "/dev/full", header: header())
        for _ in 0..<3 {
            writer.exchange(command: [0, 0xB0, 0, 0, 1], response: [0x90, 0], start: .zero, duration: .zero)
        }
        writer.event("field", time: .zero)
        writer.end(verdict: "passed")
        #expect(writer.finish() == "")
        #expect(writer.exchangeCount == 3)
        #expect(writer.failure?.description == "cannot write /dev/full: No space left on device")
    }

    @Test("says when the file cannot be made, and goes on")
    func noFolder() {
        let writer = TraceWriter(path: "/nowhere/t.jsonl", header: header())
        writer.note("a")
        #expect(writer.failure?.description == "cannot write /nowhere/t.jsonl: No such file or directory")
        #expect(writer.finish() == "")
    }

    @Test(
        "refuses a wrong line with file and line",
        arguments: [
            (
                "{\"trace\":1}\n{\"n\":1}\n",
                "t:2:1: the line has none of the keys \"c\", \"event\", \"note\" and \"end\""
            ),
            (
                "{\"trace\":1}\nnonsense\n",
                "t:2:1: this is no value; a trace has one JSON object a line"
            ),
            (
                "{\"trace\":9}\n",
                "t:1:1: this trace has format 9, a later one than this program knows; update it"
            ),
            ("{\"trace\":1}\n\n{\"c\":\"0\",\"r\":\"9000\"}\n", "t:3:1: \"c\" must be hex text"),
            ("{\"trace\":1}\n{\"c\":\"00B0\",\"r\":\"9*00\"}\n", "t:2:1: \"r\" must be hex text"),
            ("{\"trace\":1}\n{\"c\":\"00B0\"}\n", "t:2:1: an exchange needs an answer \"r\" or a \"fault\""),
            ("{\"trace\":1}\n{\"c\": 7, x}\n", "t:2:10: "),
            (
                "{\"run\":1}\n",
                "t:1:1: this is no trace: the line has none of the keys \"c\", \"event\", \"note\" and \"end\""
            ),
            ("[1]\n", "t:1:1: this is no trace: a line must be a JSON object"),
            ("5\n", "t:1:1: this is no trace: a line must be a JSON object"),
        ]
    )
    func refusals(text: String, message: String) {
        let error = #expect(throws: TraceError.self) {
            _ = try TraceReader(bytes: Array(text.utf8), name: "t").rest()
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "nothing")")
    }

    @Test("takes a neutral trace without header, unknown keys and CR LF")
    func neutral() throws {
        let text =
            "{\"n\":7,\"c\":\"00b0\",\"r\":\"6a82\",\"us\":3,\"x\":[1]}\r\n\r\n{\"c\":\"00**\",\"r\":\"9000\"}"
        let reader = try TraceReader(bytes: Array(text.utf8), name: "t")
        #expect(reader.header == nil)
        let records = try reader.rest()
        var first = TraceExchange(
            number: 7,
            command: TracedBytes([0, 0xB0]),
            outcome: .response(TracedBytes([0x6A, 0x82]))
        )
        first.microseconds = 3
        let second = TraceExchange(
            number: 8,
            command: TracedBytes([0, 0], hidden: [1..<2]),
            outcome: .response(TracedBytes([0x90, 0]))
        )
        #expect(records == [.exchange(first), .exchange(second)])
        #expect(first.statusWord == 0x6A82)
        #expect(!reader.isTorn)
    }

    @Test("names a file that is not there, and a line without end")
    func noFile() throws {
        let error = #expect(throws: TraceError.self) { _ = try TraceReader(path: "/nowhere/t.jsonl") }
        #expect(error?.description == "cannot read /nowhere/t.jsonl: No such file or directory")
        let long = [UInt8](repeating: 0x20, count: LineSource.lengthLimit + 10)
        let second = #expect(throws: TraceError.self) { _ = try TraceReader(bytes: long, name: "t") }
        #expect(second?.description.contains("longer than 1048576 bytes") == true)
    }

    @Test("keeps a seed of 64 bits")
    func largeSeed() throws {
        var header = TraceHeader()
        header.seed = .max
        let reader = try TraceReader(bytes: Array(header.line.utf8), name: "t")
        #expect(reader.header?.seed == .max)
    }

    @Test(
        "writes times with one decimal",
        arguments: [
            (Duration.zero, "0.0"), (.nanoseconds(99), "0.0"), (.nanoseconds(100), "0.1"),
            (.seconds(15), "15000000.0"),
            (.seconds(Int64.max), "90000000000000000.0"), (.nanoseconds(-1500), "-1.5"),
        ]
    )
    func times(duration: Duration, text: String) {
        var line = TraceLine()
        line.append(microseconds: duration)
        #expect(String(decoding: line.bytes, as: UTF8.self) == text)
    }
}
