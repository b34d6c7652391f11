// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import Foundation
import Glibc
import HostSystem
import Routes
import Runner
import Scenario
import Synchronization
import Testing

/// How a bench becomes ways to cards, and who may use a reader.
@Suite("Ways of a bench")
struct BenchRouteTests {
    private let place: ScenarioBench

    init() throws {
        place = try ScenarioBench()
    }

    private var access: ReaderAccess { access(wait: .zero) }

    private func access(wait: Duration) -> ReaderAccess {
        ReaderAccess(wait: wait, command: "taprig test", locks: LockFolder(path: place.folder + "/locks"))
    }

    private func read(_ text: String, mayStartPrograms: Bool = true) throws -> TestBench {
        let (bench, mistakes) = TestBench.read(
            Array(text.utf8),
            file: "bench.yaml",
            folder: place.folder,
            isNamedOnCommandLine: mayStartPrograms
        )
        #expect(mistakes.map(\.description) == [])
        return try #require(bench)
    }

    private func routes(_ text: String, _ targets: String..., jobs: Int? = nil) throws -> RouteSet {
        try RouteSpec.routes(on: try read(text), targets: targets, jobs: jobs, access: access)
    }

    private func refusal(_ text: String, _ targets: String..., jobs: Int? = nil) throws -> String? {
        let bench = try read(text)
        do throws(RouteError) {
            _ = try RouteSpec.routes(on: bench, targets: targets, jobs: jobs, access: access)
            return nil
        } catch {
            return error.description
        }
    }

    // MARK: Roles

    private let two = """
        bench: 1
        limits: { apdu: 9s }
        roles:
          nbt: { reader: { serial: A1 } }
          tangem: { reader: { usb: 1-1.3 }, limits: { apdu: 45s } }
        """

    @Test("Each target has the reader of its role, with the role's limits")
    func roles() throws {
        let both = try routes(two, "nbt", "tangem")
        #expect(both.members.map(\.route.spec) == ["pcsc:serial=A1", "pcsc:usb=1-1.3"])
        #expect(both.members.map(\.roles) == [["nbt"], ["tangem"]])
        #expect(both.members.map(\.route.limits.apdu) == [.seconds(9), .seconds(45)])
        #expect(!both.isEmulated)
        #expect(try routes(two, "tangem").members.map(\.route.spec) == ["pcsc:usb=1-1.3"])
    }

    @Test("A role that is not there is named with its nearest")
    func unknownRole() throws {
        #expect(
            try refusal(two, "tangen") == "the bench bench.yaml has no role 'tangen'; did you mean 'tangem'?"
        )
    }

    @Test("The only role of a bench stands in for any target, unless it is known to be another device")
    func onlyRole() throws {
        let any = "bench: 1\nroles: { dut: { reader: { pattern: ACS } } }"
        #expect(try routes(any, "nbt", "tangem").members.map(\.roles) == [["nbt", "tangem"]])
        let nbt = "bench: 1\nroles: { nbt: { reader: { pattern: ACS } } }"
        #expect(try routes(nbt, "iso7816").members.map(\.roles) == [["iso7816"]])
        #expect(try refusal(nbt, "tangem")?.contains("has no role 'tangem'") == true)
    }

    @Test("Two roles cannot have one reader, and each reader has one worker")
    func readers() throws {
        let same = "bench: 1\nroles: { nbt: { reader: { serial: A1 } }, tangem: { reader: { serial: A1 } } }"
        #expect(
            try refusal(same, "nbt", "tangem")?.contains("nbt, tangem of bench.yaml have one reader") == true
        )
        #expect(try routes(same, "nbt").members.count == 1)
        #expect(try refusal(two, "nbt", jobs: 2)?.contains("leave --jobs out") == true)
    }

    // MARK: Locks

    private func route(_ spec: String, wait: Duration = .zero) throws -> PCSCRoute {
        try PCSCRoute(spec: spec, access: access(wait: wait))
    }

    @Test("A reader is one program's from the first preparing to the close")
    func locks() throws {
        let first = try route("pcsc:serial=A1")
        let second = try route("pcsc:serial=A1")
        try first.prepare { false }
        try first.prepare { false }
        let fault = #expect(throws: TransportFault.self) { try second.prepare { false } }
        #expect(fault?.kind == .busy)
        #expect(fault?.detail.contains("in use by pid \(getpid()) (taprig test, user ") == true)
        #expect(fault?.hint.contains("--wait") == true)
        first.close()
        try second.prepare { false }
        second.close()
    }

    @Test("Waiting for a reader ends when it is free, and when the run is interrupted")
    func waiting() throws {
        let first = try route("pcsc:usb=1-9")
        try first.prepare { false }
        let second = try route("pcsc:usb=1-9", wait: .seconds(60))
        let looks = Mutex(0)
        // The look that ends it is the third one.
        let fault = #expect(throws: TransportFault.self) {
            try second.prepare {
                looks.withLock { looks in
                    looks += 1
                    return looks > 2
                }
            }
        }
        #expect(fault?.kind == .busy)
        let patient = try route("pcsc:usb=1-9", wait: .seconds(60))
        let begin = MonotonicTime.now
        let count = Mutex(0)
        try patient.prepare {
            // Freed while it is waited for; whoever has it looks no more.
            let looks = count.withLock { count in
                count += 1
                return count
            }
            if looks == 2 { first.close() }
            return looks > 8
        }
        #expect(MonotonicTime.now - begin < .seconds(30))
        patient.close()
    }

    // MARK: Operator

    private func benchWithOperator(_ script: String, mayStartPrograms: Bool = true) throws -> PCSCRoute {
        let path = try place.write("ask.sh", "#!/bin/sh\n\(script)\n")
        chmod(path, 0o755)
        let bench = try read(
            """
            bench: 1
            roles: { nbt: { reader: { serial: A1 } } }
            programs: { operator: { exec: [ask.sh] } }
            """,
            mayStartPrograms: mayStartPrograms
        )
        let way = try bench.route(forRole: "nbt")
        return try PCSCRoute(spec: way.via, bench: way, access: access)
    }

    @Test("A bench's program answers for the operator")
    func operatorProgram() throws {
        let willing = try benchWithOperator("echo \"$1\" > \"$TAPRIG_BENCH/asked\"")
        let port = try #require(willing.operatorPort(else: nil))
        #expect(port.ask("turn the card over", within: .seconds(10)) == .done)
        let asked = try String(contentsOfFile: place.folder + "/asked", encoding: .utf8)
        #expect(asked == "turn the card over\n")
        let unwilling = try #require(try benchWithOperator("echo no card; exit 3").operatorPort(else: nil))
        guard case .refused(let reason) = unwilling.ask("turn it", within: .seconds(10)) else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("no card"))
    }

    @Test("Without a program that may start, the person is asked")
    func operatorPerson() throws {
        #expect(try benchWithOperator("exit 0", mayStartPrograms: false).operatorPort(else: nil) == nil)
        let person = Person()
        let port = try benchWithOperator("exit 0", mayStartPrograms: false).operatorPort(else: person)
        #expect(port === person)
    }

    private final class Person: OperatorPort {
        func ask(_ request: String, within limit: Duration?) -> OperatorAnswer { .done }
    }
}
