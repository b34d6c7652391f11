// SPDX-License-Identifier: MIT

import SmartCard

/// Fetches what a card announces with `61xx` and repeats a command that it answers with `6Cxx`.
///
/// No warning word (`62xx`, `63xx`) ever makes it send anything. Source: ISO/IEC 7816-4:2013 §5.6, table 5, and
/// §11.8.1 (GET RESPONSE).
public final class FollowingConnection: ConnectionWrapper {
    /// The connection below, which sees every single exchange.
    public let inner: any Connection
    /// False in raw mode: each command is one exchange and its answer comes back as it is.
    public var isFollowing = true
    /// Also fetch after `9Fxx`, as SIM cards of the second generation announce data (ETSI TS 100 977 §9.4.1).
    public var follows9F = false
    /// Called before each command, and not before what its answer asks for.
    public var onCommand: () -> Void = {}

    /// How many times in a row data is fetched; a card that never comes to an end has its last `61xx` shown.
    public static let fetchLimit = 1024

    /// Puts following on a connection.
    public init(_ inner: any Connection) {
        self.inner = inner
    }

    /// Sends a command and the ones that its answer asks for.
    ///
    /// - Parameter command: The whole command APDU.
    /// - Returns: All data in one piece and the last status word.
    /// - Throws: ``TransportFault`` of the first exchange that failed; data that came before is dropped.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        onCommand()
        let answer = try inner.transmit(command)
        guard isFollowing, asksForMore(answer) || asksForRepeat(answer) else { return answer }
        var last = try repeated(command, after: answer)
        var data: [UInt8] = []
        var fetches = 0
        while asksForMore(last), fetches < Self.fetchLimit {
            data += last.dropLast(2)
            let fetch: [UInt8] = [Self.fetchClass(of: command), 0xC0, 0x00, 0x00, last[last.count - 1]]
            last = try repeated(fetch, after: inner.transmit(fetch))
            fetches += 1
        }
        return data + last
    }

    /// Repeats a command once with the right Le when the answer is `6Cxx`.
    private func repeated(_ command: [UInt8], after answer: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard asksForRepeat(answer), let corrected = Self.command(command, le: answer[answer.count - 1])
        else {
            return answer
        }
        return try inner.transmit(corrected)
    }

    private func asksForMore(_ answer: [UInt8]) -> Bool {
        guard answer.count >= 2 else { return false }
        let sw1 = answer[answer.count - 2]
        return sw1 == 0x61 || (sw1 == 0x9F && follows9F)
    }

    private func asksForRepeat(_ answer: [UInt8]) -> Bool {
        // With data in front, 6Cxx is not what the standard describes: show it as it is.
        answer.count == 2 && answer[0] == 0x6C
    }

    private static func command(_ bytes: [UInt8], le: UInt8) -> [UInt8]? {
        guard let command = try? CommandAPDU(bytes: bytes) else { return nil }
        let ne = le == 0 ? CommandAPDU.shortNeLimit : Int(le)
        return try? CommandAPDU(
            cla: command.cla,
            ins: command.ins,
            p1: command.p1,
            p2: command.p2,
            data: command.data,
            ne: ne,
            isExtended: command.isExtended
        ).bytes
    }

    /// The class byte of the command, without the chaining bit where the standard defines that bit.
    private static func fetchClass(of command: [UInt8]) -> UInt8 {
        guard let cla = command.first else { return 0 }
        return cla < 0x80 ? cla & ~ChainingConnection.chainingBit : cla
    }
}
