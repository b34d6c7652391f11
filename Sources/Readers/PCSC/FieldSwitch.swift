// SPDX-License-Identifier: MIT

import CardConnection

/// How a reader's field is switched off and on.
public enum FieldControl: Hashable, Sendable {
    /// The manage-session command where a contactless reader accepts it in a probe, else not at all.
    case automatic
    /// The manage-session command, without a probe.
    case manageSession
    /// The connection ends and takes the power with it: a weaker form, since the reader may poll the card again.
    case unpower
    /// Not at all.
    case none
}

/// The manage-session command, which switches a contactless reader's field.
///
/// `FF C2 00 00 Lc`, then a data object: 81 and 82 start and end a transparent session, 83 and 84 switch the field off and
/// on. The reader answers with data objects and 9000; C0 holds the index of a refused object and a status word.
/// Source: PC/SC part 3 supplement 2.02, §2.1.2 and §2.3.
enum FieldSwitch {
    static let startSession: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x81, 0x00]
    static let endSession: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82, 0x00]
    static let fieldOff: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x83, 0x00]
    static let fieldOn: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x84, 0x00]

    /// A way to the reader: bytes in, bytes out, nil when it does not pass them.
    typealias Port = ([UInt8]) -> [UInt8]?

    /// The commands that bring the field into a state.
    ///
    /// The session lasts for as long as the field is off, so that the reader does not begin to poll by itself.
    static func commands(for state: FieldState) -> [[UInt8]] {
        switch state {
        case .off: [startSession, fieldOff]
        case .on: [fieldOn, endSession]
        }
    }

    /// Switches the field.
    ///
    /// - Returns: Nil when the reader did it, else the first command that it did not accept and its answer.
    static func set(_ state: FieldState, through port: Port) -> Refusal? {
        for command in commands(for: state) {
            let answer = port(command)
            guard let answer, isAccepted(answer) else { return Refusal(command: command, answer: answer) }
        }
        return nil
    }

    /// Whether the reader knows sessions, found out by opening and closing one.
    static func isSupported(through port: Port) -> Bool {
        guard let opened = port(startSession), isAccepted(opened) else { return false }
        return port(endSession).map(isAccepted) ?? false
    }

    /// Whether an answer says that all objects were carried out.
    static func isAccepted(_ answer: [UInt8]) -> Bool {
        guard answer.suffix(2) == [0x90, 0x00] else { return false }
        var rest = answer.dropLast(2)
        while let tag = rest.first {
            guard rest.count >= 2 else { return false }
            let count = Int(rest[rest.startIndex + 1])
            let value = rest.dropFirst(2).prefix(count)
            guard value.count == count else { return false }
            if tag == 0xC0, value.suffix(2) != [0x90, 0x00] { return false }
            rest = rest.dropFirst(2 + count)
        }
        return true
    }

    /// A command that the reader did not carry out.
    struct Refusal: Equatable {
        let command: [UInt8]
        /// Nil when the reader did not get it.
        let answer: [UInt8]?
    }

    /// Whether an answer to reset is that of a contactless storage or processor card.
    ///
    /// Source: PC/SC part 3 §3.1.3.2: 3B, 8n, 80, 01.
    static func isContactless(_ atr: [UInt8]) -> Bool {
        atr.count >= 4 && atr[0] == 0x3B && atr[1] >> 4 == 0x8 && atr[2] == 0x80 && atr[3] == 0x01
    }
}
