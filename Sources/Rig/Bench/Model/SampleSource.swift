// SPDX-License-Identifier: MIT

public import CardConnection
import SmartCard

/// How a sample is told from its like.
public enum SampleSource: Hashable, Sendable {
    /// By the UID, which a contactless reader tells.
    case uid
    /// By what it answers to the last of these commands.
    case commands([[UInt8]])

    /// The reader's own command for the UID of the card in its field.
    ///
    /// Source: PC/SC part 3 rev. 2.01.09 §3.2.2.1.3.
    private static let askForUID: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

    /// Asks for the sample's name.
    ///
    /// - Parameter connection: A connection to it.
    /// - Returns: The name; nil when it does not tell one.
    /// - Throws: The fault of the exchange.
    public func name(on connection: any Connection) throws(TransportFault) -> SampleName? {
        switch self {
        case .uid:
            let answer = try connection.transmit(Self.askForUID)
            guard answer.suffix(2) == [0x90, 0x00], answer.count > 2 else { return nil }
            let uid = Array(answer.dropLast(2))
            return SampleName(text: uid.hex, isRandom: Self.isRandom(uid))
        case .commands(let commands):
            guard case .answered(let data) = try CommandSeries(commands).send(to: connection), !data.isEmpty
            else { return nil }
            return SampleName(text: data.hex, isRandom: false)
        }
    }

    /// Whether a UID is drawn anew each time that the field comes.
    ///
    /// Source: ISO/IEC 14443-3:2018 §6.5.4, table 9: a single size UID whose first byte is 08.
    private static func isRandom(_ uid: [UInt8]) -> Bool { uid.count == 4 && uid[0] == 0x08 }
}

/// The name of a sample: UID or serial.
public struct SampleName: Hashable, Sendable, CustomStringConvertible {
    /// Hex digits without blanks.
    public let text: String
    /// True when the card draws it anew each time, so that it tells nothing.
    public let isRandom: Bool

    /// Makes a name.
    public init(text: String, isRandom: Bool) {
        self.text = text
        self.isRandom = isRandom
    }

    /// The name.
    public var description: String { text }
}

extension TestBench {
    /// Whether destructive cases may run on a sample.
    ///
    /// - Parameter sample: Its name as the device itself told it; nil when it told none.
    /// - Returns: Nil when they may, else the reason why not, in one sentence.
    public func objection(toDestroying sample: SampleName?) -> String? {
        guard let sample else {
            return "the card tells neither UID nor serial; give the role a `sample` in \(file)"
        }
        guard !sample.isRandom else {
            return
                "the card's UID \(sample.text) is drawn anew each time; give the role a `sample` in \(file)"
        }
        let wanted = Self.plain(sample.text)
        guard allowed.contains(where: { Self.plain($0) == wanted }) else {
            return "the card \(sample.text) is not in the `allow` list of \(file)"
        }
        return nil
    }

    /// A serial without case and without what people put between its digits.
    private static func plain(_ text: String) -> String {
        text.uppercased().filter { !" :-".contains($0) }
    }
}
