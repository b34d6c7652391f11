// SPDX-License-Identifier: MIT

/// How CMSIS-DAP packets are framed on a TCP connection.
///
/// Sources: OpenOCD, `src/jtag/drivers/cmsis_dap_tcp.c`; elaphureLink, as pyocd-elaphurelink 0.37.0.9 speaks it.
public enum ProbeFraming: Hashable, Sendable {
    /// OpenOCD's `cmsis-dap backend tcp`: little-endian, without a hello.
    case openOCD
    /// elaphureLink: big-endian, with a hello in two exchanges.
    case elaphureLink

    /// The port on which such a probe usually listens.
    public var usualPort: UInt16 {
        switch self {
        case .openOCD: 4441
        case .elaphureLink: 3240
        }
    }

    /// The longest packet that the frame's sender accepts.
    static let longestPacket = 1024

    /// What a client sends to begin, and how long the answers are; empty when there is no hello.
    var hello: [(request: [UInt8], answerCount: Int)] {
        switch self {
        case .openOCD: []
        case .elaphureLink:
            // Magic "\u{8A}elp", command 0, version 1.0; then the wish to speak CMSIS-DAP.
            [
                ([0x8A, 0x65, 0x6C, 0x70, 0, 0, 0, 0, 0, 1, 0, 0], 12),
                ([0x88, 0x02, 0, 0], 4),
            ]
        }
    }

    /// What is wrong with an answer to a hello; nil when nothing is.
    func complaint(aboutHello answer: [UInt8], turn: Int) -> String? {
        guard case .elaphureLink = self else { return nil }
        if turn == 0 {
            return answer.prefix(8) == [0x8A, 0x65, 0x6C, 0x70, 0, 0, 0, 0]
                ? nil : "it does not answer elaphureLink's hello"
        }
        return answer.prefix(2) == [0x88, 0x00] ? nil : "it refuses to speak CMSIS-DAP"
    }

    /// A request with its frame.
    func framed(_ packet: [UInt8]) -> [UInt8] {
        let count = UInt16(truncatingIfNeeded: packet.count)
        let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
        switch self {
        case .openOCD: return [0x44, 0x41, 0x50, 0x00, low, high, 0x01, 0x00] + packet
        case .elaphureLink: return [0x88, 0x01, high, low] + packet
        }
    }

    /// Number of bytes before the packet of an answer.
    var headCount: Int {
        switch self {
        case .openOCD: 8
        case .elaphureLink: 4
        }
    }

    /// The packet's length by the head of an answer; nil when the head is none.
    func packetCount(head: [UInt8]) -> Int? {
        guard head.count == headCount else { return nil }
        let count: Int
        switch self {
        case .openOCD:
            guard head.prefix(4) == [0x44, 0x41, 0x50, 0x00], head[6] == 0x02 else { return nil }
            count = Int(head[4]) | Int(head[5]) << 8
        case .elaphureLink:
            guard head[0] == 0x88, head[1] == 0x00 else { return nil }
            count = Int(head[2]) << 8 | Int(head[3])
        }
        return count >= 1 && count <= 4096 ? count : nil
    }
}
