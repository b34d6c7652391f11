// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// A TCP socket to the reader driver: dialling, waiting and writing.
///
/// The descriptor belongs to one thread, which alone closes it; others may only shut it down.
struct DriverSocket {
    let descriptor: Int32

    /// How long one address may take to answer a dial.
    private static let dialLimit = timeval(tv_sec: 2, tv_usec: 0)

    /// Dials each address of a host in turn.
    ///
    /// - Parameters:
    ///   - host: Name or address.
    ///   - port: TCP port.
    ///   - announce: Told of each descriptor before it dials, and of -1 before it is closed again; a dial is
    ///     given up when it returns false.
    /// - Returns: The socket, or nil when no address answered.
    static func dial(host: String, port: UInt16, announce: (Int32) -> Bool) -> DriverSocket? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var entry = list
        while let address = entry?.pointee {
            entry = address.ai_next
            let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = Glibc.socket(address.ai_family, type, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            set(descriptor, SOL_SOCKET, SO_SNDTIMEO, to: dialLimit)
            let isConnected =
                announce(descriptor) && connect(descriptor, address.ai_addr, address.ai_addrlen) == 0
            let isAlone = isConnected && HostSocket.meetsItself(descriptor)
            if isConnected, !isAlone {
                // An answer may take as long as the reader needs to fetch it.
                set(descriptor, SOL_SOCKET, SO_SNDTIMEO, to: timeval(tv_sec: 0, tv_usec: 0))
                set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
                return DriverSocket(descriptor: descriptor)
            }
            _ = announce(-1)
            if isAlone { HostSocket.abort(descriptor) } else { Glibc.close(descriptor) }
        }
        return nil
    }

    /// Writes all bytes with one call where the kernel takes them.
    ///
    /// - Returns: False when the link is down.
    @inline(__always)
    func write(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
        var done = 0
        while done < count {
            let result = send(descriptor, bytes + done, count - done, Int32(MSG_NOSIGNAL))
            if result > 0 {
                done += result
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits, unless the link goes down first.
    ///
    /// - Returns: False when the link is down.
    func pause(_ duration: Duration) -> Bool {
        let end = MonotonicTime.now + duration
        while true {
            let left = end - MonotonicTime.now
            guard left > .zero else { return true }
            let milliseconds = left / .milliseconds(1)
            guard milliseconds >= 1 else {
                MonotonicTime.sleep(left)
                return true
            }
            // Half-closing by the driver and a shutdown by another thread both count as down.
            var entry = pollfd(fd: descriptor, events: hangUp, revents: 0)
            if poll(&entry, 1, Int32(min(milliseconds, 1_000_000))) > 0 { return false }
        }
    }

    /// Closes the socket; the driver then sees the card leave.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}

/// `POLLRDHUP` of Linux, which the C library hides behind a feature macro.
private let hangUp: Int16 = 0x2000

@inline(__always)
private func set<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value) {
    _ = withUnsafeBytes(of: value) { bytes in
        setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
    }
}
