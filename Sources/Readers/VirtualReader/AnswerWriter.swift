// SPDX-License-Identifier: MIT

/// Sends answers, each as one message in one write.
final class AnswerWriter {
    private let socket: DriverSocket
    private let buffer: UnsafeMutableRawPointer

    init(socket: DriverSocket) {
        self.socket = socket
        buffer = .allocate(byteCount: 2 + VirtualCardClient.largestMessage, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// Sends the bytes behind their length.
    ///
    /// - Returns: Why the link must end, or nil.
    @inline(__always)
    func send(_ bytes: [UInt8]) -> LinkLoss? {
        let count = bytes.count
        guard count > 0 else { return .emptyAnswer }
        guard count <= VirtualCardClient.largestMessage else { return .answerTooLong(count: count) }
        buffer.storeBytes(of: UInt8(truncatingIfNeeded: count >> 8), as: UInt8.self)
        buffer.storeBytes(of: UInt8(truncatingIfNeeded: count), toByteOffset: 1, as: UInt8.self)
        bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            (buffer + 2).copyMemory(from: base, byteCount: count)
        }
        return socket.write(buffer, count: 2 + count) ? nil : .closedByService
    }
}
