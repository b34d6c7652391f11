// SPDX-License-Identifier: MIT

import CPCSC

/// Transmission protocols, as PC/SC counts them.
struct CardProtocols: OptionSet, Hashable, Sendable {
    let rawValue: UInt

    static let t0 = CardProtocols(rawValue: UInt(SCARD_PROTOCOL_T0))
    static let t1 = CardProtocols(rawValue: UInt(SCARD_PROTOCOL_T1))
    static let raw = CardProtocols(rawValue: UInt(SCARD_PROTOCOL_RAW))
    static let any: CardProtocols = [.t0, .t1]

    /// The name in reports and traces.
    var name: String {
        switch self {
        case .t0: "T=0"
        case .t1: "T=1"
        case .raw: "raw"
        default: ""
        }
    }

    /// The protocols that an answer to reset offers, the preferred one first.
    ///
    /// A contactless card's answer to reset is made up by the reader and offers both where either will do.
    ///
    /// Source: ISO/IEC 7816-3:2006 §8.2.3: each TD(i) names a protocol; without TD(1) it is T=0. T=15 is none.
    static func offered(by atr: [UInt8]) -> [CardProtocols] {
        guard atr.count >= 2 else { return [] }
        var offered: [CardProtocols] = []
        var interfaceBits = atr[1] >> 4
        var index = 2
        while interfaceBits & 0b1000 != 0 {
            // TA, TB and TC stand before TD.
            index += (interfaceBits & 0b0111).nonzeroBitCount
            guard index < atr.count else { break }
            switch atr[index] & 0x0F {
            case 0 where !offered.contains(.t0): offered.append(.t0)
            case 1 where !offered.contains(.t1): offered.append(.t1)
            default: break
            }
            interfaceBits = atr[index] >> 4
            index += 1
        }
        return offered.isEmpty ? [.t0] : offered
    }
}

/// Connects with both protocols, and with one after the other where reader or card cannot choose.
enum ProtocolFallback {
    /// The codes after which one protocol alone may still do: no answer to reset, and no common protocol.
    static let codes: Set<UInt32> = [0x8010_0066, 0x8010_000F]

    /// Connects.
    ///
    /// - Parameters:
    ///   - atr: The answer to reset, if one is known: only what it offers is tried alone, in its order.
    ///   - attempt: Connects with the protocols given.
    /// - Returns: What the first good attempt gave.
    /// - Throws: The last error; errors that have nothing to do with protocols end the tries.
    static func connect<Value>(
        atr: [UInt8],
        attempt: (CardProtocols) throws(PCSCError) -> Value
    ) throws(PCSCError) -> Value {
        var last: PCSCError
        do {
            return try attempt(.any)
        } catch {
            guard codes.contains(error.code) else { throw error }
            last = error
        }
        let offered = CardProtocols.offered(by: atr)
        for choice in offered.isEmpty ? [.t1, .t0] : offered {
            do {
                return try attempt(choice)
            } catch {
                guard codes.contains(error.code) else { throw error }
                last = error
            }
        }
        throw last
    }
}
