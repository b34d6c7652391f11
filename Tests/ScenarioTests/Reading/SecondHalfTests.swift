// SPDX-License-Identifier: MIT

import JSONText
import SmartCard
import Testing

@testable import Scenario

@Suite("Known failures, statistics, roles, guards and checks")
struct SecondHalfTests {
    /// A suite with one case of these steps and keys.
    private func suite(_ steps: String, case keys: String = "", header: String = "", target: String = "nbt")
        throws
        -> Suite
    {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        let text =
            "rig: 1\nsuite: t\ntarget: \(target)\n\(header)cases:\n  - name: a\n\(keys)    steps:\n\(lines)"
        let (suite, mistakes) = ReadingFixtures.read(Array(text.utf8))
        #expect(mistakes == [])
        return try #require(suite)
    }

    private func step(_ text: String) throws -> Step {
        try #require(try suite(text).cases.first?.steps.first)
    }

    // MARK: Known failures

    @Test(
        "a known failure is a skip until its day, a pass or a later day a failure",
        arguments: [
            (KnownFailure.Outcome.failed, "2027-01-31", "skip: known until 2027-01-31 (NBT-7): SW 6982"),
            (
                .failed, "2027-02-01",
                "fail: the failure was known until 2027-01-31 and is still there (NBT-7): SW 6982"
            ),
            (.passed, "2026-12-01", "fail: the case passes, but a failure is known (NBT-7)"),
            (.passed, "2028-01-01", "fail: the case passes, but a failure is known (NBT-7)"),
            (.error, "2028-01-01", "unchanged"), (.skipped, "2026-12-01", "unchanged"),
        ]
    )
    func rulings(_ outcome: KnownFailure.Outcome, _ day: String, _ wanted: String) throws {
        let suite = try suite("- field: on", case: "    known: { issue: NBT-7, until: 2027-01-31 }\n")
        let known = try #require(suite.cases.first?.known)
        #expect(known.position.description == "t.yaml:6:5")
        let told =
            switch known.ruling(on: outcome, message: "SW 6982", today: try CalendarDate.parse(day)) {
            case .unchanged: "unchanged"
            case .skip(let reason): "skip: \(reason)"
            case .fail(let message, _): "fail: \(message)"
            }
        #expect(told == wanted)
    }

    @Test(
        "dates are days of the calendar",
        arguments: [
            ("2027-01-31", true), ("2028-02-29", true), ("2027-02-29", false), ("2100-02-29", false),
            ("2000-02-29", true), ("2027-13-01", false), ("2027-00-01", false), ("2027-04-31", false),
            ("2027-1-31", false), ("31.01.2027", false), ("", false), ("2027-01-31x", false),
        ]
    )
    func dates(_ text: String, _ isDate: Bool) {
        #expect(((try? CalendarDate.parse(text)) != nil) == isDate)
    }

    @Test("dates compare by time and come out of time stamps")
    func dateOrder() throws {
        let early = try CalendarDate.parse("2026-12-31")
        let late = try #require(CalendarDate(timestamp: "2027-01-01T00:00:00.000Z"))
        #expect(early < late)
        #expect("\(late)" == "2027-01-01")
        #expect(CalendarDate(timestamp: "now") == nil)
    }

    // MARK: Statistics

    @Test(
        "samples and warm-up make the repetitions",
        arguments: [
            ("samples: 50, warmup: 1", "", 50, 1), ("samples: 50", "", 50, 0),
            ("samples: 50, warmup: 1", "\n  repeat: 51", 50, 1), ("warmup: 1", "\n  repeat: 20", 19, 1),
        ]
    )
    func samples(_ keys: String, _ repeating: String, _ samples: Int, _ warmup: Int) throws {
        let step = try step("- select: CC\n  stats: { p95: \"<40ms\", \(keys) }\(repeating)")
        let statistics = try #require(step.statistics)
        #expect([statistics.samples, statistics.warmup] == [samples, warmup])
        #expect(step.repetitions == samples + warmup)
    }

