// SPDX-License-Identifier: MIT

/// What a probe does with a packet.
public enum ProbeAnswer: Hashable, Sendable {
    /// It sends these packets, in this order; none for a packet that has no answer.
    case packets([[UInt8]])
    /// It is not there any more.
    case gone
}
