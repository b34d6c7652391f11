// SPDX-License-Identifier: MIT

/// The bytes of a TCP client, taken apart into packets for the probe.
///
/// The first byte tells which of the two framings the client speaks. Fields of elaphureLink are big-endian, those of
/// OpenOCD's TCP backend little-endian.
/// Source: OpenOCD `src/jtag/drivers/cmsis_dap_tcp.c`; pyocd-elaphurelink `elaphurelink_backend.py`.
struct ProbeStream {
    /// What is to be done after some bytes came.
    struct Outcome: Hashable {
        /// Frames to send, each in one write.
        var frames: [[UInt8]] = []
        /// Why the link must be closed; nil to go on.
        var end: End?
    }

    /// Why a link is closed from this side.
    enum End: Hashable, CustomStringConvertible {
        /// The client speaks something else.
        case notUnderstood
        /// The probe is gone.
        case unplugged

        var description: String {
            switch self {
            case .notUnderstood: "it speaks neither elaphureLink nor OpenOCD's protocol"
            case .unplugged: "the probe was unplugged"
            }
        }
    }

    private enum Framing {
        case unknown
        /// Waiting for the second word of the hello.
        case greeted
        case elaphureLink
        case openOCD
    }

    private let probe: EmulatedProbe
    private var framing = Framing.unknown
    private var input: [UInt8] = []

    private static let magic: [UInt8] = [0x8A, 0x65, 0x6C, 0x70]
    private static let version: [UInt8] = [0x00, 0x01, 0x00, 0x00]
    private static let command: UInt8 = 0x88
    private static let execute: UInt8 = 0x01
    private static let begin: UInt8 = 0x02
    private static let signature: [UInt8] = [0x44, 0x41, 0x50, 0x00]
    private static let request: UInt8 = 0x01
    private static let response: UInt8 = 0x02

    init(probe: EmulatedProbe) {
        self.probe = probe
    }

    /// The name of the framing, for people; nil while it is not known.
    var framingName: String? {
        switch framing {
        case .unknown: nil
        case .greeted, .elaphureLink: "elaphureLink"
        case .openOCD: "OpenOCD's protocol"
        }
    }

    /// Takes bytes as they come, whole frames or not.
    mutating func take(_ bytes: some Sequence<UInt8>) -> Outcome {
        input += bytes
        var outcome = Outcome()
        var isHungry = false
        while !isHungry, outcome.end == nil, let first = input.first {
            switch framing {
            case .unknown:
                switch first {
                case Self.magic[0]: isHungry = !greet(&outcome)
                case Self.signature[0]: framing = .openOCD
                default: outcome.end = .notUnderstood
                }
            case .greeted, .elaphureLink: isHungry = !takeElaphureLink(&outcome)
            case .openOCD: isHungry = !takeOpenOCD(&outcome)
            }
        }
        return outcome
    }

    /// - Returns: False when more bytes are needed.
    private mutating func greet(_ outcome: inout Outcome) -> Bool {
        guard input.count >= 12 else { return false }
        guard input.starts(with: Self.magic) else {
            outcome.end = .notUnderstood
            return true
        }
        outcome.frames.append(Array(input[0..<8]) + Self.version)
        input.removeFirst(12)
        framing = .greeted
        return true
    }

    private mutating func takeElaphureLink(_ outcome: inout Outcome) -> Bool {
        guard input.count >= 4 else { return false }
        let length = Int(input[2]) << 8 | Int(input[3])
        guard input[0] == Self.command else {
            outcome.end = .notUnderstood
            return true
        }
        guard input.count >= 4 + length else { return false }
        let (code, packet) = (input[1], Array(input[4..<4 + length]))
        input.removeFirst(4 + length)
        switch code {
        case Self.begin:
            framing = .elaphureLink
            outcome.frames.append([Self.command, 0, 0, 0])
        case Self.execute where framing == .elaphureLink:
            answer(packet, &outcome) { [Self.command, 0, UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        default: outcome.frames.append([Self.command, 1, 0, 0])
        }
        return true
    }

    private mutating func takeOpenOCD(_ outcome: inout Outcome) -> Bool {
        guard input.count >= 8 else { return false }
        guard input.starts(with: Self.signature), input[6] == Self.request else {
            outcome.end = .notUnderstood
            return true
        }
        let length = Int(input[4]) | Int(input[5]) << 8
        guard input.count >= 8 + length else { return false }
        let packet = Array(input[8..<8 + length])
        input.removeFirst(8 + length)
        answer(packet, &outcome) {
            Self.signature + [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF), Self.response, 0]
        }
        return true
    }

    private func answer(_ packet: [UInt8], _ outcome: inout Outcome, head: (Int) -> [UInt8]) {
        switch probe.respond(to: packet) {
        case .packets(let packets): outcome.frames += packets.map { head($0.count) + $0 }
        case .gone: outcome.end = .unplugged
        }
    }
}
