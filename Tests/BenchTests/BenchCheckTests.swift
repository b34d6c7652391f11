// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Foundation
import JSONText
import Scenario
import Testing

@testable import Bench

@Suite("Checking of a bench")
struct BenchCheckTests {
    /// Readers of a test.
    private final class FakePort: BenchPort {
        var all: [SeenReader]
        var cards: [String: TableConnection]
        var trouble: TransportFault?
        var board: EmulatedBoardLink?

        init(_ all: [SeenReader], cards: [String: TableConnection] = [:]) {
            self.all = all
            self.cards = cards
        }

        func readers() throws(TransportFault) -> [SeenReader] {
            if let trouble { throw trouble }
            return all
        }

        func readers(fitting identity: ReaderIdentity) throws(TransportFault) -> [SeenReader] {
            if let trouble { throw trouble }
            return all.filter { reader in
                switch identity {
                case .serial(let serial): reader.serial == serial
                case .usb(let path): reader.usbPath == path
                case .pattern(let part): reader.name.contains(part)
                case .atr: false
                }
            }
        }

        func connect(to reader: String, field: FieldClaim?) throws(TransportFault) -> any Connection {
            guard let card = cards[reader], card.isPresent() else {
                throw TransportFault(.noCard, "no card in '\(reader)'", hint: "place it")
            }
            return card
        }

        func openKit(_ setup: KitSetup) throws(TransportFault) -> ProbedKit {
            guard let board else { throw TransportFault(.probe, "no debug probe is on the USB") }
            return board.kit(setup.board)
        }
    }

    private let acr = SeenReader(name: "ACR 00 00", serial: "S1", usbPath: "1-1.2")
    private let omnikey = SeenReader(name: "Omnikey 01 00", serial: "S2", usbPath: "1-1.3")

    private func check(_ text: String, _ port: FakePort, isNamed: Bool = true) throws -> BenchReport {
        let folder = try TemporaryFolder()
        let (found, mistakes) = bench("bench: 1\n\(text)", isNamed: isNamed)
        try #require(mistakes.map(\.description) == [])
        return BenchCheck(
            try #require(found),
            port: port,
            holder: .current(command: "test"),
            folder: LockFolder(path: "\(folder.path)/locks")
        ).run()
    }

    private func told(_ report: BenchReport) -> [String] {
        report.findings.map { "\($0.entry) \($0.verdict.rawValue): \($0.text)" }
    }

