// SPDX-License-Identifier: MIT

import CardConnection

/// A contactless card with the reader's part of it: GET DATA of class FF tells what anticollision showed.
///
/// Source: PC/SC specification, part 3, 3.2.2.1.3 (Get Data: UID with P1 00, historical bytes of the ATS with P1 01).
final class ContactlessCard: Card {
    private let card: any Card
    private let seen: @Sendable () -> (uid: [UInt8], ats: [UInt8])

    init(_ card: any Card, seen: @escaping @Sendable () -> (uid: [UInt8], ats: [UInt8])) {
        self.card = card
        self.seen = seen
    }

    var atr: [UInt8] { card.atr }

    func powerOn() { card.powerOn() }

    func powerOff() { card.powerOff() }

    func respond(to command: [UInt8]) -> CardAnswer {
        guard command.count == 5, command.starts(with: [0xFF, 0xCA]), command[2] <= 1, command[3] == 0 else {
            return card.respond(to: command)
        }
        let (uid, ats) = seen()
        let data = command[2] == 0 ? uid : Self.historicalBytes(ats)
        let wanted = Int(command[4])
        guard wanted == 0 || wanted >= data.count else {
            return CardAnswer([0x6C, UInt8(truncatingIfNeeded: data.count)])
        }
        return CardAnswer(data + (wanted > data.count ? [0x62, 0x82] : [0x90, 0x00]))
    }

    /// What follows TL, T0 and the interface bytes that T0 announces.
    ///
    /// Source: ISO/IEC 14443-4:2018 §5.2.
    private static func historicalBytes(_ ats: [UInt8]) -> [UInt8] {
        guard ats.count > 1 else { return [] }
        return Array(ats.dropFirst(2 + (ats[1] & 0x70).nonzeroBitCount))
    }
}