    @Test("each figure is judged against its bound, and all are told")
    func judging() throws {
        let step = try step(
            "- select: CC\n  stats: { p50: \"<63ms\", p95: \"<100ms\", max: \"<=190400us\", mean: 60ms..70ms, samples: 19, warmup: 1 }"
        )
        let statistics = try #require(step.statistics)
        let judgement = try statistics.judge(in: Words.scope()) { figure in
            switch figure {
            case .min: .microseconds(61_600)
            case .p50: .microseconds(62_200)
            case .p90: .microseconds(63_100)
            case .p95, .p99, .max: .microseconds(190_400)
            case .mean: .microseconds(68_905)
            }
        }
        #expect(judgement.assertions == 4)
        let mismatch = try #require(judgement.mismatches.first)
        #expect(judgement.mismatches.count == 1)
        #expect(mismatch.kind == .timingExceeded)
        #expect(mismatch.message == "expected p95 <100ms of 19 samples, took 190.4ms")
        #expect(
            mismatch.decoded == [
                "min 61.6ms, p50 62.2ms, p90 63.1ms, p95 190.4ms, p99 190.4ms, max 190.4ms, mean 68.905ms"
            ]
        )
        #expect(mismatch.position.description == "t.yaml:8:32")
    }

    @Test("a bound may hold a variable")
    func variableBound() throws {
        let suite = try suite(
            "- select: CC\n  stats: { p95: \"<${limit}\", samples: 3 }",
            header: "vars: { limit: 40ms }\n"
        )
        let statistics = try #require(suite.cases[0].steps[0].statistics)
        let scope = Words.scope(["limit": .text("40ms")])
        #expect(try statistics.judge(in: scope) { _ in .milliseconds(39) }.holds)
        #expect(try !statistics.judge(in: scope) { _ in .milliseconds(40) }.holds)
    }

    // MARK: Roles

    @Test("a role is a need, and goes to the steps of a library that name none")
    func roles() throws {
        let step = try step("- select: CC\n  on: i2c")
        #expect(step.role == "i2c")
        #expect(step.needs.map(\.text) == ["role i2c"])
        let suite = try #require(
            ReadingFixtures.load(["roles.yaml"], in: "include").suites.first
        )
        guard case .use(_, let steps, _) = suite.cases[0].steps[0].action,
            case .use(_, let inner, _) = steps[1].action
        else {
            Issue.record("no call")
            return
        }
        #expect(steps.map(\.role) == ["second", "second", "third"])
        #expect(inner.map(\.role) == ["second"])
        #expect(suite.cases[0].steps[0].needs.map(\.text) == ["role second"])
    }

    // MARK: Checks

    @Test(
        "every form of a check is read",
        arguments: [
            "{ equals: [1, \"${a}\"] }", "{ increases: [1, 2, \"${a}\"], differs: [1, 2] }",
            "{ increases: [\"${a}\", 1.5ms] }", "{ not: { equals: [1, 2] } }",
            "{ ecdsa: { curve: secp256r1, key: 036B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, message: 00, digest: sha384, signature: \"${a}\", form: der } }",
            "{ ed25519: { key: \"${a}\", message: \"\", signature: \"${a}\" } }",
            "{ bip340: { key: \"${a}\", hash: \"${a}\", signature: \"${a}\" } }",
            "{ cmac: { key: 000102030405060708090A0B0C0D0E0F, message: 00, mac: 00000000 } }",
            "{ hash: { algorithm: sha1, message: 00, digest: 0000000000000000000000000000000000000000 } }",
            "{ x509: { certificate: 30, issuer: \"${a}\", subject: Root, at: 2027-01-31 } }",
            "{ not: { signature: { curve: \"${a}\", key: 00, hash: 00, signature: 00 } } }",
        ]
    )
    func checks(_ form: String) throws {
        let suite = try suite("- check: \(form)", header: "vars: { a: 00 }\n")
        guard case .verb(let verb, let arguments) = suite.cases[0].steps[0].action else {
            Issue.record("no verb")
            return
        }
        #expect(verb.name == "check")
        #expect(!arguments.isEmpty)
    }

    @Test(
        "a check whose outcome no card can change is refused",
        arguments: [
            (
                "{ increases: [1, 2] }",
                "7:18: 'increases' has literals only, which say nothing of the card; name a variable such as \"${name}\""
            ),
            (
                "{ not: { increases: [1, 2] } }",
                "7:25: 'increases' has literals only, which say nothing of the card; name a variable such as \"${name}\""
            ),
            (
                "{ increases: [\"${a}\", red] }",
                "7:38: 'red' cannot increase; it is neither a number from 0 on, nor a time, nor bytes in hex"
            ),
            (
                "{ increases: [-1, \"${a}\"] }",
                "7:30: '-1' cannot increase; it is neither a number from 0 on, nor a time, nor bytes in hex"
            ),
            ("{ increases: [5, 3, \"${a}\"] }", "7:33: 3 is not larger than 5"),
            ("{ increases: [\"${a}\", \"${a}\"] }", "7:38: ${a} is not larger than itself"),
            ("{ increases: [\"${a}\"] }", "7:18: 'increases' compares two values or more; here 1 value is"),
            ("{ equals: [] }", "7:18: 'equals' compares two values or more; here 0 values are"),
            ("{ equals: 5 }", "7:18: 'equals' compares two values or more; here 1 value is"),
            ("{ equals: [\"${a}\", \"${a}\"] }", "7:35: ${a} is compared with itself"),
            ("{ differs: [7, \"${a}\", 7] }", "7:39: 7 stands twice, so that no two alike is impossible"),
            (
                "{ cmac: { key: 00, message: 00, mac: 00000000 } }",
                "7:31: the AES key of a CMAC has 1 byte; give 16, 24 or 32"
            ),
            (
                "{ ecdsa: { curve: secp256r1, key: 04AA, hash: 00, signature: 00 } }",
                "7:50: the public key is no point of secp256r1"
            ),
            ("{ ed25519: { key: 00, message: 00, signature: 00 } }", "7:34: the public key cannot be read"),
            (
                "{ x509: { certificate: 30, issuer: \"${a}\", at: 2027-02-30 } }",
                "7:63: '2027-02-30' is no day of the calendar"
            ),
            ("{ x509: { certificate: 30, issuer: 00 } }", "the public key cannot be read"),
            (
                "{ ecdsa: { curve: ed25519, key: \"${a}\", hash: 00, signature: 00 } }",
                "7:34: 'ed25519' is no curve of ECDSA; write 'ed25519' in place of 'ecdsa'"
            ),
            (
                "{ signature: { curve: ed25519, key: \"${a}\", message: 00, digest: sha1, signature: 00 } }",
                "'digest' says nothing to a signature of ed25519"
            ),
            (
                "{ signature: { curve: \"${a}\", key: \"${a}\", hash: 00, digest: sha1, signature: 00 } }",
                "'digest' says how 'message' is hashed; beside 'hash' it says nothing"
            ),
        ]
    )
    func settledChecks(_ form: String, _ message: String) {
        let found = ReadingFixtures.mistakes(
            "rig: 1\nsuite: t\ntarget: nbt\ncases:\n  - name: a\n    steps:\n      - check: \(form)\n"
                + "vars: { a: 00 }\n"
        )
        #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
    }

    @Test("a check's values have the types of its arguments")
    func checkTypes() throws {
        let digest = [UInt8](repeating: 3, count: 32)
        let step = try step("- check: { hash: { message: 0102, digest: \(digest.hex) } }")
        guard case .verb(_, let arguments) = step.action else { return }
        #expect(arguments["hash"] == .value(.map(["message": .bytes([1, 2]), "digest": .bytes(digest)])))
    }

    // MARK: Guards and the operator

    @Test("the guard opens for a secret, also through libraries")
    func guards() throws {
        let suite = try suite(
            "- send: { ins: 20, data: \"${pin}\" }\n  allow: [guard, 63Cx]",
            header: "secrets: [pin]\n"
        )
        #expect(suite.cases[0].steps[0].allow == ["guard", "63Cx"])
        #expect(ReadingFixtures.load(["guards.yaml"], in: "include").mistakes == [])
    }

    @Test("the operator is asked with a limit, and needs to be there")
    func operators() throws {
        let step = try step("- operator: { ask: \"Turn the card over\", within: 60s }")
        guard case .verb(let verb, let arguments) = step.action else { return }
        #expect(verb.needs == ["operator"])
        #expect(arguments["within"] == .value(.duration(.seconds(60))))
        #expect(try self.step("- operator: Take it away").position.line == 7)
    }

    // MARK: Places inside texts

    @Test(
        "what is wrong inside a text is told where it stands in the file",
        arguments: [
            ("\"00\\x20A4 0G\"", "7:26: 'G' is not a hex digit"),
            ("'00''00 0G'", "7:24: 'G' is not a hex digit"),
            ("00A4\n    0G", "8:12: 'G' is not a hex digit"),
            ("\"00A4\n   00\n\n   0G\"", "10:11: 'G' is not a hex digit"),
            ("\"00A4 \\\n   0G\"", "8:11: 'G' is not a hex digit"),
            ("|\n    00A4\n    \n      0G", "10:14: 'G' is not a hex digit"),
            (">\n    00A4\n    00\n\n    0G", "11:12: 'G' is not a hex digit"),
            (">\n    00A4\n    0G\n    00", "9:12: 'G' is not a hex digit"),
            ("\"\\u0030\\U00000030 \\\"é\"", "7:35: the character U+00E9 is not a hex digit"),
        ]
    )
    func places(_ value: String, _ told: String) {
        #expect(ReadingFixtures.mistakes(ofSteps: "- send: \(value)") == [told])
    }

    @Test("references inside folded texts, conditions and quoted tags have their own places")
    func referencePlaces() {
        #expect(
            ReadingFixtures.mistakes(ofSteps: "- log: \"a\n    b \\x41${no}\"").map { $0.prefix(30) } == [
                "8:17: undefined variable 'no';"
            ]
        )
        #expect(
            ReadingFixtures.mistakes(ofSteps: "- log: a\n  if: \"present ${a}\\x20 x\"") == [
                "8:31: 'x' does not belong to the condition"
            ]
        )
        #expect(
            ReadingFixtures.mistakes(ofSteps: "- select: CC\n  expect: { tlv: { \"6F.zz\": 00, 6F.zy: 00 } }")
                .map {
                    $0.prefix(12)
                } == ["8:30: 'zz' is", "8:42: 'zy' is"].map { $0.prefix(12) }
        )
    }
}
