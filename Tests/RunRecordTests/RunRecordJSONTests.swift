// SPDX-License-Identifier: MIT

import JSONText
import RunRecord
import Testing

@Suite("run.json")
struct RunRecordJSONTests {
    @Test("gives back what was written, every field of it")
    func roundTrip() throws {
        let run = SampleRun.full
        let read = try RunRecord(json: Array(run.jsonText.utf8))
        #expect(read == run)
        #expect(read.jsonText == run.jsonText)
        #expect(run.jsonText == run.json.text + "\n")
    }

    @Test("gives back the shard and the places of its cases")
    func shard() throws {
        var run = SampleRun.full
        run.shard = RunShard(index: 2, count: 3, caseCount: 40, cut: "0a1b")
        run.suites[0].cases[0].number = 17
        #expect(try RunRecord(json: Array(run.jsonText.utf8)) == run)
        #expect(run.json["shard"]?["cases"] == 40)
    }

    @Test("gives back an empty run")
    func emptyRun() throws {
        let run = RunRecord(name: "", rigVersion: "", started: "", seed: 42, hostName: "")
        #expect(try RunRecord(json: Array(run.jsonText.utf8)) == run)
        #expect(run.jsonText.hasPrefix("{\"run\":1,\"name\":\"\""))
        #expect(run.json["seed"] == 42)
    }

    @Test("keeps durations up to the range of 64 bits")
    func longDurations() throws {
        var run = RunRecord(name: "", rigVersion: "", started: "", seed: 0, hostName: "")
        run.duration = .seconds(Int64.max)
        #expect(try RunRecord(json: Array(run.jsonText.utf8)).duration == .nanoseconds(Int64.max))
    }

    @Test("ignores keys that it does not know")
    func unknownKeys() throws {
        let text =
            #"{"run":1,"later":[{}],"suites":[{"name":"s","cases":[{"name":"c","verdict":"passed","x":1}]}]}"#
        let run = try RunRecord(json: Array(text.utf8))
        #expect(run.suites[0].cases[0].verdict == .passed)
    }

    @Test(
        "says where a document is wrong",
        arguments: [
            ("", "this is no record of a run: line 1, column 1: the text ends where a value should be"),
            ("[]", "this is no record of a run: an object is expected here"),
            ("{}", "this is no record of a run: the key \"run\" is missing"),
            (
                #"{"run":2}"#,
                "this is no record of a run: it has version 2, this program knows only 1"
            ),
            (#"{"run":1}"#, "this is no record of a run: the key \"suites\" is missing"),
            (#"{"run":1,"suites":[{}]}"#, "suites[0]: the key \"name\" is missing"),
            (#"{"run":1,"suites":[{"name":"s"}]}"#, "suites[0]: the key \"cases\" is missing"),
            (
                #"{"run":1,"suites":[{"name":"s","cases":[{"verdict":"passed"}]}]}"#,
                "suites[0].cases[0]: the key \"name\" is missing"
            ),
            (#"{"run":1,"suites":{}}"#, "suites: a list is expected here"),
            (#"{"run":1,"suites":[{"cases":[{},{}]}]}"#, "suites[0].cases[0].verdict: '' is none of passed"),
            (
                #"{"run":1,"suites":[{"name":"a","cases":[]},{"cases":[{"verdict":"green"}]}]}"#,
                "suites[1].cases[0].verdict: 'green' is none of passed, failed, error and skipped"
            ),
            (#"{"run":1,"duration_ns":1.5}"#, "duration_ns: a whole number is expected here"),
            (#"{"run":1,"seed":-1}"#, "seed: a number from 0 to 2^64 - 1 is expected here"),
            (#"{"run":1,"notes":[1]}"#, "notes[0]: a text is expected here"),
            (#"{"run":1,"shard":{"index":3,"count":2}}"#, "shard: shard 3 of 2 does not exist"),
            (#"{"run":1,"shard":{"indexes":[1,0],"count":2}}"#, "shard: shard 0 of 2 does not exist"),
            (#"{"run":1,"shard":{"indexes":[2,2],"count":2}}"#, "shard: one of its 2 shards is named twice"),
            (
                #"{"run":1,"shard":{"indexes":["1"],"count":2}}"#,
                "shard.indexes[0]: a whole number is expected here"
            ),
            (
                #"{"run":1,"shard":{"index":1,"count":9223372036854775807}}"#,
                "shard: a run is divided into 10000 shards at most"
            ),
            (#"{"run":1,"not_run":-1}"#, "not_run: a number of cases is expected here"),
            (#"{"run":1,"not_run":9223372036854775807}"#, "not_run: a number of cases is expected here"),
            (#"{"run":1,"secrets":"yes"}"#, "secrets: true or false is expected here"),
        ]
    )
    func refusals(text: String, message: String) {
        let error = #expect(throws: RunRecordError.self) { try RunRecord(json: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "nothing")")
    }

    @Test(
        "says it with the file, the place in it and what to do",
        arguments: [
            ("{\n 7}", "run.json:2:2: "),
            (#"{"run":1}"#, "run.json: the key \"suites\" is missing"),
            (#"{"run":1,"notes":[1]}"#, "run.json: notes[0]: a text is expected here"),
        ]
    )
    func refusalsOfFile(text: String, start: String) {
        let error = #expect(throws: RunRecordError.self) { try RunRecord(json: Array(text.utf8)) }
        let sentence = error?.description(of: "run.json") ?? "nothing"
        #expect(sentence.hasPrefix(start), "\(sentence)")
        #expect(sentence.hasSuffix("; name the run.json that a run has left"))
    }
}
