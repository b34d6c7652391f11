// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import HostSystem
import JSONText
import PCSC
import Routes
import Testing
import VirtualReader

extension ServicePcscdTests {
    @Suite("The service stops and starts")
    struct RestartPcscdTests {
        private let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x00]

        @Test("a service that ends while idle is a service fault, and a reconnect after its return works")
        func idle() throws {
            let bench = Bench()
            let connection = try bench.connect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
            try TestService.stop()
            let gone = fault { () throws(TransportFault) in _ = try connection.transmit(select) }
            #expect(gone?.kind == .service)
            let none = fault { () throws(TransportFault) in _ = try ReaderList.current() }
            #expect(none?.kind == .service)
            #expect(none?.detail.contains("pcscd is not running") == true)
            let still = fault { () throws(TransportFault) in try connection.reconnect() }
            #expect(still?.kind == .service)
            try TestService.start()
            try TestService.waitUntilUp()
            try connection.reconnect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        @Test("a service that ends during an exchange is a service fault", arguments: [SIGTERM, SIGKILL])
        func during(signal: Int32) throws {
            let bench = Bench()
            let connected = Pending { () -> Bool in true }
            _ = connected.wait(.seconds(1))
            let pending = Pending { () -> TransportFault? in
                fault { () throws(TransportFault) in
                    var options = PCSCConnection.Options()
                    options.cardTimeout = .seconds(3)
                    let connection = try PCSCConnection(readerName: Bench.reader, options: options)
                    _ = try connection.transmit([0x80, 0x20, 0x13, 0x88])
                }
            }
            #expect(eventually(.seconds(3)) { bench.client.state.exchangeCount == 1 } != nil)
            try TestService.stop(signal)
            let ended = try #require(pending.wait(.seconds(6)))
            #expect(ended?.kind == .service)
            try TestService.start()
            try TestService.waitUntilUp()
        }

        /// How the service goes away and comes back.
        struct Absence: CustomTestStringConvertible, Sendable {
            let signal: Int32
            let pause: Duration
            var testDescription: String { "signal \(signal), \(pause)" }
        }

        @Test(
            "the virtual card is back soon after the service, and costs nothing while it waits",
            arguments: [
                Absence(signal: SIGTERM, pause: .seconds(3)), Absence(signal: SIGTERM, pause: .zero),
                Absence(signal: SIGKILL, pause: .milliseconds(800)),
            ]
        )
        func leftBehind(absence: Absence) throws {
            let bench = Bench()
            let first = try VirtualConnection(client: bench.client)
            #expect(try first.transmit(select) == [0x90, 0x00])
            first.close()
            try TestService.stop(absence.signal)
            #expect(eventually(.seconds(1)) { !bench.client.isConnected } != nil)
            let before = processorTime
            MonotonicTime.sleep(absence.pause)
            if absence.pause > .seconds(1) { #expect(processorTime - before < absence.pause / 20) }
            try TestService.start()
            #expect(eventually(.seconds(5)) { TestService.isListening } != nil)
            let back = eventually(.seconds(5)) { bench.client.isConnected }
            #expect(try #require(back) < .milliseconds(2200))
            let second = try VirtualConnection(client: bench.client)
            for _ in 0..<50 { #expect(try second.transmit(select) == [0x90, 0x00]) }
        }

        @Test("a virtual connection recovers over a restart of the service")
        func virtualRecovers() throws {
            let bench = Bench()
            let connection = try VirtualConnection(client: bench.client)
            try TestService.stop()
            let gone = fault { () throws(TransportFault) in _ = try connection.transmit(select) }
            #expect(gone?.kind == .service)
            try TestService.start()
            try TestService.waitUntilUp()
            try connection.reconnect()
            #expect(try connection.transmit(select) == [0x90, 0x00])
        }

        /// Processor time of this process so far.
        private var processorTime: Duration {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
}
