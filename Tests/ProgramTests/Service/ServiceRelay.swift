// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// Stands between a program and the PC/SC service, passes everything on, and counts the program's calls.
///
/// A call begins with its size and its number, four bytes each. What is sent to cards goes behind the call without such
/// a head, so of a connection that sends something nothing more is counted.
///
/// Source: winscard_msg.h of pcsc-lite.
final class ServiceRelay: Sendable {
    /// The socket for `PCSCLITE_CSOCK_NAME`.
    let path: String
    private let listener: Int32
    private let calls = Counter()

    private static let servicePath = "/run/pcscd/pcscd.comm"
    private static let callsWithData: Set<UInt32> = [0x09, 0x0A]

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    /// The number of calls so far.
    var callCount: Int { calls.value }

    init(_ path: String) throws {
        self.path = path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = Self.withAddress(path) { bind(listener, $0, $1) == 0 }
        guard listener >= 0, isBound, listen(listener, 8) == 0 else {
            throw ChildProcess.Failure(description: "no socket for the relay")
        }
        self.listener = listener
        Thread.detachNewThread { [calls] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let service = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                guard Self.withAddress(Self.servicePath, { connect(service, $0, $1) == 0 }) else {
                    close(client)
                    close(service)
                    continue
                }
                let pair = Pair(client: client, service: service)
                Thread.detachNewThread { pair.pump(client, service, calls) }
                Thread.detachNewThread { pair.pump(service, client, nil) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func withAddress<Result>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (index, byte) in path.utf8.prefix(room.count - 1).enumerated() { room[index] = byte }
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Two connections that belong together; they are closed when nobody reads or writes them any more, since a
    /// number that is given back at once would soon mean another connection.
    private final class Pair: Sendable {
        private let client: Int32
        private let service: Int32

        init(client: Int32, service: Int32) {
            self.client = client
            self.service = service
        }

        deinit {
            close(client)
            close(service)
        }

        /// Passes bytes on until one side is gone.
        func pump(_ source: Int32, _ target: Int32, _ calls: Counter?) {
            var buffer = [UInt8](repeating: 0, count: 8192)
            var heads = CallHeads()
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                if let calls { for _ in 0..<heads.calls(in: buffer[..<count]) { calls.add() } }
                var sent = 0
                while sent < count {
                    let more = buffer[sent..<count].withUnsafeBytes {
                        send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard more > 0 else { break }
                    sent += more
                }
                guard sent == count else { break }
            }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(service, Int32(SHUT_RDWR))
        }
    }

    /// Finds the heads of calls in a stream.
    private struct CallHeads {
        private var head: [UInt8] = []
        private var rest = 0
        private var isBlind = false

        mutating func calls(in bytes: ArraySlice<UInt8>) -> Int {
            var count = 0
            for byte in bytes where !isBlind {
                if rest > 0 {
                    rest -= 1
                    continue
                }
                head.append(byte)
                guard head.count == 8 else { continue }
                count += 1
                rest = Int(Self.number(head[0..<4]))
                isBlind = callsWithData.contains(Self.number(head[4..<8]))
                head = []
            }
            return count
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
