// SPDX-License-Identifier: MIT

import Glibc

/// A TCP port that takes clients.
struct ListeningSocket {
    let descriptor: Int32
    /// Where it listens, the port as it was given by the system: `127.0.0.1:4441`.
    let address: String

    /// Listens on the first address of a host.
    ///
    /// - Parameters:
    ///   - host: Name or address.
    ///   - port: TCP port; 0 for a free one.
    /// - Throws: ``ProbeServerError`` when the address cannot be listened on.
    init(host: String, port: UInt16) throws(ProbeServerError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        defer { if list != nil { freeaddrinfo(list) } }
        guard result == 0, let entry = list?.pointee else {
            throw ProbeServerError("the host '\(host)' is not known; name this host or one of its addresses")
        }
        let type = entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(entry.ai_family, type, entry.ai_protocol)
        guard descriptor >= 0 else {
            throw ProbeServerError("no socket can be made (errno \(errno)); end other programs")
        }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0, listen(descriptor, 16) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            let advice =
                number == EADDRINUSE
                ? "is taken by another program; end it or choose another port"
                : "cannot be listened on (errno \(number)); choose another address"
            throw ProbeServerError("\(host):\(port) \(advice)")
        }
        self.descriptor = descriptor
        address = "\(host.contains(":") ? "[\(host)]" : host):\(Self.port(of: descriptor) ?? port)"
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                // The port stands at the same place for both families, in network order.
                return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }

    /// Takes a client that waits; nil when there is none.
    func accept() -> Int32? {
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        var isOn: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return client
    }

    func close() {
        Glibc.close(descriptor)
    }
}
