// SPDX-License-Identifier: MIT

import Glibc

/// The reader driver's side of the link: listens on a free port of the loopback device and speaks for the driver.
///
/// Each wait is bounded by a receive timeout of a minute, so that a broken client fails a test and does not hang it.
final class FakeDriver: Sendable {
    struct Failed: Error {}

    let port: UInt16
    private let listener: Int32

    /// Listens on a port; 0 takes a free one.
    init(port: UInt16 = 0) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw Failed()
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(listener)
    }

    /// The next card that dials.
    func accept() throws -> Link {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { throw Failed() }
        return Link(descriptor: descriptor)
    }

    /// One card's link.
    final class Link: Sendable {
        private let descriptor: Int32

        init(descriptor: Int32) {
            self.descriptor = descriptor
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        }

        deinit {
            close(descriptor)
        }

        /// Sends bytes as they are.
        func send(raw bytes: [UInt8]) {
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Sends a message behind its length.
        func send(_ message: [UInt8]) {
            send(raw: Self.framed(message))
        }

        static func framed(_ message: [UInt8]) -> [UInt8] {
            [UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)]
                + message
        }

        /// The next message of the card; nil when it has closed the link.
        func receive() throws -> [UInt8]? {
            guard let header = try read(2) else { return nil }
            return try read(Int(header[0]) << 8 | Int(header[1]))
        }

        /// Sends a message and takes the answer.
        func ask(_ message: [UInt8]) throws -> [UInt8]? {
            send(message)
            return try receive()
        }

        /// Closes this side.
        func hangUp() {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }

        private func read(_ count: Int) throws -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = bytes.withUnsafeMutableBytes { buffer in
                    recv(descriptor, buffer.baseAddress.map { $0 + done }, count - done, 0)
                }
                if got == 0 { return nil }
                guard got > 0 else {
                    if errno == ECONNRESET { return nil }
                    throw Failed()
                }
                done += got
            }
            return bytes
        }
    }
}
