// SPDX-License-Identifier: MIT

import Glibc

/// What has to be known of TCP sockets of this host beyond the C library.
public enum HostSocket {
    /// Whether a connected socket has met nobody but itself.
    ///
    /// Where a port is dialled that the kernel hands out to those who dial, and nobody listens there, it may give out that
    /// very port; the two ends of a simultaneous open (RFC 9293 §3.5) are then one, and whoever comes to listen finds
    /// the port taken.
    public static func meetsItself(_ descriptor: Int32) -> Bool {
        guard let own = address(of: descriptor, by: getsockname) else { return false }
        return own == address(of: descriptor, by: getpeername)
    }

    /// Closes a socket with a reset, so that its port is free at once and not after a minute.
    public static func abort(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    private static func address(
        of descriptor: Int32,
        by ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> [UInt8]? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        return withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
    }
}
