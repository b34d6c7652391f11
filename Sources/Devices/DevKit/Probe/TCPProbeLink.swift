// SPDX-License-Identifier: MIT

import HostSystem
import Synchronization

/// A probe behind a TCP port.
public final class TCPProbeLink: ProbeLink {
    /// The probe's address.
    public let name: String

    private let framing: ProbeFraming
    private let timeout: Duration
    private let socket: Mutex<ProbeSocket?>
    private let hasAnswered: Mutex<Bool>

    /// Connects to a probe.
    ///
    /// - Parameters:
    ///   - framing: How packets are framed there.
    ///   - host: Name or address.
    ///   - port: TCP port.
    ///   - timeout: How long an answer may take.
    /// - Throws: `ProbeError` of kind `absent` when nobody answers, `unsupported` when it is no such probe.
    public init(
        _ framing: ProbeFraming,
        host: String,
        port: UInt16,
        timeout: Duration = .seconds(2)
    ) throws(ProbeError) {
        let name = "probe at \(ProbeAddress.network(framing, host: host, port: port))"
        self.name = name
        self.framing = framing
        self.timeout = timeout
        let opened: ProbeSocket
        do {
            opened = try ProbeSocket.dial(host: host, port: port, limit: timeout)
        } catch {
            throw ProbeError(
                "the \(name) cannot be reached: \(error.text); check the address and that the probe's server runs",
                kind: .absent
            )
        }
        for (turn, step) in framing.hello.enumerated() {
            var complaint: String?
            do {
                let end = MonotonicTime.now + timeout
                try opened.send(step.request, until: end)
                let answer = try opened.receive(step.answerCount, until: end)
                complaint = framing.complaint(aboutHello: answer, turn: turn)
            } catch {
                if turn == 0, error.isCut {
                    opened.close()
                    throw Self.sentAway(name, error)
                }
                complaint = error.text
            }
            guard let complaint else { continue }
            opened.close()
            throw ProbeError(
                "the \(name) is no probe of this kind: \(complaint); the other framing is "
                    + (framing == .openOCD ? "elaphure:" : "tcp:"),
                kind: .unsupported
            )
        }
        socket = Mutex(opened)
        hasAnswered = Mutex(!framing.hello.isEmpty)
    }

    /// The error of a probe that ended the connection before it said anything: most take one user at a time.
    private static func sentAway(_ name: String, _ trouble: ProbeSocket.Trouble) -> ProbeError {
        ProbeError(
            "the \(name) ended the connection before its first answer (\(trouble.text)), so another program seems to "
                + "use it; end that, or check the probe's server",
            kind: .busy
        )
    }

    deinit { close() }

    /// Sends a request and waits for its answer.
    public func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        guard (1...ProbeFraming.longestPacket).contains(request.count) else {
            throw ProbeError("a packet of \(request.count) bytes does not pass the \(name)", kind: .refused)
        }
        guard let socket = socket.withLock({ $0 }) else {
            throw ProbeError("the \(name) was closed; open it again")
        }
        let end = MonotonicTime.now + timeout
        do {
            try socket.send(framing.framed(request), until: end)
            let head = try socket.receive(framing.headCount, until: end)
            guard let count = framing.packetCount(head: head) else {
                close()
                throw ProbeError("the \(name) sent something that is no answer", kind: .outOfStep)
            }
            let answer = try socket.receive(count, until: end)
            hasAnswered.withLock { $0 = true }
            return answer
        } catch let error as ProbeError {
            throw error
        } catch {
            close()
            // A late answer could be taken for that to the next request.
            let trouble = error as? ProbeSocket.Trouble
            if let trouble, trouble.isCut, !hasAnswered.withLock({ $0 }) {
                throw Self.sentAway(name, trouble)
            }
            throw ProbeError(
                "the \(name) was lost: \(trouble?.text ?? "\(error)"); check the link and the probe's server"
            )
        }
    }

    /// Ends the connection.
    public func close() {
        socket.withLock { socket in
            socket?.close()
            socket = nil
        }
    }
}
