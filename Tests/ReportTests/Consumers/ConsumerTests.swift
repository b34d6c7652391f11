// SPDX-License-Identifier: MIT

import Foundation
import RunRecord
import Testing

@testable import Report

/// What nine readers make of the rich dialect: each sees every case once, with the right outcome, words and place.
@Suite("Readers of JUnit reports")
struct ConsumerTests {
    private static let link = "Reports/latest/traces/nbt.led/led-reads-back-protocol-T1.jsonl"

    private static let run: RunRecord = {
        var run = SampleRun.mixed
        var failedAgain = SampleRun.failed
        failedAgain.name = "led fails twice"
        failedAgain.attempts.insert(SampleRun.flaky.attempts[0], at: 0)
        run.suites[0].cases.append(failedAgain)
        var second = SampleRun.mixed.suites[0]
        second.name = "nbt.other"
        run.suites.append(second)
        return run
    }()

    private func root(_ run: RunRecord) throws -> XMLNode {
        try #require(XMLNode.parse(JUnitWriter(options: JUnitOptions(runFolder: "Reports/latest")).text(run)))
    }

    private func cases(_ consumer: Consumer, _ run: RunRecord = run) throws -> [ReadCase] {
        consumer.read(try root(run))
    }

    @Test("see every case once, under its suite", arguments: Consumer.allCases)
    func allCases(consumer: Consumer) throws {
        let cases = try cases(consumer)
        #expect(cases.count == 11)
        #expect(Set(cases.map { "\($0.suite)#\($0.name)" }).count == (consumer == .mikepenz ? 6 : 11))
        guard consumer != .mikepenz else { return }
        #expect(Set(cases.map(\.suite)) == ["nbt.led", "nbt.other"])
    }

    @Test(
        "tell failure, error, skip and pass apart as far as they can",
        arguments: [
            (Consumer.jenkins, "passed failed failed skipped passed failed"),
            (.gitlab, "success failed error skipped success failed"),
            (.mikepenz, "success failure failure skipped success failure"),
            (.dorny, "success failed failed skipped success failed"),
            (.enricoMi, "success failure error skipped success failure"),
            (.azure, "Passed Failed Failed NotExecuted Passed Failed"),
            (.allure, "passed failed broken skipped passed failed"),
            (.junitparser, "passed failure error skipped passed failure"),
            (.junit2html, "passed failure error skipped passed failure"),
        ]
    )
    func outcomes(consumer: Consumer, words: String) throws {
        #expect(try cases(consumer).prefix(6).map(\.status).joined(separator: " ") == words)
    }

    @Test("show what did not hold and where", arguments: Consumer.allCases)
    func failure(consumer: Consumer) throws {
        let item = try cases(consumer)[1]
        let message = "step 4 read FILE_2: expected SW 9000, got 6982"
        #expect(item.name == "led reads back [protocol=T1]")
        #expect(item.body.hasPrefix("\(message)\nat Scenarios/nbt/led.yaml:38\n"))
        if consumer != .gitlab { #expect(item.message == message) }
        switch consumer {
        case .mikepenz, .enricoMi: #expect(item.place == "Scenarios/nbt/led.yaml:31")
        case .gitlab: #expect(item.place == "Scenarios/nbt/led.yaml")
        default: break
        }
    }

    @Test("show why a case was skipped", arguments: Consumer.allCases)
    func skip(consumer: Consumer) throws {
        let item = try cases(consumer)[3]
        let reason = "needs capability kit.led; target nbt@pcsc does not offer it"
        switch consumer {
        case .mikepenz, .dorny: #expect(item.message.isEmpty)
        case .gitlab: #expect(item.body == reason)
        default: #expect(item.message == reason)
        }
    }

    @Test("GitLab finds the trace of what failed, and one key for each case")
    func gitlab() throws {
        let cases = try cases(.gitlab)
        #expect(cases[1].extras == [Self.link])
        #expect(cases[2].extras == [""])
        let twins = SampleRun.run([SampleRun.failed, SampleRun.failed, SampleRun.plain, SampleRun.plain])
        #expect(Set(try self.cases(.gitlab, twins).map(\.name)).count == 4)
    }

    @Test(
        "GitLab loses no report to a word of a type",
        arguments: ["yaml", "integer", "array", "file", "string"]
    )
    func gitlabTypes(word: String) throws {
        let run = SampleRun.run([SampleRun.failing("12 body", type: word)])
        let item = try #require(try cases(.gitlab, run).first)
        #expect(item.body.hasPrefix("12 body\n"))
    }

    @Test("GitLab prints no hash: every element has text", arguments: ["", " ", "\n"])
    func gitlabText(message: String) throws {
        let run = SampleRun.run([SampleRun.failing(message)])
        #expect(try cases(.gitlab, run)[0].body.hasPrefix("no reason given\n"))
    }

    @Test("Jenkins keeps the start and the end of a pass, all of a failure, and its traces")
    func jenkins() throws {
        var item = SampleRun.plain
        item.attempts = [SampleRun.attempt(1, "a.jsonl")]
        item.attempts[0].steps = (1...300).map { SampleRun.step($0, "read", "00B0000004", "9000", 1) }
        let output = try cases(.jenkins, SampleRun.run([item]))[0].output
        #expect(output.hasPrefix("step 1 read"))
        #expect(
            output.hasSuffix(
                "[[ATTACHMENT|Reports/latest/traces/nbt.led/a.jsonl]]\ncut, full log in Reports/latest/traces/nbt.led/a.jsonl\n"
            )
        )
        // The attachments plugin takes a line from its first bracket to its last.
        let failed = try cases(.jenkins)[1].output
        let links = failed.split(separator: "\n").compactMap {
            $0.wholeMatch(of: /\[\[ATTACHMENT\|(.*)\]\]/)?.1
        }
        #expect(links == [Self.link[...]])
        #expect(failed.hasSuffix("]]\n"))
    }

