// SPDX-License-Identifier: MIT

import Synchronization
import USB

/// A CMSIS-DAP v2 probe on the USB: one bulk transfer is one packet.
final class USBProbeLink: ProbeLink {
    let name: String

    private let channel: ProbeInfo.Channel
    private let timeout: Duration
    private let state: Mutex<State>

    private struct State {
        var handle: USBDeviceHandle?
        var packetSize: Int
    }

    /// Answers of an earlier user that are thrown away at most.
    private static let staleLimit = 64

    /// Takes a device whose interface is claimed.
    init(_ handle: USBDeviceHandle, channel: ProbeInfo.Channel, name: String, timeout: Duration) {
        self.channel = channel
        self.name = name
        self.timeout = timeout
        state = Mutex(State(handle: handle, packetSize: max(1, channel.input.packetSize)))
        // An earlier user may have left answers behind, which would be taken for ours.
        for _ in 0..<Self.staleLimit {
            let size = max(1, channel.input.packetSize)
            guard
                (try? handle.receive(size, from: channel.input.address, timeout: .milliseconds(1))) != nil
            else { break }
        }
    }

    deinit { close() }

    func learn(packetSize: Int) {
        state.withLock { $0.packetSize = packetSize }
    }

    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        let (handle, packetSize) = state.withLock { ($0.handle, $0.packetSize) }
        guard let handle else { throw ProbeError("the \(name) was closed; open it again") }
        do {
            try handle.send(request, to: channel.output.address, timeout: timeout)
            if request.count < packetSize, request.count % max(1, channel.output.packetSize) == 0 {
                // Without it the probe would wait for the rest of the packet.
                try handle.send([], to: channel.output.address, timeout: timeout)
            }
            for _ in 0..<2 {
                let answer = try handle.receive(packetSize, from: channel.input.address, timeout: timeout)
                if !answer.isEmpty { return answer }
            }
        } catch {
            close()
            throw lost(error)
        }
        close()
        throw ProbeError("the \(name) gave an empty answer; plug it in again", kind: .outOfStep)
    }

    func close() {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            return state.handle
        }
        handle?.release(interface: channel.interface)
    }

    private func lost(_ error: any Error) -> ProbeError {
        guard let error = error as? USBError else { return ProbeError("the \(name) failed: \(error)") }
        switch error.kind {
        case .gone, .absent, .stalled:
            return ProbeError("the \(name) was unplugged; plug it in again")
        case .timeout:
            return ProbeError("the \(name) does not answer (\(error.action)); plug it in again")
        case .busy, .notPermitted, .other:
            return ProbeError("the \(name) failed: \(error); plug it in again")
        }
    }
}
