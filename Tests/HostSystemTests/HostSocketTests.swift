// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Testing

@Suite struct HostSocketTests {
    /// Does something with the address of a port of the loopback device.
    private func on(
        _ port: UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (result: Int32, port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
        return (result, UInt16(bigEndian: address.sin_port))
    }

    /// A socket at a port, 0 for any that is free.
    private func bound(to port: UInt16 = 0) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        try #require(on(port) { bind(descriptor, $0, $1.pointee) }.result == 0)
        return (descriptor, on(0) { getsockname(descriptor, $0, $1) }.port)
    }

    @Test func `A socket that dialled its own port has met itself, and leaves the port free behind it`()
        throws
    {
        let (descriptor, port) = try bound()
        #expect(!HostSocket.meetsItself(descriptor))
        try #require(on(port) { connect(descriptor, $0, $1.pointee) }.result == 0)
        #expect(HostSocket.meetsItself(descriptor))
        HostSocket.abort(descriptor)
        // Without the option that takes over a port which still waits.
        let next = try bound(to: port)
        #expect(next.port == port)
        close(next.descriptor)
    }

    @Test func `A socket that has met another one has not met itself`() throws {
        let listener = try bound()
        defer { close(listener.descriptor) }
        try #require(listen(listener.descriptor, 1) == 0)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        try #require(on(listener.port) { connect(descriptor, $0, $1.pointee) }.result == 0)
        #expect(!HostSocket.meetsItself(descriptor))
        #expect(!HostSocket.meetsItself(-1))
    }
}