    @Test("Jenkins and mikepenz count retries, the others take them for nothing")
    func retries() throws {
        #expect(try cases(.jenkins)[0].extras == ["flakyFailure"])
        #expect(try cases(.jenkins)[5].extras == ["rerunFailure"])
        #expect(try cases(.mikepenz)[0].extras == ["flakyFailure"])
        #expect(try cases(.junitparser)[0].extras == ["flakyFailure"])
        #expect(try cases(.allure)[5].extras.filter { $0.hasPrefix("rerun") } == ["rerunFailure"])
        #expect(try cases(.allure)[0].extras.filter { $0.hasPrefix("rerun") }.isEmpty)
    }

    @Test("mikepenz takes no case for a retry of another one")
    func duplicates() throws {
        let run = SampleRun.run([SampleRun.failed, SampleRun.failed, SampleRun.failed])
        let keys = try root(run).deep("testcase").map {
            [$0.attributes["file"], $0.attributes["classname"], $0.attributes["name"]]
        }
        #expect(Set(keys).count == 3)
    }

    @Test(
        "dorny has one group for each suite, whatever its name is",
        arguments: ["a", " a ", "a\n b", "<a>", "a\u{1B}"]
    )
    func groups(name: String) throws {
        let cases = try cases(.dorny, SampleRun.run([SampleRun.plain, SampleRun.failed], name: name))
        #expect(Set(cases.map(\.suite)).count == 1)
        #expect(cases.allSatisfy { !$0.suite.contains("/") })
    }

    @Test("EnricoMi adds up the attributes of suites to the number of cases")
    func sums() throws {
        var run = Self.run
        run.suites.append(SampleRun.run([], name: "none").suites[0])
        let suites = try root(run).deep("testsuite")
        func sum(_ name: String) -> Int { suites.reduce(0) { $0 + (Int($1.attributes[name] ?? "") ?? 0) } }
        let cases = try cases(.enricoMi, run)
        #expect(sum("tests") == cases.count)
        #expect(sum("failures") == cases.count { $0.status == "failure" })
        #expect(sum("errors") == cases.count { $0.status == "error" })
        #expect(sum("skipped") == cases.count { $0.status == "skipped" })
    }

    @Test(
        "Azure drops no case: names and times are always there",
        arguments: [Duration.seconds(-1), .zero, .seconds(400_000_000)]
    )
    func azure(duration: Duration) throws {
        var item = SampleRun.plain
        item.name = " "
        item.duration = duration
        let cases = try cases(.azure, SampleRun.run([item, SampleRun.failed]))
        #expect(cases.count == 2)
        #expect(cases[0].output.isEmpty)
        #expect(cases[1].output.contains("step 4 read FILE_2"))
    }

    @Test("Allure shows each step as a step, and properties as parameters")
    func allure() throws {
        let item = try cases(.allure)[1]
        let steps = item.output.split(separator: "|").filter {
            $0.hasPrefix("step ") || $0.hasPrefix("teardown ")
        }
        #expect(steps.count == 2)
        #expect(steps.last == "step 4 read FILE_2 > 00B0000004 < 6982 2.9 ms")
        #expect(item.properties.contains("rig.apdu.count=4"))
        #expect(item.properties.contains("attachment=\(Self.link)"))
    }

    @Test("junitparser finds one outcome a case, and the counts that it would compute itself")
    func junitparser() throws {
        let cases = try cases(.junitparser)
        #expect(!cases.contains { $0.status.contains("+") })
        let root = try root(Self.run)
        #expect(root.attributes["tests"] == "11")
        #expect(root.attributes["failures"] == "\(cases.count { $0.status == "failure" })")
    }

    @Test("dorny, Allure and junit2html lose nothing: no suite lies in another one")
    func depth() throws {
        let root = try root(Self.run)
        #expect(root.deep("testsuite").count == root.all("testsuite").count)
    }
}
