// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import Testing

@testable import Trace

@Suite("Trace as text")
struct TraceTextTests {
    @Test("shows a trace to people")
    func golden() throws {
        let lines = [
            #"{"trace":1,"suite":"nbt.led","case":"a\u001bb","target":"nbt","seed":7,"secrets":true}"#,
            #"{"n":1,"t_us":0.0,"c":"00A4040007D276000085010100","r":"6F04840201029000","us":3100.0,"step":"setup.1 select"}"#,
            #"{"n":2,"t_us":3100.0,"c":"0020000104********","r":"63C2","us":1.0,"step":"setup.1 select"}"#,
            #"{"event":"field","state":"off","t_us":3101.0}"#,
            #"{"n":3,"t_us":4000.0,"c":"80CA000000","fault":"timeout","detail":"no answer","us":500000.0,"step":"step.1 get"}"#,
            #"{"note":"done"}"#, #"{"end":"error","exchanges":3}"#,
        ]
        let reader = try TraceReader(bytes: Array(lines.joined(separator: "\n").utf8), name: "t")
        var text = TraceText(meaning: { $0 == 0x63C2 ? "2 tries left" : "" })
        var out = text.text(of: try #require(reader.header))
        while let record = try reader.next() { out += text.text(of: record) }
        let expected = [
            "suite     nbt.led", "case      a\\u001Bb", "target    nbt", "seed      7",
            "contains secrets: do not pass it on", "setup.1 select",
            "     0.000  1  SELECT application  > 00A4040007D276000085010100  < 6F04840201029000  3.100 ms",
            "            6F 4", "              84 2: 0102",
            "     3.100  2  VERIFY  > 0020000104********  < 63C2  0.001 ms  2 tries left",
            "     3.101  -- field state=off", "step.1 get",
            "     4.000  3  > 80CA000000  < none  500.000 ms  timeout: no answer", "            -- done",
            "end: error, 3 exchanges",
        ]
        #expect(out == expected.map { $0 + "\n" }.joined())
    }

    @Test("explains status words by the standard")
    func meanings() {
        var text = TraceText()
        let exchange = TraceExchange(
            number: 1,
            command: TracedBytes([0, 0xB0, 0, 0]),
            outcome: .response(TracedBytes([0x6A, 0x82]))
        )
        #expect(text.text(of: .exchange(exchange)).contains("< 6A82  file or application not found"))
    }

    @Test(
        "shows no data objects where there are none",
        arguments: [[0x01], [0xFF, 0xFF, 0xFF], [0x90, 0x05, 0x00]]
    )
    func noObjects(data: [UInt8]) {
        #expect(TraceText.dataObjects(data).isEmpty)
    }

    @Test("keeps the first and the last exchanges of a step, and cuts long data in the middle")
    func excerpts() throws {
        let clock = ModelClock()
        let inner = PlayedConnection(clock: clock, answers: [])
        let connection = TracingConnection(
            inner,
            writer: TraceWriter(path: "/dev/null", header: TraceHeader()),
            clock: clock,
            masks: SecretMask(target: "nbt")
        )
        for number in 1...100 { _ = try connection.transmit([0, 0xB0, 0, UInt8(number), 1]) }
        let excerpts = connection.takeSummaries()
        #expect(excerpts.count == 100)
        #expect(excerpts.shown.count == 16)
        #expect(excerpts.shown.first?.command == "00B0000101")
        #expect(excerpts.shown[3].command == "00B0000401")
        #expect(excerpts.shown[4].command == "00B0005901")
        #expect(excerpts.shown.last?.command == "00B0006401")
        #expect(excerpts.shown.last?.milliseconds == 0.4123)
        #expect(connection.takeSummaries() == ExchangeExcerpts(count: 0, shown: []))
        _ = try connection.transmit([0, 0xD6, 0, 0, 0xFF] + [UInt8](repeating: 0xAB, count: 255))
        let long = try #require(connection.takeSummaries().shown.first?.command)
        #expect(long.hasPrefix("00D60000FFABAB"))
        #expect(long.contains("..[212 bytes].."))
        #expect(long.hasSuffix("ABAB"))
    }

    @Test(
        "names commands by the standard",
        arguments: [
            ([0x00, 0xA4, 0x04, 0x00], "SELECT application"), ([0x00, 0xA4, 0x00, 0x0C], "SELECT file"),
            ([0x0C, 0xB0, 0, 0], "READ BINARY"), ([0xFF, 0xCA, 0, 0], "reader: GET DATA"),
            ([0x80, 0xB0, 0, 0], nil), ([0x38, 0xCA, 0, 0], nil), ([0x5C, 0xCA, 0, 0], "GET DATA"),
            ([0x00, 0x99, 0, 0], nil), ([0x00], nil),
        ] as [([UInt8], String?)]
    )
    func names(command: [UInt8], name: String?) {
        #expect(CommandNames.name(of: command) == name)
    }
}
