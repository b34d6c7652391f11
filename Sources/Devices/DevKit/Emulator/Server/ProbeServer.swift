// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Synchronization

/// Serves an ``EmulatedProbe`` over TCP, in elaphureLink's framing and in that of OpenOCD; the first byte tells which.
///
/// A probe has one user at a time: as long as a client is there, another one is let in only to be sent away.
public final class ProbeServer: Sendable {
    /// Where the server listens: `127.0.0.1:4441`; a port of 0 is the one that the system chose.
    public let addresses: [String]

    private let probe: EmulatedProbe
    private let sockets: [ListeningSocket]
    private let isStopped = Atomic(false)

    /// How long the loop sleeps at most, and so how long a stop may take.
    private static let tickMilliseconds: Int32 = 100
    /// How long a client may take to leave before the next one is sent away.
    private static let handover = Duration.milliseconds(300)

    /// Listens; clients are served in ``run(tick:note:)``.
    ///
    /// - Parameters:
    ///   - probe: The probe to serve.
    ///   - endpoints: Hosts and ports to listen on; a port of 0 takes a free one.
    /// - Throws: ``ProbeServerError`` when an address cannot be listened on.
    public init(
        probe: EmulatedProbe,
        endpoints: [(host: String, port: UInt16)]
    ) throws(ProbeServerError) {
        var made: [ListeningSocket] = []
        do throws(ProbeServerError) {
            for endpoint in endpoints {
                made.append(try ListeningSocket(host: endpoint.host, port: endpoint.port))
            }
        } catch {
            for socket in made { socket.close() }
            throw error
        }
        self.probe = probe
        sockets = made
        addresses = made.map(\.address)
    }

    /// Ends ``run(tick:note:)``; may be called from any thread.
    public func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Serves clients on the calling thread until ``stop()``; to be called once.
    ///
    /// - Parameters:
    ///   - tick: Called several times a second between packets; false ends the service.
    ///   - note: Told in a sentence when a client comes or goes.
    public func run(tick: () -> Bool = { true }, note: (String) -> Void = { _ in }) {
        var isListening = true
        var user: Client?
        func endListening() {
            guard isListening else { return }
            isListening = false
            for socket in sockets { socket.close() }
        }
        defer {
            user?.close()
            endListening()
        }
        while !isStopped.load(ordering: .relaxed), tick() {
            // A probe that was unplugged takes no clients; those who dial are refused by the system.
            if probe.isGone, isListening {
                endListening()
                if let leaving = user {
                    note("the client was cut off: \(ProbeStream.End.unplugged)")
                    leaving.close()
                    user = nil
                }
            }
            var entries = isListening ? sockets.map { Self.entry($0.descriptor) } : []
            if let user { entries.append(Self.entry(user.descriptor)) }
            guard poll(&entries, nfds_t(entries.count), Self.tickMilliseconds) > 0 else { continue }
            if let present = user, entries.last?.revents != 0, let farewell = present.serve() {
                note(farewell)
                present.close()
                user = nil
            }
            guard isListening else { continue }
            for (socket, entry) in zip(sockets, entries) where entry.revents != 0 {
                guard let descriptor = socket.accept() else { continue }
                admit(descriptor, in: &user, note)
            }
        }
    }

    private static func entry(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// Lets a client in, or sends it away when another one does not leave.
    private func admit(_ descriptor: Int32, in user: inout Client?, _ note: (String) -> Void) {
        let end = MonotonicTime.now + Self.handover
        while let present = user, MonotonicTime.now < end {
            var entry = [Self.entry(present.descriptor)]
            guard poll(&entry, 1, 20) > 0 else { continue }
            if let farewell = present.serve() {
                note(farewell)
                present.close()
                user = nil
            }
        }
        guard user == nil else {
            note("a second client was sent away: the probe has one user at a time")
            Glibc.close(descriptor)
            return
        }
        note("a client has come")
        user = Client(descriptor: descriptor, probe: probe)
    }
}

/// A client of the server.
private final class Client {
    let descriptor: Int32
    private let sendsInPieces: Bool
    private var stream: ProbeStream
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init(descriptor: Int32, probe: EmulatedProbe) {
        self.descriptor = descriptor
        sendsInPieces = probe.sendsInPieces
        stream = ProbeStream(probe: probe)
    }

    /// Reads what has come and answers it.
    ///
    /// - Returns: Why the client is gone, in a sentence; nil when it stays.
    func serve() -> String? {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count > 0 else {
            return "the client has gone" + (stream.framingName.map { " (\($0))" } ?? "")
        }
        let outcome = stream.take(buffer[0..<count])
        for frame in outcome.frames {
            // Some clients take a whole answer from one read, so it leaves in one write.
            let pieces = sendsInPieces ? frame.map { [$0] } : [frame]
            guard pieces.allSatisfy(write) else { return "the client does not take its answers" }
        }
        return outcome.end.map { "the client was cut off: \($0)" }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let result = bytes.withUnsafeBytes { raw in
                raw.baseAddress.map {
                    send(descriptor, $0 + done, bytes.count - done, Int32(MSG_NOSIGNAL))
                } ?? -1
            }
            if result > 0 {
                done += result
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}
