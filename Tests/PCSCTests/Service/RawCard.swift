// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// A card written without the client under test: it dials the driver and does what a real card never would.
///
/// Instruction 31 sends 4 of 10 bytes and leaves, 32 sends 4 of 10 bytes and is silent; anything else is 6F00.
final class RawCard: Sendable {
    private let descriptor: Int32

    /// Dials; nil when nobody listens.
    init?(port: UInt16 = 35_963) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let socket = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        Thread { [self] in serve() }.start()
    }

    /// Leaves the reader.
    func leave() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func serve() {
        defer { close(descriptor) }
        while let header = read(2) {
            guard let message = read(Int(header[0]) << 8 | Int(header[1])) else { return }
            if message == [0x04] {
                write([0x00, 0x05, 0x3B, 0x80, 0x80, 0x01, 0x01])
            } else if message.count > 1 {
                switch message[1] {
                case 0x31:
                    write([0x00, 0x0A] + Array("abcd".utf8))
                    return
                case 0x32: write([0x00, 0x0A] + Array("abcd".utf8))
                default: write([0x00, 0x02, 0x6F, 0x00])
                }
            }
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &one, 4)
            let got = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress.map { $0 + done }, count - done, 0)
            }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) {
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
