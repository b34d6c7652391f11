// SPDX-License-Identifier: MIT

import Foundation
import Scenario
import Testing

@testable import Bench

@Suite("Reading of bench files")
struct BenchReadingTests {
    @Test("the example of the documentation is read whole")
    func example() throws {
        let (found, mistakes) = TestBench.read("\(fixtures)/bench.yaml", isNamedOnCommandLine: true)
        #expect(mistakes.map(\.description) == [])
        let bench = try #require(found)
        #expect(bench.name == "east bench")
        #expect(bench.ledgerPath == "\(bench.folder)/state/retry-counters.json")
        #expect(bench.limits.apdu == .seconds(10))
        let nbt = try #require(bench.role("nbt"))
        #expect(nbt.reader == .serial("RR554-0231"))
        #expect(nbt.protocolName == "T=1")
        #expect(nbt.field == .control)
        #expect(nbt.hasTimeExtension == true)
        #expect(nbt.firmware?.version == "1.1")
        #expect(nbt.firmware?.commands.count == 2)
        #expect(nbt.sample == .uid)
        #expect(nbt.timing == TimingCalibration(overhead: .microseconds(850), band: .percent(10)))
        #expect(nbt.probe == "kit")
        let tangem = try #require(bench.role("tangem"))
        #expect(tangem.reader == .usb("1-1.3"))
        #expect(tangem.field == FieldClaim.none)
        #expect(tangem.hasTimeExtension == false)
        #expect(tangem.sample == .uid)
        #expect(bench.probes.map(\.kind) == ["cmsis-dap"])
        #expect(bench.probes.first?.board == "nbt-kit")
        #expect(bench.allowed.count == 2)
        let field = try #require(bench.program(.field, of: tangem))
        #expect(field.path == "\(bench.folder)/controls/relay.sh")
        #expect(field.arguments == ["2"])
        #expect(field.timeout == .seconds(2))
        #expect(bench.program(.field, of: nbt) == nil)
        #expect(bench.program(.led, of: nbt)?.timeout == .seconds(5))
    }

    @Test("the example stands in the documentation word by word")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let page = try String(contentsOfFile: "\(root)/Documentation/benches.md", encoding: .utf8)
        let example = try String(contentsOfFile: "\(fixtures)/bench.yaml", encoding: .utf8)
        let indented = example.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        #expect(page.contains(indented.trimmingCharacters(in: .newlines)))
    }

    @Test("all mistakes are told at once, each with its place and what was meant")
    func mistakes() throws {
        let bytes = try Data(contentsOf: URL(filePath: "\(fixtures)/mistakes.yaml"))
        let (found, mistakes) = TestBench.read(
            Array(bytes),
            file: "mistakes.yaml",
            folder: fixtures,
            isNamedOnCommandLine: true
        )
        #expect(found == nil)
        let told = mistakes.map(\.description).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["TAPRIG_RECORD"] == "1" {
            let source = URL(filePath: #filePath).deletingLastPathComponent().path
            try Data(told.utf8).write(to: URL(filePath: "\(source)/Fixtures/mistakes.txt"))
        }
        #expect(told == (try String(contentsOfFile: "\(fixtures)/mistakes.txt", encoding: .utf8)))
    }

    @Test(
        "what is no bench at all is one sentence",
        arguments: [
            ("", "1:1: the file is empty; a bench starts with 'bench: 1'"),
            ("- a", "1:1: a bench is a mapping that starts with 'bench: 1', not a list"),
            ("bench: 1", "1:1: a bench needs 'roles'; write roles: {nbt: {reader: {serial: ...}}}"),
            (
                "rig: 1\nroles: {a: {reader: {serial: x}}}",
                "1:1: a bench starts with 'bench: 1'; 'rig: 1' starts a scenario"
            ),
        ]
    )
    func noBench(_ text: String, _ expected: String) {
        let (found, mistakes) = bench(text)
        #expect(found == nil)
        #expect(mistakes.first?.description == "bench.yaml:\(expected)")
    }

    @Test("a bench that the command line did not name starts no program and needs none to be there")
    func notNamed() throws {
        let text = """
            bench: 1
            roles: {nbt: {reader: {pattern: ACR1252}}}
            programs: {kit.button: {exec: [no/such/program]}}
            """
        let (found, mistakes) = bench(text, isNamed: false)
        #expect(mistakes.map(\.description) == [])
        let bench = try #require(found)
        let role = try #require(bench.role("nbt"))
        #expect(bench.programs(of: role).count == 1)
        #expect(bench.program(.button, of: role) == nil)
        #expect(ExecKit(bench, role: role) == nil)
    }

    @Test("a missing file is a mistake at its first character")
    func missing() {
        let (found, mistakes) = TestBench.read("/no/such/bench.yaml", isNamedOnCommandLine: true)
        #expect(found == nil)
        let told = "/no/such/bench.yaml:1:1: cannot read the file: No such file or directory"
        #expect(mistakes.map(\.description) == [told])
    }
}
