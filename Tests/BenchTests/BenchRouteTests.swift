// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import Testing

@testable import Bench

@Suite("Ways to the devices of a bench")
struct BenchRouteTests {
    private func route(_ role: String, rest: String = "", isNamed: Bool = true) throws -> BenchRoute {
        let text = "bench: 1\nroles:\n  nbt: {reader: {serial: RR554-0231}, \(role)}\n\(rest)"
        let (found, mistakes) = bench(text, isNamed: isNamed)
        try #require(mistakes.map(\.description) == [])
        return try #require(found).route(forRole: "nbt")
    }

    @Test(
        "a reader is named in the words of --via",
        arguments: [
            ("serial: RR554-0231", "pcsc:serial=RR554-0231"), ("usb: 1-1.3", "pcsc:usb=1-1.3"),
            ("atr: 3B8x80*", "pcsc:atr=3B8x80*"), ("pattern: \"*PICC] 02 00\"", "pcsc:*PICC] 02 00"),
        ]
    )
    func via(_ reader: String, _ expected: String) throws {
        let (found, _) = bench("bench: 1\nroles: {nbt: {reader: {\(reader)}}}")
        #expect(try found?.route(forRole: "nbt").via == expected)
    }

    @Test("an unknown role names those that there are")
    func unknownRole() throws {
        let (found, _) = bench("bench: 1\nroles: {nbt: {reader: {serial: a}}, tangem: {reader: {serial: b}}}")
        let near = #expect(throws: UnknownRole.self) { _ = try found?.route(forRole: "tangen") }
        #expect(near?.description == "the bench bench.yaml has no role 'tangen'; did you mean 'tangem'?")
        let far = #expect(throws: UnknownRole.self) { _ = try found?.route(forRole: "wallet") }
        #expect(far?.description == "the bench bench.yaml has no role 'wallet'; it has nbt, tangem")
    }