    @Test("a bench that is as its file says is proved entry by entry")
    func holds() throws {
        let card = TableConnection(
            capabilities: [.fieldControl],
            answers: [
                "00B0000002": [0x00, 0x0F, 0x90, 0x00], "FFCA000000": [0x04, 0xA1, 0xB2, 0xC3, 0x90, 0x00],
            ]
        )
        let port = FakePort([acr, omnikey], cards: ["ACR 00 00": card])
        port.board = try EmulatedBoardLink()
        let report = try check(
            """
            roles:
              nbt:
                reader: {serial: S1}
                protocol: T=1
                field: control
                time-extension: yes
                firmware: {version: "8.4", command: 00B0000002, expect: 000F}
                timing: {overhead: 850us}
            probes: {kit: {kind: cmsis-dap, serial: 1A2B}}
            programs: {kit.led: {exec: [/bin/echo, dark]}, kit.button: {exec: [/bin/true]}}
            allow: [04A1B2C3]
            """,
            port
        )
        #expect(
            told(report) == [
                "roles.nbt.reader proved: ACR 00 00, serial S1, USB 1-1.2",
                "roles.nbt.card proved: ATR 3B80800101, T=1",
                "roles.nbt.protocol proved: T=1",
                "roles.nbt.field proved: went off and on",
                "roles.nbt.firmware proved: firmware 8.4 verified: answered 000F",
                "roles.nbt.sample proved: 04A1B2C3; destructive cases may run",
                "roles.nbt.time-extension unproved: yes, as the file says; only a slow card could tell",
                "roles.nbt.timing unproved: 850us an exchange, as the file says; runs take it off before they judge",
                "probes.kit proved: usb:1A2B, CY8CPROTO-062S2-43439: the LED at P13.7 is dark; no UART",
                "programs.kit.led proved: reads dark",
                "programs.kit.button proved: ran",
            ]
        )
        #expect(report.holds)
        #expect(card.fieldStates == [.off, .on])
        #expect(card.isClosed)
        #expect(report.lines.last == "bench bench: 9 proved, 0 failed, 2 not proved")
        #expect(report.lines.first == "ok    roles.nbt.reader          ACR 00 00, serial S1, USB 1-1.2")
        #expect(report.json["verdict"]?.string == "ok")
        #expect(report.json["findings"]?.array?.first?["line"]?.integer == 4)
    }

    @Test("a probe is proved by the board behind it, one of another kind is not looked for")
    func probes() throws {
        let text = """
            roles: {nbt: {reader: {serial: S1}}}
            probes:
              kit: {kind: cmsis-dap}
              sensor: {kind: photodiode, serial: 7}
            """
        let missing = try check(text, FakePort([acr]))
        #expect(told(missing).contains("probes.kit failed: no debug probe is on the USB"))
        #expect(told(missing).contains("probes.sensor unproved: photodiode 7: not looked for"))
        let port = FakePort([acr])
        port.board = try EmulatedBoardLink(["led-pin": "given-away"])
        let finding = try #require(try check(text, port).findings.first { $0.entry == "probes.kit" })
        #expect(finding.verdict == .failed)
        #expect(finding.text.contains("belongs to another block of the chip"))
    }

    @Test("a reader that is missing, ambiguous or given to two roles is a failure that names the readers")
    func readers() throws {
        let card = TableConnection()
        let report = try check(
            """
            roles:
              a: {reader: {serial: S9}}
              b: {reader: {pattern: "0"}}
              c: {reader: {serial: S2}}
              d: {reader: {usb: 1-1.3}, programs: {kit.led: {exec: [/bin/echo, on]}, field: {exec: [/bin/true]}}}
            """,
            FakePort([acr, omnikey], cards: ["Omnikey 01 00": card])
        )
        let failed = report.findings.filter { $0.verdict == .failed }.map { "\($0.entry): \($0.text)" }
        #expect(
            failed == [
                "roles.a.reader: no reader fits 'serial: S9'; there are 'ACR 00 00', 'Omnikey 01 00'",
                "roles.b.reader: 2 readers fit 'pattern: 0'; name one by serial or usb: "
                    + "'ACR 00 00', 'Omnikey 01 00'",
                "roles.d.reader: 'Omnikey 01 00' is the reader of role c already",
                "roles.d.programs.kit.led: kit.led: echo printed 'on'; "
                    + "it has to print lit or dark and nothing else",
            ]
        )
        #expect(
            told(report).last == "roles.d.programs.field unproved: not started: no card is there to watch"
        )
        #expect(!report.holds)
        #expect(report.json["verdict"]?.string == "failed")
        #expect(report.lines.contains { $0.hasPrefix("FAIL") && $0.hasSuffix("(bench.yaml:3:7)") })
    }

    @Test("a serial that no reader tells may be that of one in use")
    func inUse() throws {
        let busy = SeenReader(name: "ACR 00 00", isInUse: true)
        let report = try check("roles: {a: {reader: {serial: S1}}}", FakePort([busy]))
        #expect(
            report.findings.first?.text
                == "no reader fits 'serial: S1'; there are 'ACR 00 00'; "
                + "readers in use do not tell their serial number: 'ACR 00 00'"
        )
        let none = try check("roles: {a: {reader: {serial: S1}}}", FakePort([]))
        #expect(none.findings.first?.text == "no reader fits 'serial: S1': none is plugged in")
    }

    @Test("without a card or a service the role has failed, and the rest is still looked at")
    func noCard() throws {
        let port = FakePort([acr, omnikey])
        let text = "roles: {a: {reader: {serial: S1}}}\nprograms: {kit.reset: {exec: [/bin/true]}}"
        #expect(
            told(try check(text, port)) == [
                "roles.a.reader proved: ACR 00 00, serial S1, USB 1-1.2",
                "roles.a.card failed: no card in 'ACR 00 00'; place it",
                "programs.kit.reset proved: ran",
            ]
        )
        port.trouble = TransportFault(.service, "pcscd is not running", hint: "start it")
        #expect(
            told(try check(text, port)) == [
                "roles.a.reader failed: pcscd is not running; start it", "programs.kit.reset proved: ran",
            ]
        )
    }

    @Test("a field that does not do what the file says is a failure")
    func field() throws {
        func finding(_ claim: String, _ change: (TableConnection) -> Void) throws -> BenchFinding? {
            let card = TableConnection()
            change(card)
            let port = FakePort([acr], cards: ["ACR 00 00": card])
            let text = "roles: {a: {reader: {serial: S1}, \(claim)}}"
            return try check(text, port).findings.first { $0.entry == "roles.a.field" }
        }
        let claimed = try finding("field: control") { _ in }
        #expect(claimed?.verdict == .failed)
        #expect(claimed?.text == "the reader does not switch its field, though the file says control")
        #expect(try finding("field: unpower") { _ in }?.verdict == .failed)
        #expect(try finding("field: unpower") { $0.facts.capabilities = [.fieldUnpower] }?.verdict == .proved)
        #expect(try finding("field: none") { _ in }?.verdict == .unproved)
        #expect(try finding("protocol: any") { _ in }?.verdict == .unproved)
        let changed = try finding("field: control") {
            $0.facts.capabilities = [.fieldControl]
            $0.atrAfterField = [0x3B, 0x00]
        }
        #expect(changed?.text == "on: the card came back with ATR 3B00, before it was 3B80800101")
        let refused = try finding("field: control") {
            $0.facts.capabilities = [.fieldControl]
            $0.fieldFault = TransportFault(.control, "refused")
        }
        #expect(refused?.text == "off: refused")
    }

    @Test("a field that somebody left off is switched on before a card is missed")
    func fieldLeftOff() throws {
        let folder = try TemporaryFolder()
        let state = "\(folder.path)/on"
        let script = try folder.script(
            "field.sh",
            "if [ $1 = on ]; then touch \(state); else rm -f \(state); fi"
        )
        let text = "roles: {a: {reader: {serial: S1}, programs: {field: {exec: [/bin/sh, \(script)]}}}}"
        let card = TableConnection()
        card.isPresent = { FileManager.default.fileExists(atPath: state) }
        let report = try check(text, FakePort([acr], cards: ["ACR 00 00": card]))
        #expect(report.findings.first { $0.entry == "roles.a.card" }?.verdict == .proved, "\(told(report))")
        #expect(report.findings.first { $0.entry == "roles.a.field" }?.verdict == .proved, "\(told(report))")
    }

    @Test("a field program is proved by the card, which has to be gone when it is off")
    func fieldProgram() throws {
        let folder = try TemporaryFolder()
        let state = "\(folder.path)/off"
        let script = try folder.script(
            "field.sh",
            "if [ $1 = off ]; then touch \(state); else rm \(state); fi"
        )
        let text = "roles: {a: {reader: {serial: S1}, programs: {field: {exec: [/bin/sh, \(script)]}}}}"
        let card = TableConnection()
        card.isPresent = { !FileManager.default.fileExists(atPath: state) }
        let port = FakePort([acr], cards: ["ACR 00 00": card])
        let works = try check(text, port).findings.first { $0.entry == "roles.a.field" }
        #expect(works?.verdict == .proved)
        card.isPresent = { true }
        let stuck = try check(text, port).findings.first { $0.entry == "roles.a.field" }
        #expect(stuck?.verdict == .failed)
        #expect(stuck?.text == "off: the card still answers")
    }

    @Test("wrong firmware, wrong protocol and failing programs are failures")
    func device() throws {
        let card = TableConnection(answers: ["00B0000002": [0x00, 0x10, 0x90, 0x00]])
        let report = try check(
            """
            roles:
              a:
                reader: {serial: S1}
                protocol: T=0
                firmware: {command: 00B0000002, expect: 000F}
                sample: {command: 80CA000000}
            programs: {kit.led: {exec: [/bin/echo, on]}, kit.button: {exec: [/bin/false]}}
            """,
            FakePort([acr], cards: ["ACR 00 00": card])
        )
        let failed = report.findings.filter { $0.verdict == .failed }.map { "\($0.entry): \($0.text)" }
        #expect(
            failed == [
                "roles.a.protocol: role a: reader and card speak T=1, the bench says T=0",
                "roles.a.firmware: firmware expected as 000F, the device answered 0010",
                "roles.a.sample: the card tells neither UID nor serial",
                "programs.kit.led: kit.led: echo printed 'on'; it has to print lit or dark and nothing else",
                "programs.kit.button: kit.button: false ended with status 1 and printed nothing",
            ]
        )
    }

    @Test("a reader that somebody holds is a failure that names the holder")
    func held() throws {
        let folder = try TemporaryFolder()
        let locks = LockFolder(path: "\(folder.path)/locks")
        let holder = LockHolder.current(command: "taprig run")
        let lock = try ReaderLock.acquire("ACR 00 00", reader: "x", holder: holder, in: locks)
        defer { lock.release() }
        let (found, _) = bench("bench: 1\nroles: {a: {reader: {pattern: ACR}}}")
        let port = FakePort([acr], cards: ["ACR 00 00": TableConnection()])
        let report = BenchCheck(try #require(found), port: port, holder: holder, folder: locks).run()
        #expect(report.findings.last?.verdict == .failed)
        #expect(
            report.findings.last?.text.hasPrefix("the reader 'ACR 00 00' is in use by pid \(getpid())")
                == true
        )
    }

    @Test("programs of a bench that the command line did not name are not started")
    func notNamed() throws {
        let report = try check(
            "roles: {a: {reader: {serial: S1}}}\nprograms: {kit.reset: {exec: [/bin/false]}}",
            FakePort([acr], cards: ["ACR 00 00": TableConnection()]),
            isNamed: false
        )
        #expect(report.holds)
        #expect(report.findings.last?.verdict == .unproved)
    }
}
