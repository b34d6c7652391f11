// SPDX-License-Identifier: MIT

import Glibc

/// The driver's messages, cut out of the byte stream: a two-byte length, high byte first, and that many bytes.
///
/// Source: vsmartcard, virtualsmartcard/src/vpcd, version 3.3; observed on the wire.
struct MessageStream: ~Copyable {
    private static let headerCount = 2
    /// Two of the largest messages: one being read, and what came with it.
    private static let capacity = 2 * (headerCount + 65_536)

    private let descriptor: Int32
    private let buffer: UnsafeMutableRawPointer
    private var start = 0
    private var end = 0
    private let one: UnsafeMutablePointer<Int32>

    init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
        one = .allocate(capacity: 1)
        one.initialize(to: 1)
    }

    deinit {
        buffer.deallocate()
        one.deallocate()
    }

    /// The next message; its bytes are valid until the next call.
    ///
    /// - Returns: The message, or nil when the link is down.
    @inline(__always)
    mutating func next() -> UnsafeRawBufferPointer? {
        guard fill(to: Self.headerCount) else { return nil }
        let count =
            Int(buffer.load(fromByteOffset: start, as: UInt8.self)) << 8
            | Int(buffer.load(fromByteOffset: start + 1, as: UInt8.self))
        guard fill(to: Self.headerCount + count) else { return nil }
        let message = UnsafeRawBufferPointer(start: buffer + start + Self.headerCount, count: count)
        start += Self.headerCount + count
        return message
    }

    /// Reads until `count` unread bytes are in the buffer.
    @inline(__always)
    private mutating func fill(to count: Int) -> Bool {
        while end - start < count {
            if start == end {
                start = 0
                end = 0
            } else if start + count > Self.capacity {
                buffer.copyMemory(from: buffer + start, byteCount: end - start)
                end -= start
                start = 0
            }
            // The driver sends length and body with two calls and leaves Nagle's algorithm on: the body waits for
            // the acknowledgement of the length, which the kernel would hold back for 40 ms. Linux drops this option
            // by itself, so it is set before every read.
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, one, 4)
            let result = recv(descriptor, buffer + end, Self.capacity - end, 0)
            if result > 0 {
                end += result
            } else if result == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }
}