    @Test("the bench's word on field and time extension goes before what was found")
    func capabilities() throws {
        let found: Set<Capability> = [.fieldControl, .fieldUnpower, .extendedLength, .timeExtension]
        #expect(try route("field: control").capabilities(found) == found)
        #expect(try route("field: none").capabilities(found) == [.extendedLength, .timeExtension])
        #expect(
            try route("field: unpower, time-extension: no").capabilities(found) == [
                .fieldUnpower, .extendedLength,
            ]
        )
        #expect(try route("time-extension: yes").capabilities([]) == [.timeExtension])
        let programs = "programs: {field: {exec: [/bin/true]}, kit.led: {exec: [/bin/true]}}"
        let led = Capability(rawValue: "kit.led")
        #expect(try route("field: none", rest: programs).capabilities([]) == [.fieldControl, led])
        #expect(try route("field: none", rest: programs, isNamed: false).capabilities([]) == [])
    }

    @Test("limits of a role go before those of the bench")
    func limits() throws {
        let limits = try route("limits: {apdu: 45s}", rest: "limits: {apdu: 5s, teardown: 2s}").limits
        #expect(limits.apdu == .seconds(45))
        #expect(limits.teardown == .seconds(2))
        #expect(limits.testCase == nil)
    }

    @Test("destructive cases run on samples of the allow-list, named by the card itself")
    func destructive() throws {
        let (found, _) = bench(
            "bench: 1\nroles: {nbt: {reader: {serial: a}}}\nallow: [\"04 a1:b2-c3\", RR1, \"08112233\"]"
        )
        let bench = try #require(found)
        #expect(bench.objection(toDestroying: SampleName(text: "04A1B2C3", isRandom: false)) == nil)
        #expect(bench.objection(toDestroying: SampleName(text: "rr1", isRandom: false)) == nil)
        let other = bench.objection(toDestroying: SampleName(text: "04A1B2", isRandom: false))
        #expect(other == "the card 04A1B2 is not in the `allow` list of bench.yaml")
        let random = bench.objection(toDestroying: SampleName(text: "08112233", isRandom: true))
        #expect(random?.contains("drawn anew each time") == true)
        #expect(bench.objection(toDestroying: nil)?.contains("neither UID nor serial") == true)
    }

    @Test("a device proves its firmware and tells its sample")
    func identifies() throws {
        let route = try route(
            "protocol: T=1, firmware: {version: \"8.4\", command: 00B0000002, expect: 000F}"
        )
        let card = TableConnection(answers: [
            "00B0000002": [0x00, 0x0F, 0x90, 0x00], "FFCA000000": [0x04, 0xA1, 0xB2, 0xC3, 0x90, 0x00],
        ])
        let identity = try route.identify(card)
        #expect(identity.firmware == "8.4")
        #expect(identity.sample == SampleName(text: "04A1B2C3", isRandom: false))
        card.answers["FFCA000000"] = [0x08, 0xA1, 0xB2, 0xC3, 0x90, 0x00]
        #expect(try route.identify(card).sample?.isRandom == true)
        card.answers["00B0000002"] = [0x00, 0x10, 0x90, 0x00]
        let other = fault { () throws(TransportFault) in _ = try route.identify(card) }
        #expect(other?.kind == .control)
        #expect(
            other?.detail == "role nbt: firmware 8.4 expected as 000F, the device answered 0010"
        )
        card.answers["00B0000002"] = [0x69, 0x82]
        let refused = fault { () throws(TransportFault) in _ = try route.identify(card) }
        #expect(refused?.detail == "role nbt: firmware 8.4 not verified: 00B0000002 was answered 6982")
        card.facts.protocolName = "T=0"
        let spoken = fault { () throws(TransportFault) in _ = try route.identify(card) }
        #expect(spoken?.kind == .protocol)
    }

    @Test("a contact card is not asked for a UID unless the bench says so")
    func contactCard() throws {
        let card = TableConnection(
            atr: [0x3B, 0x00],
            answers: ["FFCA000000": [0x01, 0x02, 0x90, 0x00], "80CA9F7F00": [0xAB, 0xCD, 0x90, 0x00]]
        )
        #expect(try route("field: none").identify(card).sample == nil)
        #expect(try route("sample: uid").identify(card).sample?.text == "0102")
        #expect(try route("sample: {command: 80CA9F7F00}").identify(card).sample?.text == "ABCD")
    }

    @Test("a reader that is named by what stays the same is locked before it is looked for")
    func earlyLock() throws {
        let folder = try TemporaryFolder()
        let locks = LockFolder(path: "\(folder.path)/locks")
        let route = try route("field: none")
        let lock = try route.lockIdentity(holder: .current(command: "a"), in: locks)
        #expect(lock != nil)
        let found = fault { () throws(TransportFault) in
            _ = try route.lockIdentity(holder: .current(command: "b"), in: locks)
        }
        #expect(found?.kind == .busy)
        lock?.release()
        let (other, _) = bench("bench: 1\nroles: {nbt: {reader: {pattern: ACR}}}")
        #expect(
            try other?.route(forRole: "nbt").lockIdentity(holder: .current(command: "a"), in: locks) == nil
        )
    }

    @Test("The band of a reader's times is told as the file has it")
    func timing() {
        #expect(TimingCalibration.Band.percent(10).text == "10%")
        #expect(TimingCalibration.Band.absolute(.microseconds(200)).text == "200us")
    }

    @Test("a program does for the operator what a person would be asked for")
    func operatorProgram() throws {
        let (found, _) = bench(
            "bench: 1\nroles: {nbt: {reader: {serial: a}}}\nprograms: {operator: {exec: [/usr/bin/test, Turn, =]}}"
        )
        let bench = try #require(found)
        let role = try #require(bench.role("nbt"))
        #expect(bench.program(.operator, of: role)?.timeout == ControlProgram.defaultPatience)
        #expect(try bench.ask("Turn", within: .seconds(5), role: role))
        let failed = fault { () throws(TransportFault) in _ = try bench.ask("Push", within: nil, role: role) }
        #expect(failed?.kind == .control)
        #expect(try route("field: none").bench.ask("Turn", within: nil, role: role) == false)
    }
}
