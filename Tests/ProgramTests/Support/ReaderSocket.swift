// SPDX-License-Identifier: MIT

import Glibc

/// A free port of the loopback device at which one emulated card dials, as it would dial the reader driver.
///
/// Each wait is bounded by a receive timeout, so that a broken program fails a test and does not hang it.
final class ReaderSocket {
    struct Failed: Error {}

    let port: UInt16
    private let listener: Int32
    private var card: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw Failed()
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        if card >= 0 { close(card) }
        close(listener)
    }

    /// Waits for the card and gives it power.
    func powerOn() throws {
        try takeLink()
        send([0x01])
    }

    /// Waits for the card, and says nothing to it.
    func takeLink() throws {
        if card >= 0 { close(card) }
        card = accept(listener, nil, nil)
        guard card >= 0 else { throw Failed() }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(card, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Asks for the answer to reset, as the service does to see whether a card is there.
    ///
    /// - Returns: False when the card has left.
    func isPresent() -> Bool {
        (try? transmit([0x04])) != nil
    }

    /// Sends a command and takes the answer.
    func transmit(_ command: [UInt8]) throws -> [UInt8] {
        send(command)
        let header = try read(2)
        return try read(Int(header[0]) << 8 | Int(header[1]))
    }

    private func send(_ message: [UInt8]) {
        let framed = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        _ = Glibc.send(card, framed, framed.count, Int32(MSG_NOSIGNAL))
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(card, &bytes, count, Int32(MSG_WAITALL)) == count else { throw Failed() }
        return bytes
    }
}
