// SPDX-License-Identifier: MIT

import Foundation
import SmartCard
import Synchronization
import Testing

@testable import DevKitEmulator

@Suite("Emulated probe: TCP server")
struct ProbeServerTests {
    @Test(arguments: ["whole", "pieces"])
    func `both framings are served on one port, one client after the other`(delivery: String) throws {
        let served = try ServedProbe(["tcp-delivery": delivery])
        defer { served.end() }
        let address = try #require(served.server.addresses.first)
        #expect(address.hasPrefix("127.0.0.1:") && !address.hasSuffix(":0"))
        let first = try PlainClient(address)
        #expect(try first.ask("444150000200010000F0", count: 11) == "4441500003000200000111")
        first.close()
        let second = try PlainClient(address)
        #expect(try second.ask("8A656C700000000000010000", count: 12) == "8A656C700000000000010000")
        #expect(try second.ask("88020000", count: 4) == "88000000")
        #expect(try second.ask("8801000200F0", count: 7) == "88000003000111")
        second.close()
    }

    @Test func `a second client is sent away while the first one stays`() throws {
        let served = try ServedProbe()
        defer { served.end() }
        let address = try #require(served.server.addresses.first)
        let first = try PlainClient(address)
        #expect(try first.ask("444150000200010000F0", count: 11) == "4441500003000200000111")
        let second = try PlainClient(address)
        #expect(try second.ask("444150000200010000F0", count: 11) == "")
        #expect(try first.ask("444150000200010000FE", count: 11) == "4441500003000200000140")
        first.close()
        second.close()
    }

    @Test func `a probe that is unplugged cuts its client off and takes no other`() throws {
        let served = try ServedProbe(["probe-gone-after": "1"])
        defer { served.end() }
        let address = try #require(served.server.addresses.first)
        let client = try PlainClient(address)
        #expect(try client.ask("444150000200010000F0", count: 11) == "4441500003000200000111")
        #expect(try client.ask("444150000200010000F0", count: 11) == "")
        client.close()
        // The port closes within a tick of the server.
        var isRefused = false
        for _ in 0..<100 where !isRefused {
            do {
                try PlainClient(address).close()
                usleep(10_000)
            } catch {
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test func `an address that is taken or unknown is told in a sentence`() throws {
        let probe = try ProbeBench().probe
        let first = try ProbeServer(probe: probe, endpoints: [("127.0.0.1", 0)])
        let port = try #require(first.addresses.first?.split(separator: ":").last.flatMap { UInt16($0) })
        #expect(
            throws: ProbeServerError(
                "127.0.0.1:\(port) is taken by another program; end it or choose another port"
            )
        ) {
            try ProbeServer(probe: probe, endpoints: [("127.0.0.1", 0), ("127.0.0.1", port)])
        }
        #expect(throws: ProbeServerError.self) {
            try ProbeServer(probe: probe, endpoints: [("no.such.host.invalid.", 1)])
        }
        first.stop()
        first.run()
    }
}

/// A probe whose server runs on a thread of its own.
final class ServedProbe: Sendable {
    let server: ProbeServer
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ options: [String: String] = [:]) throws {
        let server = try ProbeServer(
            probe: try ProbeBench(probe: options).probe,
            endpoints: [("127.0.0.1", 0)]
        )
        self.server = server
        let hasEnded = hasEnded
        Thread.detachNewThread {
            server.run()
            hasEnded.signal()
        }
    }

    func end() {
        server.stop()
        hasEnded.wait()
    }
}

/// A TCP client that knows nothing of probes.
struct PlainClient {
    private let descriptor: Int32

    struct Refused: Error {}

    init(_ address: String) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            throw Refused()
        }
    }

    /// Sends bytes and reads until there are so many, or the link ends.
    func ask(_ request: String, count: Int) throws -> String {
        let bytes = try HexText.bytes(request)
        #expect(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while answer.count < count {
            let got = recv(descriptor, &buffer, min(buffer.count, count - answer.count), 0)
            guard got > 0 else { break }
            answer += buffer[0..<got]
        }
        return answer.hex
    }

    func close() { Glibc.close(descriptor) }
}
