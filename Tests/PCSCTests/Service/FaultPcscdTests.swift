// SPDX-License-Identifier: MIT

import CardConnection
import PCSC
import Testing
import VirtualReader

extension ServicePcscdTests {
    @Suite("Faults over PC/SC")
    struct FaultPcscdTests {
        private let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x00]
        private let isSelected: [UInt8] = [0x80, 0x60, 0x00, 0x00]

        @Test("a card that leaves before it answers is a response too short, not a success")
        func leaves() throws {
            let bench = Bench()
            let connection = try bench.connect()
            let first = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x30, 0, 0, 0])
            }
            #expect(first?.kind == .transport)
            #expect(first?.detail == "response too short (0 bytes)")
            eventually(.seconds(2)) { bench.client.state.isInserted == false }
            let gone = eventually(.seconds(2)) {
                fault { () throws(TransportFault) in _ = try connection.transmit(select) }?.kind
                    == .cardRemoved
            }
            #expect(gone != nil)
            #expect(bench.client.state.lastLoss == .cardLeft)
            bench.client.insert()
            try connection.reconnect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("an empty answer is a response too short and does not hang the reader")
        func emptyAnswer() throws {
            let bench = Bench()
            let connection = try bench.connect()
            let first = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x33, 0, 0, 0])
            }
            #expect(first?.detail == "response too short (0 bytes)")
            #expect(eventually(.seconds(1)) { bench.client.state.lastLoss == .emptyAnswer } != nil)
        }

        @Test("one byte is a response too short, and the next exchange is normal")
        func oneByte() throws {
            let bench = Bench()
            let connection = try bench.connect()
            let first = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x34, 0, 0, 0])
            }
            #expect(first?.kind == .transport)
            #expect(first?.detail == "response too short (1 bytes)")
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test(
            "half an answer with no status word to trust comes back as PC/SC gives it, and the link is then down"
        )
        func halfAnswer() throws {
            let raw = try #require(RawCard())
            defer {
                raw.leave()
                TestService.waitUntilEmpty()
            }
            var options = PCSCConnection.Options()
            options.cardTimeout = .seconds(3)
            let connection = try PCSCConnection(readerName: Bench.reader, options: options)
            // The service calls 4 of 10 bytes a success: only the exchange that follows shows that the card is gone.
            #expect(try connection.transmit([0x80, 0x31, 0, 0, 0]) == Array("abcd".utf8))
            let next = fault { () throws(TransportFault) in
                _ = try connection.transmit([0x80, 0x50, 0, 0, 0])
            }
            #expect(next?.kind == .transport || next?.kind == .cardRemoved)
        }

        @Test("a silent card blocks only the thread that asked, until the card is taken out")
        func silence() throws {
            let bench = Bench()
            let client = bench.client
            let pending = Pending { () -> TransportFault? in
                fault { () throws(TransportFault) in
                    var options = PCSCConnection.Options()
                    options.cardTimeout = .seconds(3)
                    _ = try PCSCConnection(readerName: Bench.reader, options: options).transmit([
                        0x80, 0x35, 0, 0, 0,
                    ])
                }
            }
            #expect(pending.wait(.seconds(1)) == nil)
            client.remove()
            let ended = try #require(pending.wait(.seconds(2)))
            #expect(ended?.detail == "response too short (0 bytes)")
        }

        @Test("half an answer and then silence blocks until the card leaves")
        func halfAnswerThenSilence() throws {
            let raw = try #require(RawCard())
            let pending = Pending { () -> [UInt8]? in
                var options = PCSCConnection.Options()
                options.cardTimeout = .seconds(3)
                let connection = try? PCSCConnection(readerName: Bench.reader, options: options)
                return try? connection?.transmit([0x80, 0x32, 0, 0, 0])
            }
            #expect(pending.wait(.seconds(1)) == nil)
            raw.leave()
            #expect(pending.wait(.seconds(2)) != nil)
            TestService.waitUntilEmpty()
        }

        @Test("an answer after the deadline counts as none")
        func late() throws {
            let bench = Bench()
            let connection = try bench.connect { $0.exchangeDeadline = .milliseconds(100) }
            let late = fault { () throws(TransportFault) in _ = try connection.transmit([0x80, 0x20, 0, 200])
            }
            #expect(late?.kind == .timeout)
            #expect(late?.detail == "no answer in 100 ms")
            connection.exchangeDeadline = .seconds(1)
            #expect(try connection.transmit([0x80, 0x20, 0, 200]) == [0x90, 0x00])
        }

        @Test("a reset by another handle is told apart from a removal, and a reconnect clears it")
        func resetByAnother() throws {
            let bench = Bench()
            let mine = try bench.connect()
            let other = try bench.connect()
            #expect(try mine.transmit(select) == [0x90, 0x00])
            #expect(try mine.transmit(isSelected) == [0x90, 0x00])
            try other.reset(.warm)
            let first = fault { () throws(TransportFault) in _ = try mine.transmit(isSelected) }
            #expect(first?.kind == .cardReset)
            #expect(first?.code == 0x8010_0068)
            try mine.reconnect()
            #expect(try mine.transmit(isSelected) == [0x69, 0x85])
        }

        @Test("a reader held exclusively is busy, for shared and exclusive use")
        func exclusive() throws {
            let bench = Bench()
            let holder = try bench.connect { $0.isExclusive = true }
            #expect(try ReaderList.current().first?.state == .inUse)
            let shared = fault { () throws(TransportFault) in _ = try bench.connect() }
            #expect(shared?.kind == .busy)
            holder.close()
            let first = try bench.connect()
            let second = fault { () throws(TransportFault) in _ = try bench.connect { $0.isExclusive = true }
            }
            #expect(second?.kind == .busy)
            first.close()
        }

        @Test("no card is a fault at once, or at the end of the wait with the reader's name in it")
        func noCard() throws {
            TestService.waitUntilEmpty()
            let atOnce = fault { () throws(TransportFault) in _ = try PCSCConnection(readerName: Bench.reader)
            }
            #expect(atOnce?.kind == .noCard)
            #expect(atOnce?.detail.contains("no card in the reader") == true)
            var options = PCSCConnection.Options()
            options.cardTimeout = .seconds(1)
            var ended: TransportFault?
            let time = ContinuousClock().measure {
                ended = fault { () throws(TransportFault) in
                    _ = try PCSCConnection(readerName: Bench.reader, options: options)
                }
            }
            #expect(ended?.kind == .noCard)
            #expect(ended?.detail == "no card in the reader 'Virtual PCD 00 00' after 1 s")
            #expect(time > .milliseconds(900) && time < .milliseconds(1500))
        }

        @Test("a card that is placed during the wait is connected to soon after")
        func cardComes() throws {
            TestService.waitUntilEmpty()
            let client = VirtualCardClient(card: BenchCard())
            defer {
                client.stop()
                TestService.waitUntilEmpty()
            }
            let pending = Pending { () -> Bool in
                var options = PCSCConnection.Options()
                options.cardTimeout = .seconds(5)
                return (try? PCSCConnection(readerName: Bench.reader, options: options)) != nil
            }
            #expect(pending.wait(.milliseconds(700)) == nil)
            client.start()
            #expect(pending.wait(.seconds(1)) == true)
        }

        @Test("an unknown reader is told with the readers that there are")
        func unknownReader() throws {
            let missing = fault { () throws(TransportFault) in _ = try PCSCConnection(readerName: "Omnikey") }
            #expect(missing?.kind == .noReader)
            #expect(missing?.hint == "known readers: 'Virtual PCD 00 00', 'Virtual PCD 00 01'")
            let both = fault { () throws(TransportFault) in
                _ = try PCSCConnection(readerName: "virtual", options: PCSCConnection.Options())
            }
            #expect(both?.detail == "2 readers fit 'virtual'" || both?.kind == .noReader)
        }

        @Test("a card out and in sticks to the connection until it connects anew")
        func outAndIn() throws {
            let bench = Bench()
            let connection = try bench.connect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
            bench.client.remove()
            let seen = eventually(.seconds(2)) {
                fault { () throws(TransportFault) in _ = try connection.transmit(select) }?.kind
                    == .cardRemoved
            }
            #expect(seen != nil)
            bench.client.insert()
            #expect(eventually(.seconds(2)) { bench.client.state.isPowered } != nil)
            let still = fault { () throws(TransportFault) in _ = try connection.transmit(select) }
            #expect(still?.kind == .cardRemoved)
            try connection.reconnect()
            #expect(try connection.transmit(isSelected) == [0x69, 0x85])
        }

        @Test("a reconnect to an empty reader ends with no card")
        func reconnectToNothing() throws {
            let bench = Bench()
            let connection = try bench.connect { $0.recoveryTimeout = .milliseconds(300) }
            bench.client.remove()
            eventually(.seconds(2)) {
                fault { () throws(TransportFault) in _ = try connection.transmit(select) }?.kind
                    == .cardRemoved
            }
            let empty = fault { () throws(TransportFault) in try connection.reconnect() }
            #expect(empty?.kind == .noCard)
        }

        @Test("the longest command and answer pass, and longer ones are refused by name")
        func lengths() throws {
            let bench = Bench()
            let connection = try bench.connect()
            let longest = [0x80, 0x50, 0, 0] + [UInt8](repeating: 0, count: 65_531)
            #expect(try connection.transmit(longest) == [0x00, 0x00, 0xFF, 0xFF, 0x90, 0x00])
            #expect(try connection.transmit([0x80, 0x10, 0xFF, 0xFD]).count == 65_535)
            let tooLong = longest + [UInt8](repeating: 0, count: 20)
            let refused = fault { () throws(TransportFault) in _ = try connection.transmit(tooLong) }
            #expect(refused?.kind == .limit)
            let empty = fault { () throws(TransportFault) in _ = try connection.transmit([]) }
            #expect(empty?.kind == .protocol)
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("warm and cold resets lose the card's volatile state and keep other programs away")
        func resets() throws {
            let bench = Bench()
            let connection = try bench.connect { $0.holdsTransaction = true }
            for kind in ResetKind.allCases {
                #expect(try connection.transmit(select) == [0x90, 0x00])
                #expect(try connection.transmit(isSelected) == [0x90, 0x00])
                try connection.reset(kind)
                #expect(try connection.transmit(isSelected) == [0x69, 0x85], "\(kind)")
            }
            // The transaction still stands: another program's connect waits.
            let other = Pending { () -> Bool in
                var options = PCSCConnection.Options()
                options.holdsTransaction = false
                return (try? PCSCConnection(readerName: Bench.reader, options: options)) != nil
            }
            #expect(other.wait(.milliseconds(400)) == nil)
            connection.close()
            #expect(other.wait(.seconds(2)) == true)
        }

        @Test("the facts name reader, answer to reset, protocol and limits")
        func facts() throws {
            let bench = Bench()
            let both = try bench.connect()
            #expect(both.facts.readerName == Bench.reader)
            #expect(both.facts.atr == [0x3B, 0x80, 0x80, 0x01, 0x01])
            #expect(both.facts.protocolName == "T=1")
            #expect(both.facts.largestCommand == 65_535)
            #expect(both.facts.capabilities == [.extendedLength])
            both.close()
            let refused = fault { () throws(TransportFault) in try both.setField(.off) }
            #expect(refused?.detail == "the connection is closed")
        }

        @Test("a card that offers T=0 alone is connected with T=0")
        func onlyT0() throws {
            let bench = Bench(card: BenchCard(atr: [0x3B, 0x02, 0x04, 0x05]))
            let connection = try bench.connect()
            #expect(connection.facts.protocolName == "T=0")
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("a field that cannot be switched is refused with the switch to set")
        func fieldRefused() throws {
            let bench = Bench()
            let connection = try bench.connect()
            let refused = fault { () throws(TransportFault) in try connection.setField(.off) }
            #expect(refused?.kind == .control)
            #expect(refused?.hint.contains("ifdDriverOptions") == true)
            #expect(refused?.hint.contains("taprig doctor") == true)
            #expect(bench.card.snapshot.commands.isEmpty)
        }

        @Test("unpowering takes the connection down and a later field-on brings it back")
        func unpower() throws {
            let bench = Bench()
            let connection = try bench.connect { $0.fieldControl = .unpower }
            #expect(connection.facts.capabilities.contains(.fieldUnpower))
            #expect(try connection.transmit(select) == [0x90, 0x00])
            try connection.setField(.off)
            let off = fault { () throws(TransportFault) in _ = try connection.transmit(select) }
            #expect(off?.kind == .noCard)
            try connection.setField(.on)
            #expect(try connection.transmit(isSelected) == [0x69, 0x85])
        }
    }
}
