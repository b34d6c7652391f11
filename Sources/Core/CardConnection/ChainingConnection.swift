// SPDX-License-Identifier: MIT

import SmartCard

/// Makes commands fit the reader before anything is sent, or says why they cannot.
///
/// Nothing is ever cut: a command that is too long goes out as a chain of short ones where the card takes that, else
/// it is a `limit` fault. Source: ISO/IEC 7816-4:2013 §5.3.3 (command chaining).
public final class ChainingConnection: ConnectionWrapper {
    /// The connection below, which sees every single exchange.
    public let inner: any Connection
    /// Whether the card puts the parts of a chained command together.
    public var cardAcceptsChaining: Bool

    /// Bit 5 of the class byte: more parts follow.
    static let chainingBit: UInt8 = 0x10
    /// Longest command of a reader that knows short length fields only: header, Lc, 255 bytes, Le.
    static let shortCommandLimit = 4 + 1 + CommandAPDU.shortNcLimit + 1

    /// Puts chaining on a connection.
    public init(_ inner: any Connection, cardAcceptsChaining: Bool) {
        self.inner = inner
        self.cardAcceptsChaining = cardAcceptsChaining
    }

    /// Sends a command whole, in its short form, or as a chain.
    ///
    /// - Parameter command: The whole command APDU.
    /// - Returns: The answer to the command; of a chain the answer to the last part, or to the first one that the
    ///   card refused.
    /// - Throws: A ``TransportFault`` of kind `limit` before anything is sent, or that of the exchange that failed.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        let limit = inner.facts.largestCommand
        let isExtended = command.count >= 7 && command[4] == 0
        let fits = command.count <= limit && !(isExtended && limit <= Self.shortCommandLimit)
        guard !fits, let parsed = try? CommandAPDU(bytes: command) else {
            guard command.count <= limit else { throw tooLong(command, limit) }
            return try inner.transmit(command)
        }
        guard parsed.ne <= CommandAPDU.shortNeLimit else {
            throw TransportFault(
                .limit,
                "command needs \(command.count) bytes and asks for \(parsed.ne), reader accepts \(limit) "
                    + "and \(CommandAPDU.shortNeLimit)",
                hint:
                    "ask for \(CommandAPDU.shortNeLimit) bytes or less, or use a reader that passes extended length"
            )
        }
        if parsed.nc <= CommandAPDU.shortNcLimit, let short = Self.short(parsed), short.count <= limit {
            return try inner.transmit(short)
        }
        return try transmitChain(parsed, original: command, limit: limit)
    }

    private func transmitChain(
        _ command: CommandAPDU,
        original: [UInt8],
        limit: Int
    ) throws(TransportFault) -> [UInt8] {
        let partLimit = min(CommandAPDU.shortNcLimit, limit - 5 - (command.ne > 0 ? 1 : 0))
        // In a proprietary class the bit may mean something else; where it is set already, no part could be told
        // from the last one.
        let isMarkable = command.cla != 0xFF && (command.cla < 0x80 || command.cla & Self.chainingBit == 0)
        guard cardAcceptsChaining, isMarkable, partLimit > 0 else { throw tooLong(original, limit) }
        var start = 0
        while true {
            let end = min(start + partLimit, command.nc)
            let isLast = end == command.nc
            guard
                let part = try? CommandAPDU(
                    cla: isLast ? command.cla : command.cla | Self.chainingBit,
                    ins: command.ins,
                    p1: command.p1,
                    p2: command.p2,
                    data: Array(command.data[start..<end]),
                    ne: isLast ? command.ne : 0
                )
            else { throw tooLong(original, limit) }
            let answer = try inner.transmit(part.bytes)
            let isAccepted = answer.count == 2 && answer[0] == 0x90 && answer[1] == 0x00
            if isLast || !isAccepted { return answer }
            start = end
        }
    }

    private static func short(_ command: CommandAPDU) -> [UInt8]? {
        try? CommandAPDU(
            cla: command.cla,
            ins: command.ins,
            p1: command.p1,
            p2: command.p2,
            data: command.data,
            ne: command.ne
        ).bytes
    }

    private func tooLong(_ command: [UInt8], _ limit: Int) -> TransportFault {
        .commandTooLong(
            needs: command.count,
            accepts: limit,
            hint: cardAcceptsChaining
                ? "this command cannot be chained; use a reader that passes extended length"
                : "use a reader that passes extended length, or a card that takes command chaining"
        )
    }
}
