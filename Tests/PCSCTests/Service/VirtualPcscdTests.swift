// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import PCSC
import Routes
import Synchronization
import Testing
import VirtualReader

extension ServicePcscdTests {
    @Suite("The virtual route")
    struct VirtualPcscdTests {
        private let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x00]
        private let isSelected: [UInt8] = [0x80, 0x60, 0x00, 0x00]

        @Test("connects, tells its facts and sees the power-on of its own card")
        func connects() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            #expect(connection.facts.readerName == Bench.reader)
            #expect(connection.facts.capabilities == [.fieldControl, .fieldCut, .extendedLength])
            #expect(connection.facts.largestCommand == 65_535)
            #expect(bench.client.powerOnCount >= 1)
            #expect(bench.client.lastPowerOn != nil)
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("field off takes the card out, field on brings it back without its volatile state")
        func field() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            for _ in 0..<2 {
                #expect(try connection.transmit(select) == [0x90, 0x00])
                try connection.setField(.off)
                #expect(try ReaderList.current().first?.state == .empty)
                #expect(!bench.card.snapshot.isPowered)
                let off = fault { () throws(TransportFault) in _ = try connection.transmit(select) }
                #expect(off?.kind == .noCard)
                try connection.setField(.off)
                try connection.setField(.on)
                #expect(try connection.transmit(isSelected) == [0x69, 0x85])
            }
        }

        @Test("a field that is cut in the middle of an exchange is a removal, and a reconnect mends it")
        func cut() throws {
            let bench = Bench()
            let client = bench.client
            let connection = try VirtualConnection(client: client)
            let cutter = Pending { () -> Bool in
                client.wait(timeout: .seconds(3)) { $0.exchangeCount == 1 }
                client.remove()
                return true
            }
            let removed = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x20, 0x13, 0x88])
            }
            #expect(cutter.wait(.seconds(1)) == true)
            #expect(removed?.kind == .cardRemoved)
            try connection.reconnect()
            #expect(try connection.transmit(isSelected) == [0x69, 0x85])
        }

        @Test("a card that leaves by itself is a removal")
        func leaves() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            let removed = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x30, 0, 0])
            }
            #expect(removed?.kind == .cardRemoved)
            try connection.reconnect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("a silent card is a timeout at the deadline, and the reader is free again")
        func silent() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            connection.exchangeDeadline = .milliseconds(500)
            for command: [UInt8] in [[0x80, 0x35, 0, 0, 0], [0x80, 0x20, 0x13, 0x88]] {
                var ended: TransportFault?
                let time = ContinuousClock().measure {
                    ended = fault { () throws(TransportFault) in _ = try connection.transmit(command) }
                }
                #expect(ended?.kind == .timeout)
                #expect(ended?.detail == "no answer in 500 ms")
                #expect(time > .milliseconds(450) && time < .milliseconds(1000))
                try connection.reconnect()
                #expect(try connection.transmit(select) == [0x90, 0x00])
            }
        }

        @Test("commands that would be taken for signals, or eject the card, never reach the driver")
        func refusals() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            for count in [0, 1] {
                let short = fault { () throws(TransportFault) in
                    _ = try connection.transmit([UInt8](repeating: 2, count: count))
                }
                #expect(short?.kind == .protocol)
            }
            let long = fault { () throws(TransportFault) in
                _ = try connection.transmit([UInt8](repeating: 0, count: 65_536))
            }
            #expect(long?.kind == .limit)
            #expect(long?.detail == "needs 65536 bytes, reader accepts 65535")
            #expect(bench.card.snapshot.commands.isEmpty)
            #expect(try connection.transmit([0x80, 0x50]) == [0x67, 0x00])
        }

        @Test("another program's card on the port is refused as busy")
        func foreign() throws {
            let foreign = try #require(RawCard())
            #expect(eventually(.seconds(2)) { (try? ReaderList.current())?.first?.state == .present } != nil)
            let client = VirtualCardClient(card: BenchCard())
            defer {
                client.stop()
                TestService.waitUntilEmpty()
            }
            var options = VirtualConnection.Options()
            options.startTimeout = .seconds(2)
            let refused = fault { () throws(TransportFault) in
                _ = try VirtualConnection(client: client, options: options)
            }
            #expect(refused?.kind == .busy)
            #expect(refused?.detail.contains("another program's card answered on the virtual reader") == true)
            foreign.leave()
            // With the other one gone the rig's card has the reader.
            #expect(client.wait(timeout: .seconds(3)) { $0.isServed })
            let connection = try VirtualConnection(client: client)
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("two slots serve two cards at the same time")
        func twoSlots() throws {
            let one = Bench()
            let two = Bench(port: VirtualCardClient.firstPort + 1)
            let first = try VirtualConnection(client: one.client)
            let second = try VirtualConnection(client: two.client)
            #expect(second.facts.readerName == "Virtual PCD 00 01")
            #expect(try first.transmit([0x80, 0x10, 0x00, 0x01]) == [0xA5, 0x90, 0x00])
            #expect(try second.transmit([0x80, 0x10, 0x00, 0x02]) == [0xA5, 0xA5, 0x90, 0x00])
            try first.setField(.off)
            #expect(try second.transmit(select) == [0x90, 0x00])
            #expect(one.card.snapshot.commands.count == 1)
            #expect(two.card.snapshot.commands.count == 2)
        }

        @Test("another card takes the place of the first one at the next power-on")
        func replace() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            #expect(try connection.transmit(select) == [0x90, 0x00])
            let other = BenchCard(atr: [0x3B, 0x02, 0x04, 0x05])
            bench.client.replace(card: other)
            #expect(!bench.card.snapshot.isPowered)
            #expect(other.snapshot.isPowered)
            try connection.reset(.cold)
            #expect(connection.facts.atr == [0x3B, 0x02, 0x04, 0x05])
            #expect(connection.facts.protocolName == "T=0")
            #expect(try connection.transmit(isSelected) == [0x69, 0x85])
            #expect(bench.card.snapshot.commands.count == 1)
        }

        @Test("an independent program reads the card")
        func openscTool() throws {
            let bench = Bench()
            let client = bench.client
            #expect(eventually(.seconds(3)) { client.state.isPowered } != nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/opensc-tool")
            process.arguments = ["--reader", "0", "--send-apdu", "80:10:00:03:00"]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(text.contains("SW1=0x90, SW2=0x00"))
            #expect(text.contains("A5 A5 A5"))
            #expect(bench.card.snapshot.commands.last == [0x80, 0x10, 0x00, 0x03, 0x00])
        }

        @Test("the exchange hook sees commands, answers and the card's time")
        func hook() throws {
            let log = Log()
            let client = VirtualCardClient(card: BenchCard()) { command, answer, time in
                log.add(command, answer, time)
            }
            defer {
                client.stop()
                TestService.waitUntilEmpty()
            }
            let connection = try VirtualConnection(client: client)
            #expect(try connection.transmit([0x80, 0x20, 0x00, 0x32]) == [0x90, 0x00])
            let entries = log.all
            #expect(entries.count == 1)
            #expect(entries.first?.command == [0x80, 0x20, 0x00, 0x32])
            #expect(entries.first?.answer == [0x90, 0x00])
            let time = try #require(entries.first?.time)
            #expect(time >= .milliseconds(50) && time < .milliseconds(150))
        }
    }
}

/// What an exchange hook was told.
private final class Log: Sendable {
    struct Entry: Sendable {
        let command: [UInt8]
        let answer: [UInt8]
        let time: Duration
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func add(_ command: [UInt8], _ answer: [UInt8], _ time: Duration) {
        entries.withLock { $0.append(Entry(command: command, answer: answer, time: time)) }
    }
}
