// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// A TCP connection with a deadline on every wait.
struct ProbeSocket {
    /// Why a wait or a call failed.
    enum Trouble: Error, Hashable {
        case unknownHost(String)
        case refused(String)
        case timeout
        case closed
        case reset(String)
        case failed(String)

        /// The reason as part of a sentence.
        var text: String {
            switch self {
            case .unknownHost(let reason): "the host is not known (\(reason))"
            case .refused(let reason): "nobody answers there (\(reason))"
            case .timeout: "no answer in time"
            case .closed: "the other side closed the connection"
            case .reset(let reason), .failed(let reason): reason
            }
        }

        /// Whether the other side ended the connection.
        var isCut: Bool {
            switch self {
            case .closed, .reset: true
            default: false
            }
        }
    }

    private let descriptor: Int32

    /// Dials each address of a host in turn.
    static func dial(host: String, port: UInt16, limit: Duration) throws(Trouble) -> ProbeSocket {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else { throw .unknownHost(String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        var last = Trouble.refused("no address")
        var entry = list
        while let address = entry?.pointee {
            entry = address.ai_next
            let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.ai_family, type, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            let opened = ProbeSocket(descriptor: descriptor)
            do {
                try opened.connect(address, limit: limit)
                guard !HostSocket.meetsItself(descriptor) else {
                    last = .refused("the dial has met itself")
                    HostSocket.abort(descriptor)
                    continue
                }
                opened.sendAtOnce()
                return opened
            } catch {
                last = error
                opened.close()
            }
        }
        throw last
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    private func connect(_ address: addrinfo, limit: Duration) throws(Trouble) {
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return }
        guard errno == EINPROGRESS else { throw .refused(Self.reason(errno)) }
        try wait(for: Int16(POLLOUT), until: MonotonicTime.now + limit)
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        guard number == 0 else { throw .refused(Self.reason(number)) }
    }

    /// A packet must not wait for the next one.
    private func sendAtOnce() {
        var on: Int32 = 1
        setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// Sends all bytes.
    func send(_ bytes: [UInt8], until end: Duration) throws(Trouble) {
        var done = 0
        while done < bytes.count {
            let result = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor,
                    $0.baseAddress?.advanced(by: done),
                    $0.count - done,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if result > 0 {
                done += result
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT), until: end)
            } else if errno != EINTR {
                throw Self.trouble(errno)
            }
        }
    }

    /// Receives exactly so many bytes, however they are cut on the way.
    func receive(_ count: Int, until end: Duration) throws(Trouble) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let result = out.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, 0)
            }
            if result > 0 {
                done += result
            } else if result == 0 {
                throw .closed
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLIN), until: end)
            } else if errno != EINTR {
                throw Self.trouble(errno)
            }
        }
        return out
    }

    func close() {
        Glibc.close(descriptor)
    }

    private func wait(for events: Int16, until end: Duration) throws(Trouble) {
        while true {
            let left = end - MonotonicTime.now
            guard left > .zero else { throw .timeout }
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let result = poll(&entry, 1, Int32(min(left / .milliseconds(1) + 1, 1_000_000)))
            if result > 0 { return }
            if result < 0, errno != EINTR { throw .failed(Self.reason(errno)) }
        }
    }

    private static func trouble(_ number: Int32) -> Trouble {
        [ECONNRESET, EPIPE].contains(number) ? .reset(reason(number)) : .failed(reason(number))
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
